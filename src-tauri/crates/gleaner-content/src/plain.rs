//! Articles that are plain text, such as posts of Bluesky and descriptions of episodes: HTML would run their lines together.

/// Lengths in characters of lines that a program or person broke to fit a width.
const WRAPPED: std::ops::RangeInclusive<usize> = 50..=90;

/// Returns text without any tag as HTML with its paragraphs and lines; other HTML unchanged.
pub(crate) fn with_lines(html: String) -> String {
    let text = html.trim();
    if !text.contains('\n') || text.contains('<') {
        return html;
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let paragraphs: Vec<&[&str]> = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty()).collect();
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for lines in &paragraphs {
        let inside = lines.join(if is_wrapped(lines) { "\n" } else { "<br>\n" });
        if paragraphs.len() == 1 {
            return inside;
        }
        out.push_str("<p>");
        out.push_str(&inside);
        out.push_str("</p>\n");
    }
    out
}

/// Returns text that has no tags any more without its line breaks, which are no lines of the text.
pub(crate) fn without_lines(html: String) -> String {
    if html.contains('<') { html } else { html.replace('\n', " ") }
}

/// Whether the lines of a paragraph are those of the source only: indented like its markup, or broken to fit a width.
fn is_wrapped(lines: &[&str]) -> bool {
    let [_, rest @ ..] = lines else { return true };
    let is_indented = |line: &&str| line.starts_with("  ") || line.starts_with('\t');
    let full = lines.get(..lines.len() - 1).unwrap_or_default();
    rest.iter().all(is_indented) || full.len() > 1 && full.iter().all(|line| WRAPPED.contains(&line.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_keeps_its_lines() {
        for (text, html) in [
            ("Ripe plums", "Ripe plums"),
            ("\n  Ripe plums\n ", "\n  Ripe plums\n "),
            (" Ripe plums\r\n- red\r\n- blue ", "Ripe plums<br>\n- red<br>\n- blue"),
            (
                "Plums &amp; pears\n \n\n00:00 Figs\n01:00 Nuts",
                "<p>Plums &amp; pears</p>\n<p>00:00 Figs<br>\n01:00 Nuts</p>\n",
            ),
            ("<p>Ripe</p>\nplums\npears", "<p>Ripe</p>\nplums\npears"),
        ] {
            assert_eq!(with_lines(text.to_owned()), html);
            assert_eq!(with_lines(html.to_owned()), html, "twice");
        }
    }

    #[test]
    fn lines_of_the_source_are_no_lines_of_the_text() {
        let line = "ripe plums and pears, ".repeat(3);
        let (line, indented) = (line.trim(), "Ripe plums\n    and pears\n    and figs");
        assert_eq!(with_lines(indented.to_owned()), indented);
        let wrapped = format!("{line}\n{line}\n{line}\nand figs");
        assert_eq!(with_lines(wrapped.clone()), wrapped);
        assert_eq!(with_lines(format!("{wrapped}\n\n{indented}")), format!("<p>{wrapped}</p>\n<p>{indented}</p>\n"));
    }
}
