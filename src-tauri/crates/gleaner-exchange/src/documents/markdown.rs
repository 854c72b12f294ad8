//! Converts articles to Markdown: CommonMark with GitHub's tables and strikethrough, footnotes and definition lists. Elements that Markdown
//! does not have are replaced by their text.

pub(super) mod escape;

use super::{Article, markup::tree};
use dom_query::{Document, NodeId, NodeRef};
use escape::{address, code_span, destination, escaped, indented, push_text, ticks, trimmed};
use gleaner_html::{elements, one_line};
use std::collections::HashMap;

/// Returns an article with its title and source.
#[must_use]
pub fn markdown(article: &Article) -> String {
    let date = article.published.as_deref().and_then(|date| date.get(..10));
    let from = [Some(article.feed.as_str()), article.author.as_deref(), date];
    let mut from: Vec<String> = from.into_iter().flatten().filter(|part| !part.is_empty()).map(escaped).collect();
    from.extend(article.url.as_deref().map(|url| format!("<{}>", address(url))));
    format!("# {}\n\n{}\n\n{}", escaped(&one_line(&article.title)), from.join(" · "), of_html(&article.html))
}

/// Converts sanitised HTML to Markdown.
pub fn of_html(html: &str) -> String {
    let tree = tree(html);
    let notes = notes(&tree);
    let mut writer = Writer { notes, table: false };
    let mut blocks = writer.blocks(&tree.root());
    let mut labels: Vec<(String, String)> =
        writer.notes.iter().map(|(id, label)| (id.clone(), label.clone())).collect();
    labels.sort_by_key(|(_, label)| (label.parse::<u32>().unwrap_or(u32::MAX), label.clone()));
    let mut places: HashMap<String, NodeRef<'_>> = HashMap::new();
    for node in tree.select("[id]").nodes() {
        node.attr("id").map(|id| places.entry(id.to_string()).or_insert(*node));
    }
    for (id, label) in labels {
        if let Some(note) = places.get(&id) {
            let text = indented(&writer.blocks(note).join("\n\n"), "    ");
            blocks.push(format!("[^{label}]: {text}"));
        }
    }
    let mut text = blocks.join("\n\n");
    text.push('\n');
    text
}

/// Returns the labels of footnotes by their anchors. Footnotes are recognised by links to them whose text is a number or a sign, and by
/// the link back.
fn notes(tree: &Document) -> HashMap<String, String> {
    let links = tree.select("a[href]");
    let target = |node: &NodeRef<'_>| node.attr("href")?.strip_prefix('#').map(str::to_owned);
    let mut notes = HashMap::new();
    let places: HashMap<String, NodeRef<'_>> = tree
        .select("li[id], p[id], div[id], aside[id]")
        .nodes()
        .iter()
        .filter_map(|node| Some((node.attr("id")?.to_string(), *node)))
        .collect();
    let mut have_links_back: HashMap<NodeId, bool> = HashMap::new();
    for link in links.nodes() {
        let Some(id) = target(link) else { continue };
        let Some(place) = places.get(&id) else { continue };
        let sign = link.text().trim().trim_matches(['[', ']', '(', ')']).to_owned();
        let short = !sign.is_empty() && sign.chars().count() <= 3 && sign.chars().all(|c| !c.is_alphabetic());
        let inside = link.ancestors_it(None).any(|node| node.id == place.id);
        if !short || inside {
            continue;
        }
        let has_link_back = || place.descendants_it().any(|node| node.has_name("a") && target(&node).is_some());
        if *have_links_back.entry(place.id).or_insert_with(has_link_back) {
            let digits = sign.chars().all(|c| c.is_ascii_digit());
            let next = format!("n{}", notes.len() + 1);
            notes.entry(id).or_insert_with(|| if digits { sign } else { next });
        }
    }
    notes
}

/// Number of columns up to which short rows of a table are filled with empty cells. Markdown does not require that.
const FILLED: usize = 64;

struct Writer {
    /// Labels of footnotes, by anchor.
    notes: HashMap<String, String>,
    /// Whether this is in a table cell, where blocks have to be on one line.
    table: bool,
}

impl Writer {
    fn blocks(&mut self, node: &NodeRef<'_>) -> Vec<String> {
        let mut blocks = Vec::new();
        let mut line = String::new();
        for child in node.children() {
            let name = child.node_name().unwrap_or_default().to_lowercase();
            if child.is_element() && is_block(&child) {
                flush(&mut line, &mut blocks);
                self.block(&name, &child, &mut blocks);
            } else {
                self.inline_node(&child, &mut line);
            }
        }
        flush(&mut line, &mut blocks);
        blocks
    }

    fn block(&mut self, name: &str, node: &NodeRef<'_>, blocks: &mut Vec<String>) {
        if node.attr("id").is_some_and(|id| self.notes.contains_key(&*id)) {
            // Footnotes are written at the end.
            return;
        }
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let text = one_line(&self.inline(node).replace("\\\n", " "));
                if !text.is_empty() {
                    let level = usize::from(name.as_bytes()[1] - b'0');
                    blocks.push(format!("{} {text}", "#".repeat(level)));
                }
            }
            "hr" => blocks.push("---".to_owned()),
            "pre" => blocks.push(code_block(node)),
            "ul" | "ol" | "menu" | "dir" => self.list(name == "ol", node, blocks),
            "blockquote" => {
                let text = self.blocks(node).join("\n\n");
                if !text.is_empty() {
                    let lines: Vec<String> = text
                        .lines()
                        .map(|line| if line.is_empty() { ">".to_owned() } else { format!("> {line}") })
                        .collect();
                    blocks.push(lines.join("\n"));
                }
            }
            "dl" => self.definitions(node, blocks),
            "table" => self.table(node, blocks),
            "figcaption" | "caption" => {
                let text = self.inline(node);
                blocks.extend((!text.is_empty()).then(|| format!("*{text}*")));
            }
            "summary" => {
                let text = self.inline(node);
                blocks.extend((!text.is_empty()).then(|| format!("**{text}**")));
            }
            _ => blocks.extend(self.blocks(node)),
        }
    }

    fn list(&mut self, ordered: bool, node: &NodeRef<'_>, blocks: &mut Vec<String>) {
        let mut number = node.attr("start").and_then(|start| start.parse::<i64>().ok()).unwrap_or(1).max(0);
        let (mut items, mut loose) = (Vec::new(), false);
        for child in node.children().into_iter().filter(NodeRef::is_element) {
            if child.attr("id").is_some_and(|id| self.notes.contains_key(&*id)) {
                continue;
            }
            let inner = if child.has_name("li") { self.blocks(&child) } else { self.blocks_of(&child) };
            let marker = if ordered { format!("{number}. ") } else { "- ".to_owned() };
            number += 1;
            loose |= child.children().iter().filter(|child| child.has_name("p")).count() > 1;
            // A nested list follows its line without a gap.
            let mut text = String::new();
            for (at, block) in inner.iter().enumerate() {
                if at > 0 {
                    let list = block.starts_with("- ")
                        || block.split_once(". ").is_some_and(|(n, _)| n.parse::<u64>().is_ok());
                    text.push_str(if list && !loose { "\n" } else { "\n\n" });
                }
                text.push_str(block);
            }
            items.push(format!("{marker}{}", indented(&text, &" ".repeat(marker.len()))));
        }
        if !items.is_empty() {
            blocks.push(items.join(if loose { "\n\n" } else { "\n" }));
        }
    }

    /// Writes an element that is in a place where only other elements are allowed.
    fn blocks_of(&mut self, node: &NodeRef<'_>) -> Vec<String> {
        let mut blocks = Vec::new();
        if is_block(node) {
            self.block(&node.node_name().unwrap_or_default().to_lowercase(), node, &mut blocks);
        } else {
            let mut line = String::new();
            self.inline_node(node, &mut line);
            flush(&mut line, &mut blocks);
        }
        blocks
    }

    fn definitions(&mut self, node: &NodeRef<'_>, blocks: &mut Vec<String>) {
        let mut text = String::new();
        let own = |child: &NodeRef<'_>| nearest("dl", child).is_some_and(|list| list.id == node.id);
        let is_part = |child: &NodeRef<'_>| (child.has_name("dt") || child.has_name("dd")) && own(child);
        for child in node.descendants().into_iter().filter(is_part) {
            let term = child.has_name("dt");
            if !text.is_empty() {
                text.push_str(if term { "\n\n" } else { "\n" });
            }
            if term {
                text.push_str(&one_line(&self.inline(&child)));
            } else {
                text.push_str(": ");
                text.push_str(&indented(&self.blocks(&child).join("\n\n"), "  "));
            }
        }
        blocks.extend((!text.is_empty()).then_some(text));
    }

    fn table(&mut self, node: &NodeRef<'_>, blocks: &mut Vec<String>) {
        let own = |row: &NodeRef<'_>| nearest("table", row).is_some_and(|table| table.id == node.id);
        for caption in node.children().iter().filter(|child| child.has_name("caption")) {
            self.block("caption", caption, blocks);
        }
        let rows: Vec<NodeRef<'_>> =
            node.descendants().into_iter().filter(|row| row.has_name("tr") && own(row)).collect();
        let columns = rows.iter().map(|row| cells(row).len()).max().unwrap_or(0);
        let complex = node.descendants_it().any(|node| {
            ["table", "ul", "ol", "pre", "blockquote", "h1", "h2", "h3", "dl"].iter().any(|name| node.has_name(name))
        });
        // Tables with one column or with blocks in their cells are written without a table: they are used for layout.
        if columns < 2 || complex {
            for row in &rows {
                for cell in cells(row) {
                    blocks.extend(self.blocks(&cell));
                }
            }
            return;
        }
        let outer = std::mem::replace(&mut self.table, true);
        let mut lines = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let row = cells(row);
            let heads = row.iter().all(|cell| cell.has_name("th"));
            if at == 0 && !heads {
                lines.push(format!("|{}", "  |".repeat(columns)));
                lines.push(format!("|{}", " --- |".repeat(columns)));
            }
            let mut line = "|".to_owned();
            let written = if at == 0 { columns } else { columns.min(FILLED) };
            for column in 0..row.len().max(written) {
                let text = row.get(column).map(|cell| self.blocks(cell).join("<br>")).unwrap_or_default();
                line.push_str(&format!(" {} |", text.replace("\\\n", "<br>").replace('\n', " ").replace('|', "\\|")));
            }
            lines.push(line);
            if at == 0 && heads {
                lines.push(format!("|{}", " --- |".repeat(columns)));
            }
        }
        self.table = outer;
        blocks.push(lines.join("\n"));
    }

    fn inline(&mut self, node: &NodeRef<'_>) -> String {
        let mut line = String::new();
        for child in node.children() {
            self.inline_node(&child, &mut line);
        }
        trimmed(&line)
    }

    fn inline_node(&mut self, node: &NodeRef<'_>, line: &mut String) {
        if node.is_text() {
            push_text(line, &escaped(&node.text()));
            return;
        }
        if !node.is_element() {
            return;
        }
        let name = node.node_name().unwrap_or_default().to_lowercase();
        match name.as_str() {
            "br" => {
                line.truncate(line.trim_end_matches(' ').len());
                line.push_str("\\\n");
            }
            "strong" | "b" => self.marked(node, "**", line),
            "em" | "i" | "cite" | "dfn" | "var" => self.marked(node, "*", line),
            "del" | "s" | "strike" => self.marked(node, "~~", line),
            "sup" | "sub" => {
                let text = self.inline(node);
                if text.starts_with("[^") {
                    line.push_str(&text);
                } else if !text.is_empty() {
                    line.push_str(&format!("<{name}>{text}</{name}>"));
                }
            }
            "code" | "kbd" | "samp" | "tt" => line.push_str(&code_span(&node.text())),
            "q" => line.push_str(&format!("“{}”", self.inline(node))),
            "a" => self.link(node, line),
            "img" => {
                let alt = escaped(&one_line(&node.attr_or("alt", "")));
                line.push_str(&format!("![{alt}]({})", destination(&node.attr_or("src", ""))));
            }
            "audio" | "video" => {
                let source = || node.descendants().into_iter().find_map(|node| node.attr("src"));
                if let Some(src) = node.attr("src").or_else(source) {
                    let what = if name == "audio" { "Audio" } else { "Video" };
                    line.push_str(&format!("[{what}]({})", destination(&src)));
                }
            }
            "math" => match node.attr("alttext") {
                Some(formula) => line.push_str(&code_span(&formula)),
                None => push_text(line, &escaped(&node.text())),
            },
            "script" | "style" | "template" | "wbr" | "rp" => {}
            "rt" => line.push_str(&format!("({})", self.inline(node))),
            _ => {
                for child in node.children() {
                    // Only a line fits here, so the lines of the block are joined.
                    if is_block(&child) && !line.is_empty() && !line.ends_with(['\n', ' ']) {
                        line.push_str("\\\n");
                    }
                    self.inline_node(&child, line);
                }
            }
        }
    }

    /// Moves white space at the ends out of the marks, since Markdown would not recognise these otherwise.
    fn marked(&mut self, node: &NodeRef<'_>, mark: &str, line: &mut String) {
        let whole = node.text();
        let text = self.inline(node);
        if text.is_empty() {
            return push_text(line, &whole.chars().filter(|c| c.is_whitespace()).take(1).collect::<String>());
        }
        if text.starts_with(mark) && text.ends_with(mark) {
            return line.push_str(&text);
        }
        if whole.starts_with(char::is_whitespace) {
            push_text(line, " ");
        }
        line.push_str(&format!("{mark}{text}{mark}"));
        if whole.ends_with(char::is_whitespace) {
            push_text(line, " ");
        }
    }

    fn link(&mut self, node: &NodeRef<'_>, line: &mut String) {
        let href = node.attr_or("href", "").to_string();
        if let Some(place) = href.strip_prefix('#') {
            if let Some(label) = self.notes.get(place) {
                line.push_str(&format!("[^{label}]"));
                return;
            }
            // The link back from a footnote is left out, since Markdown programs add their own.
            let noted =
                node.ancestors_it(None).any(|above| above.attr("id").is_some_and(|id| self.notes.contains_key(&*id)));
            if !noted {
                line.push_str(&self.inline(node));
            }
            return;
        }
        let text = self.inline(node);
        if href.is_empty() {
            line.push_str(&text);
        } else if text.is_empty() {
            line.push_str(&format!("<{}>", address(&href)));
        } else {
            line.push_str(&format!("[{text}]({})", destination(&href)));
        }
    }
}

/// Returns the nearest element with this name around a node.
fn nearest<'a>(name: &str, node: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    node.ancestors_it(None).find(|above| above.has_name(name))
}

fn cells<'a>(row: &NodeRef<'a>) -> Vec<NodeRef<'a>> {
    row.children().into_iter().filter(|cell| cell.has_name("td") || cell.has_name("th")).collect()
}

fn is_block(node: &NodeRef<'_>) -> bool {
    node.node_name().is_some_and(|name| elements::is_block(&name))
}

fn flush(line: &mut String, blocks: &mut Vec<String>) {
    let text = trimmed(line);
    if !text.is_empty() {
        blocks.push(text);
    }
    line.clear();
}

fn code_block(node: &NodeRef<'_>) -> String {
    let mut text = String::new();
    code_text(node, &mut text);
    let class = |node: &NodeRef<'_>| {
        node.attr("class")?.split_whitespace().find_map(|class| class.strip_prefix("language-").map(str::to_owned))
    };
    let inner = || node.descendants().iter().find_map(class);
    let language: String =
        class(node).or_else(inner).unwrap_or_default().chars().filter(|c| !matches!(c, '`' | '~')).collect();
    let fence = "`".repeat(ticks(&text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", text.trim_matches('\n'))
}

fn code_text(node: &NodeRef<'_>, text: &mut String) {
    for child in node.children() {
        if child.is_text() {
            text.push_str(&child.text());
        } else if child.has_name("br") {
            text.push('\n');
        } else {
            code_text(&child, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::of_html;

    #[test]
    fn writes_each_element_with_its_mark() {
        for (html, wanted) in [
            ("<h2>A <em>b</em></h2><p>c</p>", "## A *b*\n\nc"),
            ("<p>a<strong> b </strong>c <b></b><del>d</del></p>", "a **b** c ~~d~~"),
            ("<p>one<br>two</p>", "one\\\ntwo"),
            ("<p>1. not a list, *no* [mark] &lt;b&gt; a_b</p>", "1\\. not a list, \\*no\\* \\[mark\\] \\<b\\> a\\_b"),
            ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
            ("<ol start=3><li>a</li><li><p>b</p><p>c</p></li></ol>", "3. a\n\n4. b\n\n   c"),
            ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
            (
                "<pre><code class='language-rust'>fn a() {\n    `b`\n}\n</code></pre>",
                "```rust\nfn a() {\n    `b`\n}\n```",
            ),
            ("<p>x <code>a `b` c</code></p>", "x ``a `b` c``"),
            (
                "<p><a href='https://e.example/a(b)'>t</a> <img src='https://e.example/p.png' alt='A cat'></p>",
                "[t](<https://e.example/a(b)>) ![A cat](https://e.example/p.png)",
            ),
            (
                "<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td>x<br>y</td></tr></table>",
                "| a | b |\n| --- | --- |\n| 1\\|2 | x<br>y |",
            ),
            ("<table><tr><td>a</td><td>b</td></tr></table>", "|  |  |\n| --- | --- |\n| a | b |"),
            ("<table><tr><td><ul><li>a</li></ul></td></tr></table>", "- a"),
            ("<dl><dt>t</dt><dd>d</dd></dl>", "t\n: d"),
            (
                "<figure><img src='https://e.example/p.png' alt=''><figcaption>C</figcaption></figure>",
                "![](https://e.example/p.png)\n\n*C*",
            ),
            ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"),
            ("<p>E = mc<sup>2</sup></p>", "E = mc<sup>2</sup>"),
        ] {
            assert_eq!(of_html(html).trim_end(), wanted, "{html}");
        }
    }

    #[test]
    fn converts_footnotes() {
        let html = "<p>A<sup><a href='#fn1' id='r1'>1</a></sup> b.</p><ol><li id='fn1'><p>The note. <a href='#r1'>↩</a></p></li></ol>";
        assert_eq!(of_html(html), "A[^1] b.\n\n[^1]: The note.\n");
    }

    #[test]
    fn nested_definitions_are_written_once() {
        let nested = of_html(&format!("{}x", "<dl><dt>t</dt><dd>".repeat(16)));
        assert_eq!((nested.matches('x').count(), nested.matches('t').count()), (1, 16));
        assert_eq!(
            of_html("<dl><div><dt>t</dt><dd>d<dl><dt>u</dt><dd>e</dd></dl></dd></div></dl>"),
            "t\n: d\n\n  u\n  : e\n"
        );
    }

    #[test]
    fn short_rows_are_not_filled_without_bound() {
        let rows = |columns: usize| {
            of_html(&format!(
                "<table><tr>{}</tr>{}</table>",
                "<td>a</td>".repeat(columns),
                "<tr><td>b</td></tr>".repeat(1000)
            ))
        };
        assert!(rows(3).ends_with("\n| b |  |  |\n"));
        assert!(rows(5000).len() < 500_000, "{}", rows(5000).len());
    }

    #[test]
    fn thousands_of_footnotes_take_linear_time() {
        let each = |count: usize| {
            let link = |at: usize| {
                format!("<a href='#n{at}' id=r{at}>{}</a><p id=n{at}>x <a href='#r{at}'>↩</a></p>", at % 1000)
            };
            (0..count).map(link).collect::<String>()
        };
        let one = |count: usize| {
            format!("{}<div id=n>{}</div>", "<a href='#n'>1</a>".repeat(count), "<p>x</p>".repeat(count))
        };
        for (name, html) in [("footnotes", &each as &dyn Fn(usize) -> String), ("links to one place", &one)] {
            gleaner_cpu_time::assert_linear(name, 500, html, |html| assert!(!of_html(html).is_empty()));
        }
    }
}
