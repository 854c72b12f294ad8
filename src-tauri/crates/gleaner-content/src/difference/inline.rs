//! Writes the inserted and deleted words of a line.

use super::{
    Writer,
    pairs::hunks,
    tree::{Piece, deleted_html, deleted_tag},
};
use imara_diff::Token;
use std::ops::Range;

/// Maximum number of unchanged words between two longer changes that count as equal by chance.
const MAX_CHANCE: usize = 3;

/// Writes a line of the newer text with the deleted words of the older one.
pub(super) fn write(writer: &mut Writer, older: &[Piece<'_>], newer: &[Piece<'_>]) {
    let mut old = Line::new(older);
    let mut new = Line::new(newer);
    for (deleted, inserted) in changes(&old.tokens, &new.tokens) {
        new.write_unchanged(writer, inserted.start);
        if !deleted.is_empty() {
            let room = !new.space_follows();
            old.write_deleted(writer, deleted, &new, room);
        }
        new.write_inserted(writer, inserted);
    }
    new.write_unchanged(writer, usize::MAX);
}

/// Returns the differences. They are joined if the words between them are equal only by chance.
fn changes(old: &[Token], new: &[Token]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut all: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (deleted, inserted) in hunks(old, new) {
        if let Some((before, after)) = all.last_mut() {
            let between = deleted.start - before.end;
            let least = (before.len() + after.len()).min(deleted.len() + inserted.len());
            if between <= MAX_CHANCE && 4 * between <= least {
                before.end = deleted.end;
                after.end = inserted.end;
                continue;
            }
        }
        all.push((deleted, inserted));
    }
    all
}

/// A line that is read from start to end.
struct Line<'a, 'b> {
    pieces: &'b [Piece<'a>],
    tokens: Vec<Token>,
    /// Number of pieces read so far; `word` is the number of words among them.
    at: usize,
    word: usize,
    /// The open elements at the current position.
    open: Vec<(&'a str, &'a str)>,
}

impl<'a, 'b> Line<'a, 'b> {
    fn new(pieces: &'b [Piece<'a>]) -> Self {
        let tokens = pieces.iter().filter_map(Piece::number).map(Token).collect();
        Self { pieces, tokens, at: 0, word: 0, open: Vec::new() }
    }

    fn next(&mut self) -> Option<&'b Piece<'a>> {
        let piece = self.pieces.get(self.at)?;
        self.at += 1;
        match piece {
            Piece::Open { name, start } => self.open.push((name, start)),
            Piece::Close { .. } => {
                self.open.pop();
            }
            Piece::Space(_) => {}
            Piece::Word { .. } | Piece::Object { .. } => self.word += 1,
        }
        Some(piece)
    }

    /// Whether white space or the end of the line comes before the next word.
    fn space_follows(&self) -> bool {
        let next =
            self.pieces[self.at..].iter().find(|piece| piece.number().is_some() || matches!(piece, Piece::Space(_)));
        next.is_none_or(|piece| piece.number().is_none())
    }

    /// Writes unchanged pieces up to a word, and the end tags after it.
    fn write_unchanged(&mut self, writer: &mut Writer, word: usize) {
        let began = self.word;
        while self.word < word
            && let Some(piece) = self.next()
        {
            plain(writer, piece);
        }
        while word < usize::MAX
            && began < self.word
            && matches!(self.pieces.get(self.at), Some(Piece::Close { .. }))
            && let Some(piece) = self.next()
        {
            plain(writer, piece);
        }
        writer.fresh |= self.word > began;
    }

    /// Writes inserted words.
    fn write_inserted(&mut self, writer: &mut Writer, inserted: Range<usize>) {
        let mut marked = false;
        let mut spaces: Vec<&str> = Vec::new();
        while self.word < inserted.end
            && let Some(piece) = self.next()
        {
            match piece {
                Piece::Space(html) if marked => spaces.push(html),
                Piece::Word { .. } | Piece::Object { .. } => {
                    if !marked {
                        let change_attribute = writer.change_attribute();
                        writer.raw(&format!("<ins class=\"gl-ins\"{change_attribute}>"));
                        marked = true;
                    }
                    spaces.drain(..).for_each(|html| writer.raw(html));
                    writer.done.inserted += if let Piece::Word { words, .. } = piece { *words } else { 0 };
                    plain(writer, piece);
                }
                piece => {
                    if std::mem::take(&mut marked) {
                        writer.raw("</ins>");
                    }
                    spaces.drain(..).for_each(|html| writer.raw(html));
                    plain(writer, piece);
                }
            }
        }
        if marked {
            writer.raw("</ins>");
        }
        spaces.drain(..).for_each(|html| writer.raw(html));
    }

    /// Writes deleted words at the current position of the newer line. `room`: whether no white space follows there.
    fn write_deleted(&mut self, writer: &mut Writer, words: Range<usize>, newer: &Line<'_, '_>, room: bool) {
        while self.word < words.start {
            self.next();
        }
        let in_link = newer.open.iter().any(|(name, _)| *name == "a");
        let change_attribute = writer.change_attribute();
        writer.raw(&format!("<del class=\"gl-del\"{change_attribute}>"));
        // White space and breaks before the first word come before its tags.
        while let Some(piece) = self.pieces.get(self.at).filter(|piece| piece.number().is_none()) {
            if let Piece::Space(html) = piece {
                writer.raw(&deleted_html(html));
            }
            self.next();
        }
        // Names of the open elements in the mark; `None` for those that are not written.
        let mut open: Vec<Option<&str>> = Vec::new();
        for (name, start) in &self.open {
            let room = writer.tag_budget.checked_sub(start.len()).filter(|_| !(in_link && *name == "a"));
            writer.tag_budget = room.unwrap_or(writer.tag_budget);
            open.push(room.map(|_| opens(writer, name, start)));
        }
        while self.word < words.end
            && let Some(piece) = self.next()
        {
            match piece {
                Piece::Open { name, start } => {
                    let written = !(in_link && *name == "a");
                    open.push(written.then(|| opens(writer, name, start)));
                }
                Piece::Close { .. } => {
                    if let Some(name) = open.pop().flatten() {
                        writer.end(name);
                    }
                }
                Piece::Word { words, .. } => {
                    writer.done.deleted += words;
                    plain(writer, piece);
                }
                Piece::Object { html, .. } => writer.raw(&deleted_html(html)),
                Piece::Space(html) => writer.raw(&deleted_html(html)),
            }
        }
        open.into_iter().rev().flatten().for_each(|name| writer.end(name));
        if room && self.word < self.tokens.len() && self.space_follows() {
            writer.raw(" ");
        }
        writer.raw("</del>");
    }
}

/// Writes the start tag of a deleted element, and returns the name of its end tag.
fn opens<'a>(writer: &mut Writer, name: &'a str, start: &'a str) -> &'a str {
    let (name, start) = deleted_tag(name, start);
    writer.raw(&start);
    name
}

fn plain(writer: &mut Writer, piece: &Piece<'_>) {
    match piece {
        Piece::Open { start, .. } => writer.raw(start),
        Piece::Close { name } => writer.end(name),
        Piece::Object { html, .. } => writer.raw(html),
        Piece::Space(html) | Piece::Word { html, .. } => writer.raw(html),
    }
}
