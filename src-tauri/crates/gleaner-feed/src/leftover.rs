//! Character references that are left in plain text, since a program escaped it twice: `Don&#8217;t`.

use gleaner_html::references::reference;

/// Parts of words of texts that may be about references.
const SUBJECTS: [&str; 8] = ["html", "xml", "entit", "escap", "encod", "unicode", "charact", "markup"];
/// Words of such texts.
#[rustfmt::skip]
const WORDS: [&str; 17] = [
    "ampersand", "ampersands", "awk", "instead", "link", "links", "perl", "regex", "replace", "replaced", "rss", "sed", "url", "urls", "vi", "vim", "write",
];

/// Returns the text with its references decoded, if one of them certainly is not meant as text: within a word, or an ampersand between
/// words. Returns `None` for text that may be about references, and for text with a bare ampersand, which was not escaped twice.
pub(crate) fn decoded(text: &str) -> Option<String> {
    // Nearly all texts have none.
    text.contains('&').then_some(())?;
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    let mut is_certain = false;
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let (characters, length) = reference(from)?;
        if characters.second.is_some() || !is_usual(characters.first) {
            // With escaped tags, the text is as it was written.
            if matches!(characters.first, '<' | '>') {
                return None;
            }
            out.push('&');
            rest = &from[1..];
            continue;
        };
        rest = &from[length..];
        let (left, right) = (out.chars().next_back(), rest.chars().next());
        is_certain |= match (left, right) {
            (Some(' '), Some(' ')) => characters.first == '&',
            (Some(left), Some(right)) => left.is_alphabetic() && right.is_alphabetic(),
            _ => false,
        };
        out.push(characters.first);
    }
    out.push_str(rest);
    let is_subject = || {
        let lower = text.to_ascii_lowercase();
        SUBJECTS.iter().any(|part| lower.contains(part))
            || lower.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
    };
    (is_certain && !is_subject()).then_some(out)
}

/// Whether a character is a letter or a sign that titles have; not one that only markup has.
fn is_usual(c: char) -> bool {
    let is_quote_or_dash = matches!(c, '\'' | '"' | '\u{2013}'..='\u{201e}' | '…' | '«' | '»');
    c == '&' || is_quote_or_dash || (c.is_alphabetic() && !c.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_references_that_are_no_text() {
        for (text, right) in [
            ("Don&#8217;t &amp; won&rsquo;t", "Don’t & won’t"),
            ("Ann &amp; Bob", "Ann & Bob"),
            ("&#8220;It&#039;s late&#8221; &#8211; Ann", "“It's late” – Ann"),
            ("Caf&eacute;s in K&#xF6;ln", "Cafés in Köln"),
        ] {
            assert_eq!(decoded(text).as_deref(), Some(right));
        }
        for same in [
            "Ann & Bob",
            "a?b=1&amp;c=2",
            "What is &amp;?",
            "How to write Don&#8217;t in HTML",
            "Escaping &amp; as a link",
            "1 &lt; 2",
            "a&nbsp;b",
            "x&#60;y",
            "AT&T; more",
            "Fixed: AT&amp;T shown where AT&T was written",
            "Show Ann & Bob, not Ann &amp; Bob",
            "sed: what does &amp; mean?",
            "vi: %s/a&amp;b/c/",
            "When caf&eacute;s break RSS",
            "Using &amp; in URLs",
            "Q&amp;A: What is &lt;b&gt;?",
        ] {
            assert_eq!(decoded(same), None, "{same}");
        }
    }
}
