use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A passage of an article: its words, what stood around it, and how many UTF-16 units of the article's text stood before it. White
/// space is one blank each.
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

/// A passage that the reader has marked, or what they wrote about it or about the whole article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Note {
    pub id: i64,
    /// `None`: it is on the whole article.
    pub quote: Option<Quote>,
    pub color: NoteColor,
    /// Plain or Markdown; empty where the passage is only marked.
    pub text: String,
    /// Unix milliseconds.
    pub created: i64,
    /// When its text was written last, Unix milliseconds.
    pub changed: i64,
}

/// A note has at most 100 kB, a passage 20 kB, an article 10,000 notes.
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

/// A note on a whole article that says nothing any more is taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChangeNote {
    pub note_id: i64,
    /// `null`: leave as it is.
    pub color: Option<NoteColor>,
    pub text: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteId {
    pub note_id: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NotesOf {
    pub article_ids: Vec<i64>,
}
