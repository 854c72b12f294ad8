//! Groups of links at the same place in the same structure, and which of them is the list of articles.

use super::{
    data,
    dates::{self, Shown},
    links::{Link, Page, is_marked, same_site},
    title,
    tree::hash,
};
use gleaner_html::elements::is_block;
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};
use url::Url;

/// Number of groups that are compared in detail.
const COMPARED: usize = 24;

/// An item of a group.
#[derive(Clone)]
pub(super) struct Entry {
    pub url: Url,
    pub title: String,
    /// Its elements.
    pub from: usize,
    pub to: usize,
    /// The year of the heading above.
    pub year: Option<i32>,
    /// The day of the heading above, if headings divide the list into days.
    pub day: Option<Shown>,
    /// The element of the title.
    pub named: usize,
    link: usize,
}

/// Maximum number of columns of a table that has one item in each row.
const MAX_COLUMNS: usize = 8;

/// Minimum number of letters of a text without a title.
const MIN_POST: usize = 40;
/// Number of letters that the title of a place in the page counts at least: it may be only a version number.
const MIN_PLACE: usize = 15;

/// A group with its measures.
#[derive(Clone)]
struct Measured {
    entries: Vec<Entry>,
    dates: f64,
    headings: f64,
    score: f64,
    /// Mean length of the titles.
    title: f64,
    side: bool,
    marked: f64,
    off: f64,
    inline: f64,
    prices: f64,
    /// Share of texts without a title, whose link is their time.
    posts: f64,
}

impl Page<'_, '_> {
    /// Returns the items of the list of articles.
    pub(super) fn best(&self) -> Option<Vec<Entry>> {
        let mut groups: HashMap<u64, Vec<usize>> = HashMap::new();
        for (number, link) in self.links.iter().enumerate() {
            groups.entry(self.tree.nodes[link.node].path).or_default().push(number);
        }
        let mut groups: Vec<(f64, Vec<usize>)> = groups
            .into_values()
            .map(|links| self.of_one_column(links))
            .flat_map(|links| self.split(links))
            .map(|links| (self.estimate(&links), links))
            .filter(|(size, _)| *size > 0.0)
            .collect();
        groups.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        let measured = groups.iter().take(COMPARED).map(|(_, links)| self.measure(links));
        let measured: Vec<Measured> = measured.filter(|group| group.entries.len() >= 2 && !group.side).collect();
        // If groups are equal, the first one.
        let mut order: Vec<&Measured> = measured.iter().collect();
        order.sort_by(|one, other| other.score.total_cmp(&one.score));
        // On the front page of a newspaper, the list with the longest titles may have no dates.
        let is_other = |group: &Measured| self.is_front() && group.dates >= 0.9 && group.entries.len() >= 5;
        let tried = order.into_iter().enumerate().filter(|(place, group)| *place == 0 || is_other(group));
        let best = tried.map(|(_, group)| self.continued(group)).find(|group| self.is_list(group))?;
        let mut best = self.with_other_lists(best, &measured);
        self.add_days(&mut best.entries);
        Some(best.entries)
    }

    /// Adds the years and days of the headings above the items.
    fn add_days(&self, entries: &mut [Entry]) {
        let mut headings = self
            .tree
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.is_heading() || matches!(&*node.name, "th" | "dt" | "caption" | "summary"));
        let mut next = headings.next();
        let (mut year, mut day) = (None, None);
        let (mut start, mut end) = (0, 0);
        for entry in entries.iter_mut() {
            while let Some((at, _)) = next.filter(|(at, _)| *at < entry.from) {
                let text = self.tree.text(at);
                year = dates::year(text).or(year);
                // A heading in an item is about that item only.
                if !(start..end).contains(&at) {
                    day = dates::of_heading(text);
                }
                next = headings.next();
            }
            // The item may begin with the heading of its day.
            let own =
                next.filter(|(at, _)| *at < entry.named).and_then(|(at, _)| dates::of_heading(self.tree.text(at)));
            day = own.or(day);
            (entry.year, entry.day) = (year, day);
            (start, end) = (entry.from, entry.to);
        }
        let mut days: Vec<Shown> = entries.iter().filter_map(|entry| entry.day).collect();
        days.sort_unstable();
        days.dedup();
        if days.len() < 2 {
            // The date of the page.
            entries.iter_mut().for_each(|entry| entry.day = None);
        }
    }

    /// Removes the links outside of the column with the titles, from a table or list without classes.
    fn of_one_column(&self, links: Vec<usize>) -> Vec<usize> {
        let is_row = |at: &usize| matches!(&*self.tree.nodes[*at].name, "tr" | "li" | "article");
        let rows = links.iter().map(|number| self.tree.around(self.links[*number].node).find(is_row));
        let rows: Vec<Option<usize>> = rows.collect();
        // The number of the column of each link, and how many links and how much text each column has.
        let mut columns = Vec::with_capacity(links.len());
        let mut sizes: Vec<(usize, usize, HashSet<u64>)> = Vec::new();
        for (at, number) in links.iter().enumerate() {
            let is_next = at > 0 && rows[at].is_some() && rows[at] == rows[at - 1];
            let column = if is_next { columns[at - 1] + 1 } else { 0 };
            columns.push(column);
            if column >= MAX_COLUMNS {
                return links;
            }
            if column == sizes.len() {
                sizes.push((0, 0, HashSet::new()));
            }
            let link = &self.links[*number];
            let (count, text, kinds) = &mut sizes[column];
            *count += 1;
            *text += title::length(self.tree.text(link.node)).min(100);
            kinds.insert(kind_of(&link.url));
        }
        let mean = |column: usize| number_of(sizes[column].1) / number_of(sizes[column].0);
        let titles = (0..sizes.len()).filter(|column| sizes[*column].0 * 2 > sizes[0].0);
        // If columns are equal, the first one.
        let Some(titles) = titles.rev().max_by(|one, other| mean(*one).total_cmp(&mean(*other))) else { return links };
        // A grid has items of one kind next to each other.
        let is_other =
            |column: usize| mean(column) < mean(titles) * 0.6 || sizes[column].2.is_disjoint(&sizes[titles].2);
        if sizes[0].0 < 3 || !(0..sizes.len()).any(is_other) {
            return links;
        }
        let kept = links.iter().zip(&columns).filter(|(_, column)| !is_other(**column));
        kept.map(|(number, _)| *number).collect()
    }

    /// Splits a group in which each item has links of two kinds, such as those to an event and to its place.
    fn split(&self, links: Vec<usize>) -> Vec<Vec<usize>> {
        let kinds: Vec<u64> = links.iter().map(|number| kind_of(&self.links[*number].url)).collect();
        let turns = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count();
        if kinds.len() < 6 || turns * 10 < (kinds.len() - 1) * 8 {
            return vec![links];
        }
        let mut parts: HashMap<u64, Vec<usize>> = HashMap::new();
        for (kind, number) in kinds.iter().zip(&links) {
            parts.entry(*kind).or_default().push(*number);
        }
        let large = parts.values().filter(|part| part.len() * 10 >= links.len() * 3).count();
        if large == 2 { parts.into_values().collect() } else { vec![links] }
    }

    /// Estimates how much text a group has.
    fn estimate(&self, links: &[usize]) -> f64 {
        let mut seen = HashSet::new();
        let mut sum = 0.0;
        for number in links {
            let link = &self.links[*number];
            if seen.insert(&link.url) {
                let text = self.tree.text(link.node);
                let weight = if self.side[link.node] { 0.15 } else { 1.0 };
                let weight = if self.heading_of(link.node) { 2.0 * weight } else { weight };
                sum += if title::is_generic(text) { 1.0 } else { weight * number_of(title::length(text).min(100)) };
            }
        }
        if seen.len() < 2 { 0.0 } else { sum }
    }

    /// Whether a link is in a heading or has one.
    fn heading_of(&self, link: usize) -> bool {
        let inside = (link..self.tree.nodes[link].end).take(50).any(|at| self.tree.nodes[at].is_heading());
        inside || self.tree.around(link).take(4).any(|at| self.tree.nodes[at].is_heading())
    }

    /// Removes the links to other pages of the list.
    fn without_numbers(&self, links: Vec<usize>) -> Vec<usize> {
        let is_number = |number: &usize| {
            let text = self.tree.text(self.links[*number].node);
            !text.is_empty() && text.len() <= 12 && !text.chars().any(char::is_alphabetic)
        };
        let numbers = links.iter().filter(|number| is_number(number)).count();
        if numbers * 2 > links.len() { links } else { links.into_iter().filter(|number| !is_number(number)).collect() }
    }

    /// Whether a link is in the middle of a sentence.
    fn is_inline(&self, link: usize) -> bool {
        let nodes = &self.tree.nodes;
        let block = self.tree.around(link).skip(1).find(|at| is_block(&nodes[*at].name) || nodes[*at].name == "td");
        let Some(block) = block.filter(|block| !nodes[*block].is_heading()) else { return false };
        // The sentence begins after the last block.
        let is_ended = |at: &usize| is_block(&nodes[*at].name) && nodes[*at].end <= link;
        let ended = (block + 1..link).rev().take(100).find(is_ended);
        let before = ended.map_or_else(|| self.tree.text_of(block, link), |ended| self.tree.text_between(ended, link));
        let is_sentence = |text: &str| title::length(text) > 40 && dates::in_text(text, false).is_none();
        is_sentence(before)
            || nodes[block].name == "p"
                && self.tree.text(block).len() > 4 * self.tree.text(link).len() + 60
                && !before.is_empty()
    }

    /// Returns the link to the same page that is the item's title, or else the link itself.
    fn naming(&self, number: usize, from: usize, to: usize) -> usize {
        let Link { node, url, .. } = &self.links[number];
        let first = self.links.partition_point(|link| link.node < from);
        let others =
            self.links[first..].iter().take(20).take_while(|link| link.node < to).filter(|link| link.url == *url);
        let is_naming =
            |node: usize| title::length(self.tree.text(node)) >= 3 && title::is_named(self.tree, node, from);
        if is_naming(*node) {
            return *node;
        }
        others.map(|link| link.node).find(|node| is_naming(*node)).unwrap_or(*node)
    }

    fn measure(&self, links: &[usize]) -> Measured {
        let nodes = &self.tree.nodes;
        let mut seen = HashSet::new();
        let links: Vec<usize> = links.iter().copied().filter(|number| seen.insert(&self.links[*number].url)).collect();
        let links = self.without_numbers(links);
        let extents = self.extents(&links);
        let (
            mut titles,
            mut texts,
            mut dated,
            mut headings,
            mut side,
            mut off,
            mut terms,
            mut marked,
            mut inline,
            mut prices,
            mut posts,
        ) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        let mut names = HashSet::new();
        let mut entries = Vec::with_capacity(extents.len());
        for (number, Range { start, end }) in extents {
            let url = &self.links[number].url;
            let node = &self.naming(number, start, end);
            let ((title, named), least) = match self.links[number].heading {
                Some(heading) => ((title::of_place(self.tree.text(heading)), heading), MIN_PLACE),
                None => (title::of_link(self.tree, *node, start, end), 0),
            };
            let length = title::length(&title);
            names.insert(hash(&title));
            titles += number_of(if title::is_generic(&title) { least } else { length.clamp(least, 80) });
            let text = title::length(self.tree.text_of(start, end));
            texts += number_of(text.min(300));
            let is_post = text >= MIN_POST && title::is_generic(&title) && self.is_time(*node);
            posts += f64::from(u8::from(is_post));
            let has_date = dates::find(self.tree, named, start, end, false, None).is_some()
                || least == 0 && dates::in_address(url.path()).is_some();
            dated += f64::from(u8::from(has_date));
            inline += f64::from(u8::from(self.is_inline(*node)));
            prices += f64::from(u8::from(has_price(self.tree.text_of(start, end))));
            headings += f64::from(u8::from(self.heading_of(*node)));
            side += f64::from(u8::from(self.side[*node]));
            off += f64::from(u8::from(!same_site(url, self.address)));
            terms += f64::from(u8::from(is_term(url)));
            marked += f64::from(u8::from(
                self.tree.around(*node).take_while(|at| *at >= start).any(|at| is_marked(&nodes[at])),
            ));
            entries.push(Entry {
                url: url.clone(),
                title,
                from: start,
                to: end,
                year: None,
                day: None,
                link: *node,
                named,
            });
        }
        let count = number_of(entries.len().max(1));
        let share = |sum: f64| sum / count;
        let mean = share(titles);
        let score = (titles + 0.3 * texts)
            * (1.0 + 2.0 * share(dated))
            * (1.0 + 0.5 * share(headings))
            * (1.0 + 0.3 * share(marked))
            * (1.0 - 0.85 * share(side))
            * (1.0 - 0.6 * share(off))
            * (1.0 - 0.8 * share(terms))
            * (1.0 - 0.9 * share(inline))
            * (number_of(names.len()) / count)
            * if mean < 8.0 { 0.1 } else { 1.0 };
        Measured {
            entries,
            dates: share(dated),
            headings: share(headings),
            score,
            title: mean,
            side: share(side) > 0.5,
            marked: share(marked),
            off: share(off),
            inline: share(inline),
            prices: share(prices),
            posts: share(posts),
        }
    }

    /// Whether a link is the time of an item.
    fn is_time(&self, link: usize) -> bool {
        let inside = &self.tree.nodes[link..self.tree.nodes[link].end];
        inside.iter().any(|node| node.name == "time" && node.get("datetime").and_then(Shown::read).is_some())
    }

    /// Adds the links that continue a group: a lead story above, or items with other classes.
    fn continued(&self, best: &Measured) -> Measured {
        let nodes = &self.tree.nodes;
        let coarse: HashSet<u64> = best.entries.iter().map(|entry| nodes[entry.link].coarse).collect();
        let inside: HashSet<usize> = best.entries.iter().map(|entry| entry.link).collect();
        // A link inside of an item is another link of the same item.
        let covered = self.covered(&best.entries);
        let links: Vec<usize> = (0..self.links.len())
            .filter(|number| {
                let node = self.links[*number].node;
                inside.contains(&node)
                    || !covered[node]
                        && coarse.contains(&nodes[node].coarse)
                        && !self.side[node]
                        && (best.headings < 0.9 || self.heading_of(node))
                        && title::length(self.tree.text(node)) >= 8
                        && !is_term(&self.links[*number].url)
            })
            .collect();
        let more = self.measure(&links);
        let is_better = more.score > best.score && more.dates >= best.dates * 0.95;
        if is_better { more } else { best.clone() }
    }

    /// For each element, whether it is part of an item.
    fn covered(&self, entries: &[Entry]) -> Vec<bool> {
        let mut covered = vec![false; self.tree.nodes.len()];
        entries.iter().for_each(|entry| covered[entry.from..entry.to].fill(true));
        covered
    }

    /// Adds other lists of articles, such as those of another section: they have dates and titles of about the same length.
    fn with_other_lists(&self, best: Measured, groups: &[Measured]) -> Measured {
        let is_alike = |group: &Measured| {
            group.dates >= 0.9
                && group.entries.len() >= 3
                && group.title >= best.title * 0.6
                && group.inline < 0.1
                && group.off <= best.off
                && group.score >= best.score * 0.25
        };
        if best.dates < 0.9 || best.title < 20.0 {
            return best;
        }
        let mut known: HashSet<&Url> = best.entries.iter().map(|entry| &entry.url).collect();
        let mut nodes: Vec<usize> = best.entries.iter().map(|entry| entry.link).collect();
        let mut covered = self.covered(&best.entries);
        for group in groups.iter().filter(|group| is_alike(group)) {
            let is_apart =
                |entry: &Entry| !known.contains(&entry.url) && !covered[entry.from..entry.to].contains(&true);
            if group.entries.iter().all(is_apart) {
                known.extend(group.entries.iter().map(|entry| &entry.url));
                nodes.extend(group.entries.iter().map(|entry| entry.link));
                group.entries.iter().for_each(|entry| covered[entry.from..entry.to].fill(true));
            }
        }
        if nodes.len() == best.entries.len() {
            return best;
        }
        nodes.sort_unstable();
        let links: Vec<usize> =
            (0..self.links.len()).filter(|number| nodes.binary_search(&self.links[*number].node).is_ok()).collect();
        self.measure(&links)
    }

    fn is_list(&self, group: &Measured) -> bool {
        let count = group.entries.len();
        let data = data::read(&self.tree.data, &self.base);
        let inside: usize = group.entries.iter().map(|entry| self.tree.text_of(entry.from, entry.to).len()).sum();
        let own = self.paragraphs(group);
        // Some sites call their front page an article.
        let article = !self.is_front() && (data.is_article || self.is_marked_article());
        if group.title < 8.0 && group.posts < 0.9 || group.inline > 0.5 {
            return false;
        }
        let has_dates = group.dates >= 0.5;
        let is_sure = has_dates || group.marked >= 0.5;
        if group.off > 0.5 && (!is_sure || own > inside) || group.prices > 0.5 && !has_dates {
            return false;
        }
        if article && (own > inside && own > 600 || !is_sure) || !self.is_front() && own > 4 * inside && own > 1500 {
            return false;
        }
        if !is_sure && own > 1000 && own * 10 > inside * 3 {
            return false;
        }
        is_sure || count >= 5 && group.title >= if group.headings >= 0.5 { 20.0 } else { 25.0 }
    }

    fn is_front(&self) -> bool {
        self.address.path() == "/"
    }

    /// Whether the page is marked as an article.
    fn is_marked_article(&self) -> bool {
        let mut nodes = self.tree.nodes.iter();
        nodes.any(|node| node.get("property") == Some("og:type") && node.get("content") == Some("article"))
    }

    /// Returns the length of the paragraphs outside of the items and the boxes next to the content.
    fn paragraphs(&self, group: &Measured) -> usize {
        let mut entries = group.entries.iter().peekable();
        let mut sum = 0;
        for (at, _) in self.tree.nodes.iter().enumerate().filter(|(_, node)| node.name == "p") {
            while entries.next_if(|entry| entry.to <= at).is_some() {}
            let is_item = entries.peek().is_some_and(|entry| (entry.from..entry.to).contains(&at));
            if !is_item && !self.side[at] {
                sum += self.tree.text(at).len();
            }
        }
        sum
    }
}

/// Whether a text has a price.
fn has_price(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(['€', '$', '£', '¥', '₽', '₹']) {
        let before = rest[..at].trim_end().ends_with(|c: char| c.is_ascii_digit());
        let sign = rest[at..].chars().next().map_or(1, char::len_utf8);
        let after = rest[at + sign..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        if before || after {
            return true;
        }
        rest = &rest[at + sign..];
    }
    false
}

fn number_of(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Whether an address is that of a category, tag, author or page of a list.
fn is_term(url: &Url) -> bool {
    let mut parts = url.path().trim_matches('/').rsplit('/');
    let last = parts.next().unwrap_or_default();
    let before = parts.next().unwrap_or_default().to_ascii_lowercase();
    matches!(
        &*before,
        "tag"
            | "tags"
            | "category"
            | "categories"
            | "cat"
            | "author"
            | "authors"
            | "topics"
            | "page"
            | "label"
            | "user"
            | "users"
            | "member"
            | "members"
    ) && !last.is_empty()
}

/// Returns the part that addresses of one kind have in common.
fn kind_of(url: &Url) -> u64 {
    let path = url.path();
    let section = path.trim_start_matches('/').split_once('/').map_or("", |(section, _)| section);
    let extension =
        path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, extension)| extension);
    hash(&(url.host_str(), section, extension))
}
