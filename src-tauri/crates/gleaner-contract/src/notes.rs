//! Highlights and notes.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A passage of an article: its text, the text around it, and its offset in UTF-16 units. Whitespace is collapsed to single
/// spaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Quote {
    pub exact: String,
    pub prefix: String,
    pub suffix: String,
    pub start: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum NoteColor {
    Yellow,
    Green,
    Blue,
    Pink,
}

/// A highlighted passage, or a note on a passage or on the whole article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Note {
    pub id: i64,
    /// `null` for a note on the whole article.
    pub quote: Option<Quote>,
    pub color: NoteColor,
    /// Plain text or Markdown; empty for a highlight without a note.
    pub text: String,
    /// Unix milliseconds.
    pub created: i64,
    /// When the text was last changed, in Unix milliseconds.
    pub changed: i64,
}

/// Adds a note. Limits: 100 kB per note, 20 kB per passage, 10,000 notes per article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AddNote {
    pub article_id: i64,
    pub quote: Option<Quote>,
    pub color: NoteColor,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct AddedNote {
    pub note: Note,
    pub undo: i64,
}

/// Changes a note. A note on a whole article is deleted if its text becomes empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChangeNote {
    pub note_id: i64,
    /// `null` leaves it unchanged.
    pub color: Option<NoteColor>,
    pub text: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteId {
    pub note_id: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NotesForArticles {
    pub article_ids: Vec<i64>,
}
