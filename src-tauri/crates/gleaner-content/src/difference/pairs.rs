//! Finds out which blocks of two texts are equal, and which are versions of each other.

use super::tree::{Flow, Unit};
use imara_diff::{Algorithm, Diff, Token};
use std::{collections::HashMap, ops::Range};

/// A change of a unit. The steps are in document order, and each unit of both flows is in one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Deleted(usize),
    Inserted(usize),
    Same(usize),
    Changed(usize, usize),
}

/// Number of units among which the older version of a block is searched.
const LOOKAHEAD: usize = 24;

/// Minimum percentage of common words for two blocks to be versions of each other.
const MIN_COMMON_PERCENT: usize = 40;

pub(super) fn steps(older: &Flow<'_>, newer: &Flow<'_>, budget: &mut usize) -> Vec<Step> {
    let mut numbers: HashMap<u64, u32> = HashMap::new();
    let mut number = |unit: &Unit<'_>| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        Token(*numbers.entry(unit.key()).or_insert(next))
    };
    let old: Vec<Token> = older.units.iter().map(&mut number).collect();
    let new: Vec<Token> = newer.units.iter().map(&mut number).collect();
    let mut steps = Vec::with_capacity(new.len());
    let mut at = 0;
    for (deleted, inserted) in hunks(&old, &new) {
        steps.extend((at..inserted.start).map(Step::Same));
        at = inserted.end;
        pair(older, newer, deleted, inserted, budget, &mut steps);
    }
    steps.extend((at..new.len()).map(Step::Same));
    steps
}

/// Length above which sequences are first compared piece by piece: the time for comparing may be the product of both
/// lengths.
const LONG: usize = 2000;

/// Returns the differences of two sequences: deleted ranges and the ranges inserted in their place. For long sequences with little in
/// common the result is coarser than possible.
pub(super) fn hunks<'a>(old: &'a [Token], new: &'a [Token]) -> Vec<(Range<usize>, Range<usize>)> {
    if old.len().max(new.len()) <= LONG {
        return compared(old, new);
    }
    let (old_pieces, new_pieces) = (pieces(old), pieces(new));
    let mut numbers: HashMap<&'a [Token], u32> = HashMap::new();
    let mut sequence = |of: &[Range<usize>], tokens: &'a [Token]| -> Vec<Token> {
        let mut number = |piece: &Range<usize>| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            Token(*numbers.entry(&tokens[piece.clone()]).or_insert(next))
        };
        of.iter().map(&mut number).collect()
    };
    let old_sequence = sequence(&old_pieces, old);
    let new_sequence = sequence(&new_pieces, new);
    let span = |pieces: &[Range<usize>], range: Range<usize>, all: usize| {
        let start = |at: usize| pieces.get(at).map_or(all, |piece| piece.start);
        start(range.start)..start(range.end)
    };
    let mut all = Vec::new();
    for (deleted, inserted) in hunks(&old_sequence, &new_sequence) {
        let (deleted, inserted) = (span(&old_pieces, deleted, old.len()), span(&new_pieces, inserted, new.len()));
        if deleted.len().max(inserted.len()) > LONG {
            all.push((deleted, inserted));
            continue;
        }
        let finer = compared(&old[deleted.clone()], &new[inserted.clone()]);
        all.extend(finer.into_iter().map(|(a, b)| {
            (a.start + deleted.start..a.end + deleted.start, b.start + inserted.start..b.end + inserted.start)
        }));
    }
    all
}

fn compared(old: &[Token], new: &[Token]) -> Vec<(Range<usize>, Range<usize>)> {
    // Numbered from 0, because the time for comparing depends on the largest number.
    let mut numbers: HashMap<u32, u32> = HashMap::with_capacity(old.len() + new.len());
    let mut renumbered = |sequence: &[Token]| -> Vec<Token> {
        let number = |token: &Token| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            Token(*numbers.entry(token.0).or_insert(next))
        };
        sequence.iter().map(number).collect()
    };
    let (old, new) = (renumbered(old), renumbered(new));
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Histogram, &old, &new, u32::try_from(numbers.len()).unwrap_or(u32::MAX));
    let wide = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| (wide(hunk.before), wide(hunk.after))).collect()
}

/// Splits a sequence into pieces of a few dozen elements. The content determines where they end, so that pieces after a
/// change are equal again.
fn pieces(sequence: &[Token]) -> Vec<Range<usize>> {
    const MIN: usize = 16;
    const MAX: usize = 128;
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, token) in sequence.iter().enumerate() {
        let length = at + 1 - start;
        let ends = length >= MIN && token.0.wrapping_mul(0x9e37_79b1) >> 28 == 0;
        if ends || length == MAX {
            pieces.push(start..at + 1);
            start = at + 1;
        }
    }
    if start < sequence.len() {
        pieces.push(start..sequence.len());
    }
    pieces
}

/// Pairs the units of a difference that are versions of each other.
fn pair(
    older: &Flow<'_>,
    newer: &Flow<'_>,
    deleted: Range<usize>,
    inserted: Range<usize>,
    budget: &mut usize,
    steps: &mut Vec<Step>,
) {
    let category = |a: &Unit<'_>, b: &Unit<'_>| a.category() == b.category();
    let (old, new) = (&older.units[deleted.clone()], &newer.units[inserted.clone()]);
    let parts = |units: &[Unit<'_>]| units.iter().all(|unit| is_part(unit.category()));
    // Cells stay in their columns, and a single line that replaces a single line is always a version of it.
    if old.len() == new.len()
        && old.iter().zip(new).all(|(a, b)| category(a, b))
        && (parts(new) || old.len() == 1 && matches!((&old[0], &new[0]), (Unit::Run(_), Unit::Run(_))))
    {
        steps.extend(deleted.zip(inserted).map(|(old, new)| Step::Changed(old, new)));
        return;
    }
    let mut next = deleted.start;
    for at in inserted {
        let unit = &newer.units[at];
        let found = (next..deleted.end.min(next + LOOKAHEAD)).find(|old| {
            let old = &older.units[*old];
            category(old, unit) && are_similar(old.words(), unit.words(), budget)
        });
        match found {
            Some(old) => {
                steps.extend((next..old).map(Step::Deleted));
                steps.push(Step::Changed(old, at));
                next = old + 1;
            }
            None => steps.push(Step::Inserted(at)),
        }
    }
    // Deleted units are written before those inserted in their place.
    let inserted = steps.iter().rposition(|step| !matches!(step, Step::Inserted(_))).map_or(0, |last| last + 1);
    steps.splice(inserted..inserted, (next..deleted.end).map(Step::Deleted));
}

/// Whether a category is a part of a table, which is identified by its position.
fn is_part(category: &str) -> bool {
    matches!(category, "thead" | "tbody" | "tfoot" | "td" | "th" | "caption" | "colgroup")
}

/// Whether two sorted sequences of words have enough in common.
fn are_similar(a: &[u32], b: &[u32], budget: &mut usize) -> bool {
    let all = a.len() + b.len();
    // Texts of very different lengths cannot have enough words in common.
    if 2 * a.len().min(b.len()) * 100 < MIN_COMMON_PERCENT * all || *budget < all {
        return all == 0;
    }
    *budget -= all;
    let (mut x, mut y, mut both) = (0, 0, 0);
    while x < a.len() && y < b.len() {
        match a[x].cmp(&b[y]) {
            std::cmp::Ordering::Less => x += 1,
            std::cmp::Ordering::Greater => y += 1,
            std::cmp::Ordering::Equal => {
                both += 1;
                x += 1;
                y += 1;
            }
        }
    }
    2 * both * 100 >= MIN_COMMON_PERCENT * all
}
