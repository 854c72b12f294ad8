//! What exactly was repaired: a stable code and its values.

use std::fmt::{self, Display, Formatter};

/// The detail of a repair. [`RepairDetail::code`] and [`RepairDetail::values`] are for message catalogues; `Display` is
/// short English for the inspect report and logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RepairDetail {
    /// No further detail.
    None,
    /// The affected text of the document, such as an entity, a prefix or a character code.
    Text(String),
    /// White space before the document.
    WhiteSpace,
    /// The XML parser's own message.
    XmlError(String),
    /// The declared encoding is unknown or impossible.
    DeclaredEncoding(String),
    /// HTTP declares UTF-8, but the document has another encoding.
    NotUtf8AsDeclared,
    /// Another encoding is declared, but the document is UTF-8.
    DeclaredButUtf8(&'static str),
    /// Some bytes are invalid in this encoding.
    InvalidBytes(&'static str),
    /// The document is not UTF-8 but in this encoding.
    OtherEncoding(&'static str),
    /// Text after the end of the feed.
    AfterFeed(String),
    /// A superfluous comma in JSON.
    SuperfluousComma,
    /// A superfluous colon in JSON.
    SuperfluousColon,
    /// A missing comma in JSON.
    MissingComma,
    /// A name without a value in JSON.
    NameWithoutValue,
    /// A comment in JSON.
    Comment,
    /// A line break or tab within a JSON string.
    LineBreakInString,
    /// A JSON string without an end.
    UnterminatedString,
    /// Half of a surrogate pair in a JSON string.
    UnpairedSurrogate,
    /// An invalid escape in a JSON string.
    InvalidEscape,
    /// A word that is not a JSON value.
    InvalidValue(String),
    /// A closing bracket of the wrong kind.
    WrongBracket {
        /// The bracket in the document.
        found: char,
        /// The correct bracket.
        expected: char,
    },
    /// A closing bracket without an opening one.
    UnmatchedBracket(char),
    /// The document ends within a JSON value.
    EndsWithinValue,
    /// The document ends within an element.
    EndsWithinElement,
    /// The document ends within a tag.
    EndsWithinTag,
    /// A CDATA section without an end.
    UnterminatedCdata,
    /// A comment without an end.
    UnterminatedComment,
    /// A processing instruction without an end.
    UnterminatedInstruction,
    /// An unknown declaration (`<!…>`).
    UnknownDeclaration,
    /// Text outside of the root element.
    OutsideRoot(String),
    /// An unescaped `<`.
    UnescapedLessThan,
    /// A malformed tag that could be read.
    MalformedTag,
    /// A tag that could not be read.
    UnreadableTag,
    /// A second root element.
    SecondRoot,
    /// An item within another one; the name of the element.
    NestedItem(String),
    /// An item within an element of the channel; the name of the item.
    ItemInChannelElement(String),
    /// An element without an end tag.
    NotClosed(String),
    /// An end tag that also closes elements within.
    ClosesOthers(String),
    /// An end tag without a start tag.
    EndWithoutStart(String),
    /// The document has too many items; how many were left out.
    TooManyItems(usize),
    /// Lists of an item are too long, or data that the feed states once would have been repeated too often in its items.
    RepeatedTooMuch,
    /// Folders of a list are too deep or too many; their feeds are in the folders above.
    FoldersFlattened,
}

impl RepairDetail {
    /// Returns a stable snake_case code; empty if there is no detail.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::None => "",
            Self::Text(_) => "text",
            Self::WhiteSpace => "white_space",
            Self::XmlError(_) => "xml_error",
            Self::DeclaredEncoding(_) => "declared_encoding",
            Self::NotUtf8AsDeclared => "not_utf8_as_declared",
            Self::DeclaredButUtf8(_) => "declared_but_utf8",
            Self::InvalidBytes(_) => "invalid_bytes",
            Self::OtherEncoding(_) => "other_encoding",
            Self::AfterFeed(_) => "after_feed",
            Self::SuperfluousComma => "superfluous_comma",
            Self::SuperfluousColon => "superfluous_colon",
            Self::MissingComma => "missing_comma",
            Self::NameWithoutValue => "name_without_value",
            Self::Comment => "comment",
            Self::LineBreakInString => "line_break_in_string",
            Self::UnterminatedString => "unterminated_string",
            Self::UnpairedSurrogate => "unpaired_surrogate",
            Self::InvalidEscape => "invalid_escape",
            Self::InvalidValue(_) => "invalid_value",
            Self::WrongBracket { .. } => "wrong_bracket",
            Self::UnmatchedBracket(_) => "unmatched_bracket",
            Self::EndsWithinValue => "ends_within_value",
            Self::EndsWithinElement => "ends_within_element",
            Self::EndsWithinTag => "ends_within_tag",
            Self::UnterminatedCdata => "unterminated_cdata",
            Self::UnterminatedComment => "unterminated_comment",
            Self::UnterminatedInstruction => "unterminated_instruction",
            Self::UnknownDeclaration => "unknown_declaration",
            Self::OutsideRoot(_) => "outside_root",
            Self::UnescapedLessThan => "unescaped_less_than",
            Self::MalformedTag => "malformed_tag",
            Self::UnreadableTag => "unreadable_tag",
            Self::SecondRoot => "second_root",
            Self::NestedItem(_) => "nested_item",
            Self::ItemInChannelElement(_) => "item_in_channel_element",
            Self::NotClosed(_) => "not_closed",
            Self::ClosesOthers(_) => "closes_others",
            Self::EndWithoutStart(_) => "end_without_start",
            Self::TooManyItems(_) => "too_many_items",
            Self::RepeatedTooMuch => "repeated_too_much",
            Self::FoldersFlattened => "folders_flattened",
        }
    }

    /// Returns the values of the message: text of the document, or names of elements and encodings.
    #[must_use]
    pub fn values(&self) -> Vec<String> {
        match self {
            Self::Text(value)
            | Self::XmlError(value)
            | Self::DeclaredEncoding(value)
            | Self::AfterFeed(value)
            | Self::InvalidValue(value)
            | Self::OutsideRoot(value)
            | Self::NestedItem(value)
            | Self::ItemInChannelElement(value)
            | Self::NotClosed(value)
            | Self::ClosesOthers(value)
            | Self::EndWithoutStart(value) => vec![value.clone()],
            Self::DeclaredButUtf8(value) | Self::InvalidBytes(value) | Self::OtherEncoding(value) => {
                vec![(*value).to_owned()]
            }
            Self::WrongBracket { found, expected } => vec![found.to_string(), expected.to_string()],
            Self::UnmatchedBracket(bracket) => vec![bracket.to_string()],
            Self::TooManyItems(count) => vec![count.to_string()],
            _ => Vec::new(),
        }
    }
}

impl Display for RepairDetail {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Text(text) | Self::XmlError(text) => f.write_str(text),
            Self::WhiteSpace => f.write_str("white space"),
            Self::DeclaredEncoding(label) => write!(f, "declared as {label}"),
            Self::NotUtf8AsDeclared => f.write_str("not UTF-8 as declared by HTTP"),
            Self::DeclaredButUtf8(name) => write!(f, "declared as {name}, but is UTF-8"),
            Self::InvalidBytes(name) => write!(f, "bytes that are not {name}"),
            Self::OtherEncoding(name) => write!(f, "not UTF-8, but {name}"),
            Self::AfterFeed(text) => write!(f, "after the feed: {text}"),
            Self::SuperfluousComma => f.write_str("superfluous comma"),
            Self::SuperfluousColon => f.write_str("superfluous colon"),
            Self::MissingComma => f.write_str("missing comma"),
            Self::NameWithoutValue => f.write_str("name without a value"),
            Self::Comment => f.write_str("comment"),
            Self::LineBreakInString => f.write_str("line break or tab in a string"),
            Self::UnterminatedString => f.write_str("unterminated string"),
            Self::UnpairedSurrogate => f.write_str("unpaired surrogate"),
            Self::InvalidEscape => f.write_str("invalid escape"),
            Self::InvalidValue(word) => write!(f, "invalid value: {word}"),
            Self::WrongBracket { found, expected } => write!(f, "{found} instead of {expected}"),
            Self::UnmatchedBracket(bracket) => write!(f, "{bracket} without an opening bracket"),
            Self::EndsWithinValue => f.write_str("the document ends within a value"),
            Self::EndsWithinElement => f.write_str("the document ends within an element"),
            Self::EndsWithinTag => f.write_str("the document ends within a tag"),
            Self::UnterminatedCdata => f.write_str("unterminated CDATA section"),
            Self::UnterminatedComment => f.write_str("unterminated comment"),
            Self::UnterminatedInstruction => f.write_str("unterminated processing instruction"),
            Self::UnknownDeclaration => f.write_str("unknown declaration"),
            Self::OutsideRoot(text) => write!(f, "text outside the document: {text}"),
            Self::UnescapedLessThan => f.write_str("unescaped <"),
            Self::MalformedTag => f.write_str("malformed tag"),
            Self::UnreadableTag => f.write_str("unreadable tag"),
            Self::SecondRoot => f.write_str("second root element"),
            Self::NestedItem(name) => write!(f, "<{name}> within <{name}>"),
            Self::ItemInChannelElement(name) => write!(f, "<{name}> within an element of the channel"),
            Self::NotClosed(name) => write!(f, "<{name}> was not closed"),
            Self::ClosesOthers(name) => write!(f, "</{name}> also closes the elements within"),
            Self::EndWithoutStart(name) => write!(f, "</{name}> without a start tag"),
            Self::TooManyItems(count) => write!(f, "too many items: {count} were left out"),
            Self::RepeatedTooMuch => {
                f.write_str("too many values of an item, or too much text that all items repeat: the rest was left out")
            }
            Self::FoldersFlattened => {
                f.write_str("the folders are too deep or too many: the feeds of some are in the folder above")
            }
        }
    }
}

/// Text of the document. Long texts are truncated.
impl From<&str> for RepairDetail {
    fn from(text: &str) -> Self {
        match text {
            "" => Self::None,
            text => Self::Text(truncated(text)),
        }
    }
}

impl From<String> for RepairDetail {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

/// Returns a text of the document, truncated to 120 bytes.
pub(crate) fn truncated(text: &str) -> String {
    text.get(..text.floor_char_boundary(120)).unwrap_or_default().to_owned()
}
