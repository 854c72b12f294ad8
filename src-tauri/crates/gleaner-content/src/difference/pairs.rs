//! Which blocks of two texts are the same, and which are versions of each other.

use super::tree::{Flow, Unit};
use imara_diff::{Algorithm, Diff, Token};
use std::{collections::HashMap, ops::Range};

/// What becomes of a unit, in the order in which they stand. Each unit of both flows is in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Gone(usize),
    New(usize),
    Same(usize),
    Changed(usize, usize),
}

/// So far ahead the former version of a block is looked for.
const AHEAD: usize = 24;

/// Of a hundred words, so many in common make two blocks versions of each other.
const ALIKE: usize = 40;

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
    for (gone, came) in hunks(&old, &new) {
        steps.extend((at..came.start).map(Step::Same));
        at = came.end;
        pair(older, newer, gone, came, budget, &mut steps);
    }
    steps.extend((at..new.len()).map(Step::Same));
    steps
}

/// Rows longer than this are compared by pieces first: comparing two rows may take the product of their lengths.
const LONG: usize = 2000;

/// What differs in two rows of numbers: which went, and which came in their place. In rows that are long and have little in common it
/// is told more coarsely than it could be.
pub(super) fn hunks<'a>(old: &'a [Token], new: &'a [Token]) -> Vec<(Range<usize>, Range<usize>)> {
    if old.len().max(new.len()) <= LONG {
        return compared(old, new);
    }
    let (old_pieces, new_pieces) = (pieces(old), pieces(new));
    let mut numbers: HashMap<&'a [Token], u32> = HashMap::new();
    let mut row = |of: &[Range<usize>], tokens: &'a [Token]| -> Vec<Token> {
        let mut number = |piece: &Range<usize>| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            Token(*numbers.entry(&tokens[piece.clone()]).or_insert(next))
        };
        of.iter().map(&mut number).collect()
    };
    let old_row = row(&old_pieces, old);
    let new_row = row(&new_pieces, new);
    let span = |pieces: &[Range<usize>], range: Range<usize>, all: usize| {
        let start = |at: usize| pieces.get(at).map_or(all, |piece| piece.start);
        start(range.start)..start(range.end)
    };
    let mut all = Vec::new();
    for (gone, came) in hunks(&old_row, &new_row) {
        let (gone, came) = (span(&old_pieces, gone, old.len()), span(&new_pieces, came, new.len()));
        if gone.len().max(came.len()) > LONG {
            all.push((gone, came));
            continue;
        }
        let finer = compared(&old[gone.clone()], &new[came.clone()]);
        all.extend(
            finer
                .into_iter()
                .map(|(a, b)| (a.start + gone.start..a.end + gone.start, b.start + came.start..b.end + came.start)),
        );
    }
    all
}

fn compared(old: &[Token], new: &[Token]) -> Vec<(Range<usize>, Range<usize>)> {
    // What comparing takes goes with the largest number.
    let mut numbers: HashMap<u32, u32> = HashMap::with_capacity(old.len() + new.len());
    let mut small = |row: &[Token]| -> Vec<Token> {
        let number = |token: &Token| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            Token(*numbers.entry(token.0).or_insert(next))
        };
        row.iter().map(number).collect()
    };
    let (old, new) = (small(old), small(new));
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Histogram, &old, &new, u32::try_from(numbers.len()).unwrap_or(u32::MAX));
    let wide = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| (wide(hunk.before), wide(hunk.after))).collect()
}

/// A row in pieces of some dozens. They end where what stands there says so, so that they are the same again behind a change.
fn pieces(row: &[Token]) -> Vec<Range<usize>> {
    const LEAST: usize = 16;
    const MOST: usize = 128;
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, token) in row.iter().enumerate() {
        let length = at + 1 - start;
        let ends = length >= LEAST && token.0.wrapping_mul(0x9e37_79b1) >> 28 == 0;
        if ends || length == MOST {
            pieces.push(start..at + 1);
            start = at + 1;
        }
    }
    if start < row.len() {
        pieces.push(start..row.len());
    }
    pieces
}

/// Finds the versions of each other in what differs.
fn pair(
    older: &Flow<'_>,
    newer: &Flow<'_>,
    gone: Range<usize>,
    came: Range<usize>,
    budget: &mut usize,
    steps: &mut Vec<Step>,
) {
    let kin = |a: &Unit<'_>, b: &Unit<'_>| a.kin() == b.kin();
    let (old, new) = (&older.units[gone.clone()], &newer.units[came.clone()]);
    let parts = |units: &[Unit<'_>]| units.iter().all(|unit| is_part(unit.kin()));
    // Cells keep their columns, and the one line of a paragraph is always that.
    if old.len() == new.len()
        && old.iter().zip(new).all(|(a, b)| kin(a, b))
        && (parts(new) || old.len() == 1 && matches!((&old[0], &new[0]), (Unit::Run(_), Unit::Run(_))))
    {
        steps.extend(gone.zip(came).map(|(old, new)| Step::Changed(old, new)));
        return;
    }
    let mut next = gone.start;
    for at in came {
        let unit = &newer.units[at];
        let found = (next..gone.end.min(next + AHEAD)).find(|old| {
            let old = &older.units[*old];
            kin(old, unit) && alike(old.words(), unit.words(), budget)
        });
        match found {
            Some(old) => {
                steps.extend((next..old).map(Step::Gone));
                steps.push(Step::Changed(old, at));
                next = old + 1;
            }
            None => steps.push(Step::New(at)),
        }
    }
    // What went stands before what came in its place.
    let came = steps.iter().rposition(|step| !matches!(step, Step::New(_))).map_or(0, |last| last + 1);
    steps.splice(came..came, (next..gone.end).map(Step::Gone));
}

/// The parts of a table, which say what they are by their place.
fn is_part(kin: &str) -> bool {
    matches!(kin, "thead" | "tbody" | "tfoot" | "td" | "th" | "caption" | "colgroup")
}

/// Whether two sorted rows of words have much in common.
fn alike(a: &[u32], b: &[u32], budget: &mut usize) -> bool {
    let all = a.len() + b.len();
    // Lengths too far apart leave no room for it.
    if 2 * a.len().min(b.len()) * 100 < ALIKE * all || *budget < all {
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
    2 * both * 100 >= ALIKE * all
}
