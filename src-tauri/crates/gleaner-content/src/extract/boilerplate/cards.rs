//! Finds the boxes after an article that lead to others: a linked heading, often with an image and the start of the text.

use super::{
    Known, MAX_TEASER, is_links, names,
    outline::{self, MIN_PROSE},
};
use crate::extract::tree::Tree;
use std::ops::Range;
use url::Url;

/// Minimum length of the text of a box in bytes.
const MIN_BOX: usize = 20;

/// Returns the positions of adjacent boxes after the last prose that lead to other pages of the site. If no heading before them names them,
/// they must be at most an eighth of the article, and not its subject.
pub(super) fn at_end(html: &str, tree: &Tree<Known>, page: Option<&Url>) -> Vec<Range<usize>> {
    // The numbers of the headings in each element, and of those that are links.
    let mut headings = vec![(0_usize, 0_usize); tree.elements.len()];
    for at in (0..tree.elements.len()).rev() {
        let element = &tree.elements[at];
        headings[at] = (usize::from(element.is_heading), usize::from(element.is_heading && is_links(element)));
        for child in tree.children(at) {
            headings[at].0 += headings[child].0;
            headings[at].1 += headings[child].1;
        }
    }
    let is_box = |at: &usize| {
        let element = &tree.elements[*at];
        let is_short = (MIN_BOX..=MAX_TEASER).contains(&element.text());
        is_short && !element.is_heading && matches!(headings[*at], (1..=3, 1..=2))
    };
    let mut rows: Vec<Vec<Range<usize>>> = Vec::new();
    for parent in 0..tree.elements.len() {
        let children: Vec<usize> = tree.children(parent).filter(|child| tree.elements[*child].text() > 0).collect();
        let boxes = children.chunk_by(|a, b| is_box(a) == is_box(b)).filter(|row| row.len() > 1 && is_box(&row[0]));
        rows.extend(boxes.map(|row| row.iter().map(|at| tree.elements[*at].range()).collect()));
    }
    let mut boxes: Vec<Range<usize>> = rows.into_iter().flatten().collect();
    keep_outermost(&mut boxes);
    let is_prose = |at: &usize| {
        let (text, links) = outline::own(tree, *at);
        text >= MIN_PROSE && links * 2 < text
    };
    let prose = (0..tree.elements.len())
        .filter(is_prose)
        .map(|at| tree.elements[at].range())
        .filter(|range| !is_within(range, &boxes))
        .map(|range| range.end)
        .max();
    let Some(end) = prose else { return Vec::new() };
    boxes.retain(|range| range.start >= end && outline::leads_away(&html[range.clone()], page));
    let is_announced = || {
        let start = boxes.first().map_or(0, |first| first.start);
        let heading = tree.elements.iter().rfind(|element| element.is_heading && element.range().end <= start);
        heading.is_some_and(|heading| {
            names::is_reference(&crate::plain_text(&html[heading.range()]).to_lowercase())
                && heading.range().start >= end
        })
    };
    if is_announced() {
        return boxes;
    }
    let mut lists: Vec<Range<usize>> =
        tree.elements.iter().filter(|element| element.known.is_list).map(|element| element.range()).collect();
    keep_outermost(&mut lists);
    // Boxes before a list that remains are not at the end of the article.
    let listed = boxes.iter().rposition(|range| is_within(range, &lists)).map_or(0, |at| at + 1);
    boxes.drain(..listed);
    let total = tree.elements[Tree::<Known>::ROOT].text();
    let text: usize = boxes.iter().map(|range| crate::plain_text(&html[range.clone()]).len()).sum();
    if text * 8 > total { Vec::new() } else { boxes }
}

fn keep_outermost(ranges: &mut Vec<Range<usize>>) {
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|inner, outer| inner.end <= outer.end);
}

/// Whether a position is within one of some others, which are in order.
fn is_within(range: &Range<usize>, others: &[Range<usize>]) -> bool {
    let at = others.partition_point(|other| other.end <= range.start);
    others.get(at).is_some_and(|other| other.start <= range.start)
}
