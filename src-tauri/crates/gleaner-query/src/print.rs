//! Prints a parsed query in the query language.

use crate::{Expr, Field, Media, State};
use std::fmt::{self, Write as _};

fn name<T: PartialEq>(names: &[(&'static str, T)], value: &T) -> &'static str {
    names.iter().find(|(_, known)| known == value).map_or("", |(name, _)| name)
}

/// Writes a word as it is, anything else in quotes.
fn text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if !matches!(text, "OR" | "AND" | "NOT") && !text.is_empty() && text.chars().all(char::is_alphanumeric) {
        return f.write_str(text);
    }
    f.write_char('"')?;
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_char('"')
}

fn list(f: &mut fmt::Formatter<'_>, parts: &[Expr], separator: &str) -> fmt::Result {
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            f.write_str(separator)?;
        }
        match part {
            Expr::And(_) | Expr::Or(_) => write!(f, "({part})")?,
            part => write!(f, "{part}")?,
        }
    }
    Ok(())
}

/// Writes the query so that parsing it gives the same expression.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::And(parts) => list(f, parts, " "),
            Self::Or(parts) => list(f, parts, " OR "),
            Self::Not(part) => match **part {
                Self::And(_) | Self::Or(_) | Self::Not(_) => write!(f, "-({part})"),
                _ => write!(f, "-{part}"),
            },
            Self::Text { field, text: words, prefix } => {
                if *field != Field::Any {
                    write!(f, "{}:", name(&Field::NAMES, field))?;
                }
                text(f, words)?;
                f.write_str(if *prefix { "*" } else { "" })
            }
            Self::Category(category) => {
                f.write_str("category:")?;
                text(f, category)
            }
            Self::Language(tag) => write!(f, "lang:{tag}"),
            Self::Is(state) => write!(f, "is:{}", name(&State::NAMES, state)),
            Self::Has(media) => write!(f, "has:{}", name(&Media::NAMES, media)),
            Self::After(date) => write!(f, "after:{date}"),
            Self::Before(date) => write!(f, "before:{date}"),
            Self::During(date) => write!(f, "during:{date}"),
            Self::Words(least, Some(most)) if least == most => write!(f, "words:{least}"),
            Self::Words(least, Some(most)) => write!(f, "words:{least}..{most}"),
            Self::Words(least, None) => write!(f, "words:>={least}"),
        }
    }
}
