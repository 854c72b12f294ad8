//! The words of a line that came and went.

use super::{
    Writer,
    pairs::hunks,
    tree::{Piece, gone, gone_tag},
};
use imara_diff::Token;
use std::ops::Range;

/// So many words between two long changes are chance.
const CHANCE: usize = 3;

/// A line of the newer text, with what went from the older one.
pub(super) fn write(writer: &mut Writer, older: &[Piece<'_>], newer: &[Piece<'_>]) {
    let mut old = Line::new(older);
    let mut new = Line::new(newer);
    for (gone, came) in changes(&old.tokens, &new.tokens) {
        new.stay(writer, came.start);
        if !gone.is_empty() {
            let room = !new.space_follows();
            old.go(writer, gone, &new, room);
        }
        new.come(writer, came);
    }
    new.stay(writer, usize::MAX);
}

/// What differs, with words that are the same by chance counted in.
fn changes(old: &[Token], new: &[Token]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut all: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (gone, came) in hunks(old, new) {
        if let Some((before, after)) = all.last_mut() {
            let between = gone.start - before.end;
            let least = (before.len() + after.len()).min(gone.len() + came.len());
            if between <= CHANCE && 4 * between <= least {
                before.end = gone.end;
                after.end = came.end;
                continue;
            }
        }
        all.push((gone, came));
    }
    all
}

/// A line that is read from its start to its end.
struct Line<'a, 'b> {
    pieces: &'b [Piece<'a>],
    tokens: Vec<Token>,
    /// Pieces that are behind us, and how many of them are words.
    at: usize,
    word: usize,
    /// The elements around the place where we are.
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

    /// Whether there is white space before the next word, or no word.
    fn space_follows(&self) -> bool {
        let next =
            self.pieces[self.at..].iter().find(|piece| piece.number().is_some() || matches!(piece, Piece::Space(_)));
        next.is_none_or(|piece| piece.number().is_none())
    }

    /// Writes what stayed, up to a word, and the ends of elements after it.
    fn stay(&mut self, writer: &mut Writer, word: usize) {
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

    /// Writes words that came.
    fn come(&mut self, writer: &mut Writer, came: Range<usize>) {
        let mut marked = false;
        let mut spaces: Vec<&str> = Vec::new();
        while self.word < came.end
            && let Some(piece) = self.next()
        {
            match piece {
                Piece::Space(html) if marked => spaces.push(html),
                Piece::Word { .. } | Piece::Object { .. } => {
                    if !marked {
                        let begins = writer.begins();
                        writer.raw(&format!("<ins class=\"gl-ins\"{begins}>"));
                        marked = true;
                    }
                    spaces.drain(..).for_each(|html| writer.raw(html));
                    writer.done.inserted += u32::from(matches!(piece, Piece::Word { counts: true, .. }));
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

    /// Writes words that went, at the place where the newer line is. `room`: nothing parts them there from what follows.
    fn go(&mut self, writer: &mut Writer, words: Range<usize>, newer: &Line<'_, '_>, room: bool) {
        while self.word < words.start {
            self.next();
        }
        let in_link = newer.open.iter().any(|(name, _)| *name == "a");
        let begins = writer.begins();
        writer.raw(&format!("<del class=\"gl-del\"{begins}>"));
        // White space and breaks before the first word; then what stands around that.
        while let Some(piece) = self.pieces.get(self.at).filter(|piece| piece.number().is_none()) {
            if let Piece::Space(html) = piece {
                writer.raw(&gone(html));
            }
            self.next();
        }
        // The tags that are open in the mark; of those that are not written, nothing.
        let mut open: Vec<Option<&str>> = Vec::new();
        for (name, start) in &self.open {
            let room = writer.around.checked_sub(start.len()).filter(|_| !(in_link && *name == "a"));
            writer.around = room.unwrap_or(writer.around);
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
                Piece::Word { counts, .. } => {
                    writer.done.deleted += u32::from(*counts);
                    plain(writer, piece);
                }
                Piece::Object { html, .. } => writer.raw(&gone(html)),
                Piece::Space(html) => writer.raw(&gone(html)),
            }
        }
        open.into_iter().rev().flatten().for_each(|name| writer.end(name));
        if room && self.word < self.tokens.len() && self.space_follows() {
            writer.raw(" ");
        }
        writer.raw("</del>");
    }
}

/// Writes the start of an element that went, and says what ends it.
fn opens<'a>(writer: &mut Writer, name: &'a str, start: &'a str) -> &'a str {
    let (name, start) = gone_tag(name, start);
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
