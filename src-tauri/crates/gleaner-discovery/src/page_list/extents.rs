//! Where each item of a group begins and ends.

use super::{dates, links::Page, title};
use std::ops::Range;

impl Page<'_, '_> {
    /// Returns the elements of each item: the largest ones that contain no other item.
    pub(super) fn extents(&self, links: &[usize]) -> Vec<(usize, Range<usize>)> {
        let nodes = &self.tree.nodes;
        let node = |number: Option<&usize>| number.map(|number| self.links[*number].node);
        let containers: Vec<usize> = links
            .iter()
            .enumerate()
            .map(|(at, number)| {
                let before = at.checked_sub(1).and_then(|at| node(links.get(at)));
                let after = node(links.get(at + 1));
                let is_own = |outer: &usize| {
                    before.is_none_or(|before| *outer > before)
                        && after.is_none_or(|after| nodes[*outer].end <= after)
                        && !matches!(&*nodes[*outer].name, "body" | "html" | "main")
                };
                let link = self.links[*number].node;
                self.tree.around(link).take_while(is_own).last().unwrap_or(link)
            })
            .collect();
        let mut found = Vec::with_capacity(links.len());
        for (at, number) in links.iter().enumerate() {
            let container = containers[at];
            let parent = nodes[container].parent;
            let next = containers.get(at + 1).filter(|next| nodes[**next].parent == parent);
            let mut to = next.copied().unwrap_or(nodes[container].end);
            if next.is_none() && at > 0 && nodes[containers[at - 1]].parent == parent {
                // As many elements as between the two before.
                let between = self.between(nodes[containers[at - 1]].end, container);
                to = self
                    .siblings(nodes[container].end, nodes[parent].end)
                    .take(between)
                    .last()
                    .map_or(to, |at| nodes[at].end);
            }
            found.push((*number, container..to));
        }
        let no_titles =
            links.iter().filter(|number| !title::is_title(self.tree.text(self.links[**number].node))).count();
        if links.iter().any(|number| self.links[*number].heading.is_some()) {
            // Each begins with its heading.
        } else if no_titles * 2 > links.len() {
            self.add_headings(&mut found, &containers);
        } else {
            self.shift_leads(&mut found, &containers);
        }
        found
    }

    fn siblings(&self, from: usize, end: usize) -> impl Iterator<Item = usize> {
        std::iter::successors((from < end).then_some(from), move |at| {
            Some(self.tree.nodes[*at].end).filter(|next| *next < end)
        })
    }

    fn between(&self, from: usize, to: usize) -> usize {
        self.siblings(from, to).take(20).count()
    }

    /// Makes each item begin with the heading before it, for lists whose links are below the texts.
    fn add_headings(&self, found: &mut [(usize, Range<usize>)], containers: &[usize]) {
        let nodes = &self.tree.nodes;
        let headings = |at: usize| {
            let container = containers[at];
            let before = at.checked_sub(1).map_or(0, |before| nodes[containers[before]].end);
            self.siblings(before.max(nodes[container].parent + 1), container).filter(|at| nodes[*at].is_heading())
        };
        // A heading directly before the first item may be that of the page.
        let second = if containers.len() > 1 { headings(1).next() } else { None };
        let is_apart = |heading: &usize| nodes[*heading].end < containers[0];
        for at in 0..containers.len() {
            let is_alike = |heading: &usize| second.is_some_and(|second| nodes[second].name == nodes[*heading].name);
            let first = headings(at).next();
            let first = if at > 0 { first } else { headings(0).find(is_alike).or(first.filter(is_apart)) };
            if let Some((_, range)) = found.get_mut(at) {
                // The next item may also begin before its link.
                *range =
                    first.filter(|_| range.start == containers[at]).unwrap_or(range.start)..nodes[containers[at]].end;
            }
        }
    }

    /// Moves short elements with a date before the link to the item that follows them, if the first item has one, too.
    fn shift_leads(&self, found: &mut [(usize, Range<usize>)], containers: &[usize]) {
        let nodes = &self.tree.nodes;
        let Some(&first) = containers.first() else { return };
        let lead_of = |container: usize| {
            let parent = nodes[container].parent;
            let end = container;
            // The sibling directly before: the last child of the parent that ends here.
            self.siblings(parent + 1, nodes[parent].end)
                .take_while(|at| *at < end)
                .last()
                .filter(|at| nodes[*at].end == end)
        };
        let Some(lead) = lead_of(first) else { return };
        let is_lead = |at: usize| {
            let text = self.tree.text(at);
            if nodes[at].is_heading() {
                return dates::of_heading(text).is_some();
            }
            text.len() <= 80 && dates::in_text(text, false).is_some()
        };
        if !is_lead(lead) {
            return;
        }
        let name = &nodes[lead].name;
        for at in 0..found.len() {
            let container = containers[at];
            let lead = match at.checked_sub(1).map(|at| &found[at].1) {
                None => Some(lead),
                Some(before) if before.end == container => {
                    self.siblings(nodes[containers[at - 1]].end, container).take(50).last()
                }
                Some(_) => None,
            };
            if let Some(lead) = lead.filter(|lead| nodes[*lead].name == *name && is_lead(*lead)) {
                if at > 0 {
                    found[at - 1].1.end = lead;
                }
                found[at].1.start = lead;
            }
        }
        // Elements after the last item may not belong to it.
        if let Some(last) = found.last_mut() {
            last.1.end = last.1.end.min(nodes[containers[containers.len() - 1]].end.max(last.1.start + 1));
        }
    }
}
