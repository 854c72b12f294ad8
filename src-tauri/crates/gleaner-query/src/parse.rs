//! Parses the query language.
// long: one parser of queries, for the current grammar and the former one.

use crate::{
    Date, Expr, Field, MAX_QUERY, Media, Problem, QueryError, State, category_key,
    signs::{closing, is_sign, opens_former_quote, opens_quote},
};
use std::ops::Range;

/// Maximum depth of parentheses.
const MAX_DEPTH: usize = 20;

/// Parses a query. An empty query, or one of operators and punctuation only, is [`Expr::All`].
///
/// # Errors
/// [`QueryError`] with the position and a suggestion.
pub fn parse(query: &str) -> Result<Expr, QueryError> {
    if query.len() > MAX_QUERY {
        return Err(QueryError::at(query, 0..query.len(), Problem::TooLong));
    }
    let found = parse_all(query, false)?;
    if found.is_none() && query.contains(is_sign) {
        return Err(QueryError::at(query, 0..query.len(), Problem::NoWords));
    }
    Ok(found.unwrap_or(Expr::All))
}

/// Returns a query of version 0.2.0 in the present language, if it would have another meaning now: `NOT` was a word, and the quotation marks
/// `«»「」『』` were ignored.
#[must_use]
pub fn from_former(query: &str) -> Option<String> {
    if query.len() > MAX_QUERY {
        return None;
    }
    let former = parse_all(query, true).ok()??;
    (parse(query).ok().as_ref() != Some(&former)).then(|| former.to_string())
}

/// `former`: in the language of version 0.2.0.
fn parse_all(query: &str, former: bool) -> Part {
    let mut parser = Parser { query, at: 0, depth: 0, former };
    let found = parser.parse_or()?;
    if parser.at < query.len() {
        return parser.error(parser.at..parser.at + 1, Problem::UnopenedParenthesis);
    }
    Ok(found)
}

/// Fields whose value is not text.
const OTHERS: [&str; 8] = ["category", "lang", "is", "has", "after", "before", "during", "words"];

struct Parser<'a> {
    query: &'a str,
    at: usize,
    depth: usize,
    former: bool,
}

/// A value, and its position in the query.
struct Value {
    text: String,
    prefix: bool,
    bytes: Range<usize>,
}

/// A parsed part of a query; `None` if it has no words.
type Part = Result<Option<Expr>, QueryError>;

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.query[self.at..]
    }

    fn error<T>(&self, bytes: Range<usize>, problem: Problem) -> Result<T, QueryError> {
        Err(QueryError::at(self.query, bytes, problem))
    }

    fn skip_space(&mut self) {
        self.at = self.query.len() - self.rest().trim_start().len();
    }

    /// Reads this keyword if it is next, and returns whether it was.
    fn keyword(&mut self, word: &str) -> bool {
        self.skip_space();
        let there = self.rest().strip_prefix(word);
        let found = there.is_some_and(|after| {
            after.is_empty() || after.starts_with(|c: char| c.is_whitespace() || matches!(c, '(' | ')'))
        });
        if found {
            self.at += word.len();
        }
        found
    }

    fn opens_quote(&self) -> bool {
        if self.former { opens_former_quote(self.rest()) } else { opens_quote(self.rest()) }
    }

    fn parse_or(&mut self) -> Part {
        let mut parts = Vec::new();
        loop {
            parts.extend(self.parse_and()?);
            if !self.keyword("OR") {
                return Ok(if parts.is_empty() { None } else { Some(Expr::or(parts)) });
            }
        }
    }

    fn parse_and(&mut self) -> Part {
        let mut parts = Vec::new();
        loop {
            while self.keyword("AND") {}
            let before = self.at;
            if self.rest().is_empty() || self.rest().starts_with(')') || self.keyword("OR") {
                self.at = before;
                return Ok(if parts.is_empty() { None } else { Some(Expr::and(parts)) });
            }
            parts.extend(self.parse_negation()?);
        }
    }

    fn parse_negation(&mut self) -> Part {
        let (mut negated, before) = (false, self.at);
        while !self.former && self.keyword("NOT") {
            negated = !negated;
        }
        if self.at > before && self.at_end_of_part() {
            return Ok(None);
        }
        let part = self.parse_minus()?;
        Ok(if negated { part.map(Expr::not) } else { part })
    }

    /// Whether nothing follows that an operator could apply to.
    fn at_end_of_part(&mut self) -> bool {
        let before = self.at;
        let ends = self.keyword("OR") || self.keyword("AND") || self.rest().is_empty() || self.rest().starts_with(')');
        self.at = before;
        ends
    }

    fn parse_minus(&mut self) -> Part {
        let Some(negated) = self.rest().strip_prefix('-') else { return self.parse_single() };
        self.at += 1;
        if negated.is_empty() || negated.starts_with(|c: char| c.is_whitespace() || c == ')') {
            return Ok(None);
        }
        Ok(self.parse_single()?.map(Expr::not))
    }

    fn parse_single(&mut self) -> Part {
        let start = self.at;
        if self.rest().starts_with('(') {
            return self.parse_group();
        }
        if self.opens_quote() {
            let value = self.parse_quoted()?;
            return Ok(text(Field::Any, value.text, value.prefix));
        }
        if is_address(self.rest()) {
            let address = self.parse_address();
            let of = |field| text(field, address.to_owned(), false);
            return Ok(of(Field::Url).zip(of(Field::Any)).map(|(url, any)| Expr::or(vec![url, any])));
        }
        if let Some((name, after)) = self
            .rest()
            .split_once(':')
            .filter(|(name, _)| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic()))
        {
            let lower = name.to_ascii_lowercase();
            let named = fields().find(|known| *known == lower);
            if let Some(known) = named {
                self.at += name.len() + 1;
                return self.parse_field(known, start).map(Some);
            }
            let has_value = after.starts_with(|c: char| !c.is_whitespace() && c != ')');
            if let Some(meant) = most_similar(&lower, fields()).filter(|_| has_value) {
                return self
                    .error(start..start + name.len() + 1, Problem::UnknownField { name: name.to_owned(), meant });
            }
        }
        let word = self.parse_word();
        Ok(text(Field::Any, word.text, word.prefix))
    }

    fn parse_group(&mut self) -> Part {
        let start = self.at;
        self.at += 1;
        if self.depth == MAX_DEPTH {
            return self.error(start..start + 1, Problem::TooDeep);
        }
        self.depth += 1;
        self.skip_space();
        if self.rest().starts_with(')') {
            return self.error(start..self.at + 1, Problem::EmptyParentheses);
        }
        let inner = self.parse_or()?;
        if !self.rest().starts_with(')') {
            return self.error(start..start + 1, Problem::UnclosedParenthesis);
        }
        self.at += 1;
        self.depth -= 1;
        Ok(inner)
    }

    /// Reads up to the next space or parenthesis. Empty parentheses after it are part of it, as in `main()`. A trailing `*` makes the
    /// value a prefix.
    fn parse_word(&mut self) -> Value {
        let start = self.at;
        loop {
            let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')');
            self.at += self.rest().find(ends).unwrap_or(self.rest().len());
            if self.at == start || !self.rest().starts_with("()") {
                break;
            }
            self.at += "()".len();
        }
        let written = &self.query[start..self.at];
        let text = written.trim_end_matches('*');
        Value { text: text.to_owned(), prefix: text.len() < written.len(), bytes: start..self.at }
    }

    /// Reads a quoted value. A `*` after it makes the last word a prefix.
    fn parse_quoted(&mut self) -> Result<Value, QueryError> {
        let start = self.at;
        let mut characters = self.rest().char_indices();
        let open = characters.next().map_or('"', |(_, c)| c);
        let mut text = String::new();
        while let Some((at, c)) = characters.next() {
            let closes = closing(open).contains(&c);
            match c {
                '\\' => match characters.clone().next() {
                    Some((_, escaped @ ('"' | '\\'))) => {
                        characters.next();
                        text.push(escaped);
                    }
                    _ => text.push(c),
                },
                _ if closes => {
                    self.at += at + c.len_utf8();
                    let prefix = self.rest().starts_with('*');
                    self.at += usize::from(prefix);
                    return Ok(Value { text: text.trim().to_owned(), prefix, bytes: start..self.at });
                }
                c => text.push(c),
            }
        }
        self.error(start..start + open.len_utf8(), Problem::UnclosedQuote)
    }

    /// Reads an address up to the next space, without unbalanced closing parentheses at its end.
    fn parse_address(&mut self) -> &'a str {
        let length = self.rest().find(char::is_whitespace).unwrap_or(self.rest().len());
        let mut address = &self.rest()[..length];
        while address.ends_with(')') && address.matches(')').count() > address.matches('(').count() {
            address = &address[..address.len() - 1];
        }
        self.at += address.len();
        address
    }

    fn parse_field(&mut self, name: &'static str, start: usize) -> Result<Expr, QueryError> {
        let value = if self.opens_quote() {
            self.parse_quoted()?
        } else if name == "url" {
            let bytes = self.at..self.at + self.parse_address().len();
            let written = &self.query[bytes.clone()];
            let text = written.trim_end_matches('*');
            Value { text: text.to_owned(), prefix: text.len() < written.len(), bytes }
        } else {
            self.parse_word()
        };
        if value.text.trim().is_empty()
            && !matches!(name, "after" | "before" | "during" | "words" | "lang" | "is" | "has")
        {
            return self.error(start..self.at, Problem::NoValue(name));
        }
        let at = if value.bytes.is_empty() { start..self.at } else { value.bytes };
        let lower = value.text.to_ascii_lowercase();
        let found = match name {
            "category" => category_key(&value.text).map(|_| Expr::Category(value.text)).ok_or(Problem::NoValue(name)),
            "lang" => language(&lower).map(Expr::Language).ok_or(Problem::NoLanguage),
            "is" => one_of(name, &lower, &State::NAMES).map(Expr::Is),
            "has" => one_of(name, &lower, &Media::NAMES).map(Expr::Has),
            "after" => Date::parse(&lower).map(Expr::After).ok_or(Problem::NoDate(name)),
            "before" => Date::parse(&lower).map(Expr::Before).ok_or(Problem::NoDate(name)),
            "during" => Date::parse(&lower).map(Expr::During).ok_or(Problem::NoDate(name)),
            "words" => number_of_words(&lower).ok_or(Problem::NoNumber),
            _ => {
                let field =
                    Field::NAMES.iter().find(|(known, _)| *known == name).map_or(Field::Any, |(_, field)| *field);
                text(field, value.text, value.prefix).ok_or(Problem::NoValue(name))
            }
        };
        found.or_else(|problem| self.error(at, problem))
    }
}

/// Returns an expression for text in a field; `None` if the text has no words.
fn text(field: Field, text: String, prefix: bool) -> Option<Expr> {
    field.phrase(&text, prefix).map(|_| Expr::Text { field, text, prefix })
}

/// Returns the names of all fields.
pub fn fields() -> impl Iterator<Item = &'static str> {
    Field::NAMES.iter().map(|(name, _)| *name).chain(OTHERS)
}

/// Returns the values of `is:`.
pub fn states() -> impl Iterator<Item = &'static str> {
    State::NAMES.iter().map(|(name, _)| *name)
}

/// Returns the values of `has:`.
pub fn media() -> impl Iterator<Item = &'static str> {
    Media::NAMES.iter().map(|(name, _)| *name)
}

/// Whether the text starts with a scheme and `://`, or with `www.`.
fn is_address(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    }) || text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."))
}

/// Returns the known name that is most similar to a word. Very short words are similar to everything, so for these it returns none.
fn most_similar(word: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let most = match word.len() {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    let with_distance = known.map(|name| (strsim::osa_distance(word, name), name));
    with_distance
        .filter(|(distance, name)| *distance <= most && name.len() > 2)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn one_of<T: Copy>(field: &'static str, value: &str, names: &[(&'static str, T)]) -> Result<T, Problem> {
    names.iter().find(|(name, _)| *name == value).map(|(_, value)| *value).ok_or_else(|| Problem::NotOneOf {
        field,
        takes: names.iter().map(|(name, _)| *name).collect(),
        meant: most_similar(value, names.iter().map(|(name, _)| *name)),
    })
}

fn language(value: &str) -> Option<String> {
    let tag = value.replace('_', "-");
    let mut subtags = tag.split('-');
    let first = subtags.next()?;
    let fits =
        |subtag: &str| (1..=8).contains(&subtag.len()) && subtag.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let known = (2..=8).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_alphabetic());
    (known && subtags.all(fits)).then_some(tag)
}

fn number_of_words(value: &str) -> Option<Expr> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let (least, most) = if let Some(rest) = value.strip_prefix(">=") {
        (number(rest)?, None)
    } else if let Some(rest) = value.strip_prefix("<=") {
        (0, Some(number(rest)?))
    } else if let Some(rest) = value.strip_prefix('>') {
        (number(rest)?.checked_add(1)?, None)
    } else if let Some(rest) = value.strip_prefix('<') {
        (0, Some(number(rest)?.checked_sub(1)?))
    } else if let Some((from, to)) = value.split_once("..") {
        match (from, to) {
            ("", to) => (0, Some(number(to)?)),
            (from, "") => (number(from)?, None),
            (from, to) => (number(from)?, Some(number(to)?)),
        }
    } else {
        let exactly = number(value.strip_prefix('=').unwrap_or(value))?;
        (exactly, Some(exactly))
    };
    if most.is_some_and(|most| most < least) { None } else { Some(Expr::Words(least, most)) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Parses a query and prints it again.
    fn read(query: &str) -> String {
        parse(query).unwrap_or_else(|error| panic!("{query}: {error}")).to_string()
    }

    #[test]
    fn parses_and_prints_queries() {
        for (query, again) in [
            ("", ""),
            ("rust async", "rust async"),
            ("  rust   OR async go ", "rust OR (async go)"),
            ("(rust OR go) -java", "(rust OR go) -java"),
            ("rust AND go", "rust go"),
            ("coffee NOT tea", "coffee -tea"),
            ("NOT (a b) not NOTE", "-(a b) not NOTE"),
            ("NOT \"d e\" OR NOT title:x AND NOT NOT y", "-\"d e\" OR (-title:x y)"),
            ("NOT -a \"NOT\"", "-(-a) \"NOT\""),
            ("\"rust\" \"two words\"", "rust \"two words\""),
            ("„zwei Wörter“", "\"zwei Wörter\""),
            ("« deux mots » »zwei Wörter« »två ord»", "\"deux mots\" \"zwei Wörter\" \"två ord\""),
            ("title:「東京 夜」 『一 二』 -«a b»*", "title:\"東京 夜\" \"一 二\" -\"a b\"*"),
            ("News » Weather »x 「z", "News Weather \"»x\" \"「z\""),
            ("a «b", "a \"«b\""),
            ("rus* \"new ru\"*", "rus* \"new ru\"*"),
            ("title:Rust AUTHOR:\"Ada L\" tag:a* text:x", "title:Rust author:\"Ada L\" tag:a* text:x"),
            ("feed:\"Ars Technica\" folder:News/Tech", "feed:\"Ars Technica\" folder:\"News/Tech\""),
            ("category:News category:\"News / Regional\"", "category:News category:\"News / Regional\""),
            ("is:Unread is:starred has:audio lang:PT_br", "is:unread is:starred has:audio lang:pt-br"),
            (
                "after:2026-1 before:2026 during:\"last week\" after:7d",
                "after:2026-01 before:2026 during:\"last week\" after:7d",
            ),
            ("words:>1000 words:500..900 words:<10 words:7", "words:>=1001 words:500..900 words:0..9 words:7"),
            ("-(a b) --c -\"d e\"", "-(a b) -\"-c\" -\"d e\""),
            ("12:30 C++ a:b re:view foo-bar x_y", "\"12:30\" \"C++\" \"a:b\" \"re:view\" \"foo-bar\" \"x_y\""),
            ("猫 ไทย мир", "猫 ไทย мир"),
            ("foo(bar)baz", "foo bar baz"),
            ("main() title:read().await -drop()", "\"main()\" title:\"read().await\" -\"drop()\""),
            ("5\" disk", "\"5\\\"\" disk"),
            (r#""a \"b\" c""#, r#""a \"b\" c""#),
            ("http: // x", "\"http:\" x"),
        ] {
            assert_eq!(read(query), again, "{query}");
        }
    }

    #[test]
    fn ignores_parts_without_words() {
        for query in [
            "-",
            "OR",
            "*",
            "AND",
            "- - -",
            "OR OR",
            "rust OR",
            "OR rust",
            "rust -",
            "* rust",
            "– …",
            "( - ) rust",
            "\"\" rust",
            "\"!\"",
            "rust AND",
            "NOT",
            "rust NOT",
            "rust OR NOT",
            "(NOT) rust",
            "NOT OR rust",
            "NOT NOT AND rust",
            "€ rust ⭐",
        ] {
            assert!(matches!(read(query).as_str(), "" | "rust"), "{query}");
        }
        assert_eq!(read("-OR"), "-\"OR\"");
        assert_eq!(read("-NOT"), "-\"NOT\"");
        assert_eq!(read("-\"OR\""), "-\"OR\"");
    }

    #[test]
    fn queries_of_version_0_2_0_keep_their_meaning() {
        for (query, meant) in [
            ("coffee NOT tea", "coffee \"NOT\" tea"),
            ("title:DO NOT (miss OR skip)", "title:DO \"NOT\" (miss OR skip)"),
            ("NOT", "\"NOT\""),
            ("«deux mots» OR x", "(\"«deux\" \"mots»\") OR x"),
        ] {
            assert_eq!(from_former(query).as_deref(), Some(meant), "{query}");
            assert_eq!(from_former(meant), None, "{query}: once is enough");
        }
        for query in
            ["coffee -tea", "\"do NOT miss\"", "not NOTE", "News » Weather", "„a b“", "", "€", "(", "title:NOT"]
        {
            assert_eq!(from_former(query), None, "{query}");
        }
    }

    #[test]
    fn searches_for_addresses() {
        assert_eq!(
            read("https://example.com/a_(b)?c=d:e"),
            "url:\"https://example.com/a_(b)?c=d:e\" OR \"https://example.com/a_(b)?c=d:e\""
        );
        assert_eq!(read("(www.example.com)"), "url:\"www.example.com\" OR \"www.example.com\"");
        assert_eq!(read("url:example.com/x_(y) z"), "url:\"example.com/x_(y)\" z");
    }

    #[test]
    fn errors_have_a_position_and_a_suggestion() {
        for (query, at, words) in [
            ("é autor:ada", 2..8, "did you mean `author:`"),
            ("titel:x", 0..6, "`title:`"),
            ("a is:unred", 5..10, "did you mean unread?"),
            ("is:", 0..3, "unread, read, starred, updated"),
            ("has:pony", 4..8, "audio, video"),
            ("after:soon", 6..10, "needs a date such as"),
            ("before: 2026", 0..7, "needs a date"),
            ("words:many", 6..10, "needs a number"),
            ("words:9..1", 6..10, "needs a number"),
            ("lang:x", 5..6, "needs a language"),
            ("title: x", 0..6, "`title:` needs a word"),
            ("title:!", 6..7, "`title:` needs a word"),
            ("say \"hi", 4..5, "quotation mark is never closed"),
            ("(a b", 0..1, "never closed"),
            ("a) b", 1..2, "never opened"),
            ("a ( ) b", 2..5, "parentheses are empty"),
            ("€", 0..1, "only words, numbers and most emoji"),
            ("-⭐ OR #", 0..7, "only words, numbers and most emoji"),
            ("title:€", 6..7, "`title:` needs a word"),
        ] {
            let error = parse(query).unwrap_err();
            assert!(error.to_string().contains(words), "{query}: {error}");
            assert_eq!(error.characters, at, "{query}");
        }
        let deep = "(".repeat(1000);
        assert_eq!(parse(&deep).unwrap_err().problem, Problem::TooDeep);
        assert_eq!(parse(&"a ".repeat(MAX_QUERY)).unwrap_err().problem, Problem::TooLong);
    }
}
