//! Parses transcripts of recordings (`podcast:transcript`): WebVTT (www.w3.org/TR/webvtt1), SubRip, the JSON and HTML
//! formats of Podcasting 2.0 (github.com/Podcastindex-org/podcast-namespace, transcripts), and plain text.

use crate::{bounded_json, model::Passage, modules::duration, text};
use gleaner_html::{charset, elements, tokens};
use serde_json::Value;
use std::collections::HashMap;

/// Maximum number of passages.
const MAX_PASSAGES: usize = 20_000;
/// Maximum number of values that are read of a JSON document: those of all passages.
const MAX_VALUES: usize = 8 * MAX_PASSAGES;
/// Length up to which short cues are joined, in bytes.
const MAX_JOINED: usize = 400;
/// Pause after which a new passage begins, in seconds.
const PAUSE: f64 = 2.0;
/// Maximum length of a speaker's name, in bytes.
const MAX_NAME: usize = 200;
/// Maximum length of a speaker's name at the beginning of a line, in characters.
const MAX_WRITTEN_NAME: usize = 40;
/// Maximum number of words of such a name.
const MAX_NAME_WORDS: usize = 4;
/// Number of passages at the beginning in which the first speaker is named, if speakers are named at all.
const OPENING: usize = 10;

/// Returns the passages of a transcript in their order; `None` if the document has none.
///
/// Cues are often parts of sentences or single words, and are joined to sentences.
#[must_use]
pub fn transcript(bytes: &[u8], content_type: Option<&str>) -> Option<Vec<Passage>> {
    let text = charset::decode_page(bytes, content_type);
    let text = text.trim_start_matches('\u{feff}').trim();
    let html = content_type.is_some_and(|kind| kind.to_ascii_lowercase().contains("html")) || text.starts_with('<');
    let cues = if text.starts_with('{') {
        json(text)?
    } else if let Some(cues) = text.starts_with('[').then(|| json(text)).flatten() {
        cues
    } else if html {
        self::html(text)
    } else if text.starts_with("WEBVTT") || text.lines().any(|line| times(line).is_some()) {
        timed(text)
    } else {
        plain(text)
    };
    let passages = joined(cues);
    (!passages.is_empty()).then_some(passages)
}

/// Reads WebVTT or SubRip: blocks with a line of times, then text.
fn timed(text: &str) -> Vec<Passage> {
    let mut cues: Vec<Passage> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((start, end)) = times(line) else { continue };
        let mut words = String::new();
        while let Some(line) = lines.next_if(|line| !line.trim().is_empty() && times(line).is_none()) {
            words.push_str(line);
            words.push('\n');
        }
        let (speaker, text) = voiced(&words);
        cues.push(Passage { start: Some(start), end: Some(end), speaker, text });
        if cues.len() >= MAX_PASSAGES {
            break;
        }
    }
    if cues.iter().all(|cue| cue.speaker.is_none()) {
        cues = with_written_names(cues);
    }
    for cue in &mut cues {
        cue.text = text::collapse(&cue.text);
    }
    cues
}

/// Takes the names of speakers from the beginnings of lines (`Ada: Good morning`). One of them is in the opening and begins several lines, so
/// that sentences with a colon (`He said: no`) stay as they are. A name is written where the speaker changes, and applies until the next one.
fn with_written_names(cues: Vec<Passage>) -> Vec<Passage> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (name, _) in cues.iter().flat_map(|cue| cue.text.lines()).filter_map(written_name) {
        *counts.entry(name).or_default() += 1;
    }
    let opening = cues.iter().take(OPENING).flat_map(|cue| cue.text.lines()).filter_map(written_name);
    if opening.filter_map(|(name, _)| counts.get(name)).all(|count| *count < 2) {
        return cues;
    }
    // Next to other speakers, someone may speak only once.
    counts.retain(|name, count| *count > 1 || is_full_name(name));
    let mut speaker = None;
    let mut passages: Vec<Passage> = Vec::with_capacity(cues.len());
    for cue in &cues {
        let first = passages.len();
        for line in cue.text.lines() {
            let named = written_name(line).filter(|(name, _)| counts.contains_key(name));
            if let Some((name, _)) = named {
                speaker = Some(name.to_owned());
            }
            let words = named.map_or(line, |(_, words)| words);
            match passages.get_mut(first..).and_then(<[Passage]>::last_mut).filter(|_| named.is_none()) {
                Some(last) => {
                    last.text.push('\n');
                    last.text.push_str(words);
                }
                None => passages.push(Passage {
                    start: cue.start,
                    end: cue.end,
                    speaker: speaker.clone(),
                    text: words.to_owned(),
                }),
            }
        }
        if passages.len() >= MAX_PASSAGES {
            break;
        }
    }
    passages.truncate(MAX_PASSAGES);
    passages
}

/// Returns whether a text is several words with capitals, as in a name with a surname.
fn is_full_name(name: &str) -> bool {
    let mut words = name.split_whitespace();
    words.clone().count() > 1 && words.all(|word| word.starts_with(char::is_uppercase))
}

/// Returns a possible name of a speaker before a colon, and the text after it.
fn written_name(line: &str) -> Option<(&str, &str)> {
    let (name, words) = line.split_once([':', '：'])?;
    // Not the colon of a time or an address.
    if !line.get(name.len()..)?.starts_with('：') && !words.is_empty() && !words.starts_with(char::is_whitespace) {
        return None;
    }
    let name = name.trim_start_matches(['-', '–', '>', ' ']).trim_end();
    let is_name = name.starts_with(|first: char| first.is_alphabetic() && !first.is_lowercase())
        && name.chars().all(|c| c.is_alphanumeric() || " .'’-_()&·・#".contains(c))
        && name.split_whitespace().count() <= MAX_NAME_WORDS
        && name.chars().count() <= MAX_WRITTEN_NAME;
    is_name.then(|| (name, words.trim_start()))
}

/// Parses `00:00:01.000 --> 00:00:04.000 align:start`.
fn times(line: &str) -> Option<(f64, f64)> {
    let (start, rest) = line.split_once("-->")?;
    let end = rest.split_whitespace().next()?;
    Some((time(start)?, time(end)?))
}

fn time(written: &str) -> Option<f64> {
    let written = written.trim();
    written.contains(':').then(|| duration(&written.replace(',', ".")))?
}

/// Returns the speaker of a WebVTT cue (`<v Ada>`), and its lines without tags.
fn voiced(cue: &str) -> (Option<String>, String) {
    let (mut speaker, mut plain, mut rest) = (None, String::new(), cue);
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        let Some(end) = tag.find('>') else { break };
        plain.push_str(before);
        let (tag, after) = tag.split_at(end + 1);
        // Classes may follow the name of the tag: `<v.loud Ada>`.
        let inner = tag.trim_start_matches('<').trim_end_matches('>');
        if let Some((name, annotation)) = inner.split_once([' ', '\t'])
            && name.split('.').next() == Some("v")
            && speaker.is_none()
        {
            speaker = self::name(annotation);
        }
        rest = after;
    }
    plain.push_str(rest);
    (speaker, gleaner_html::references::decode(&plain).into_owned())
}

/// Returns a name on one line, without the colon after it.
fn name(written: &str) -> Option<String> {
    let name = text::line(gleaner_html::references::decode(written).trim().trim_end_matches(':'))?;
    (name.len() <= MAX_NAME).then_some(name)
}

/// Reads the JSON of Podcasting 2.0, and what speech recognition writes (`start`, `end`, `text`).
fn json(text: &str) -> Option<Vec<Passage>> {
    let is_known = |name: &str| {
        matches!(name, "segments" | "startTime" | "start" | "endTime" | "end" | "speaker" | "body" | "text")
    };
    let document = bounded_json::read(text.as_bytes(), MAX_VALUES, is_known).ok()?;
    let list = document.get("segments").unwrap_or(&document).as_array()?;
    let cues = list.iter().take(MAX_PASSAGES).filter_map(|segment| {
        let any = |keys: [&str; 2]| keys.into_iter().find_map(|key| segment.get(key));
        let seconds = |value: Option<&Value>| match value? {
            Value::Number(number) => number.as_f64().filter(|seconds| seconds.is_finite() && *seconds >= 0.0),
            Value::String(written) => duration(&written.replace(',', ".")),
            _ => None,
        };
        Some(Passage {
            start: seconds(any(["startTime", "start"])),
            end: seconds(any(["endTime", "end"])),
            speaker: segment.get("speaker").and_then(Value::as_str).and_then(name),
            text: text::collapse(any(["body", "text"])?.as_str()?),
        })
    });
    Some(cues.collect())
}

/// Reads HTML: paragraphs, before them the speaker in `cite` and the time in `time`.
fn html(source: &str) -> Vec<Passage> {
    let mut cues = Vec::new();
    let mut cue = Passage::default();
    let (mut inside, mut written) = (None, String::new());
    for token in tokens::Tokens::new(source) {
        match token {
            tokens::Token::Start(tag) if matches!(&*tag.name, "cite" | "time") => {
                // The next speaker or time begins a passage.
                finish(&mut cue, &mut written, &mut cues);
                inside = Some(tag.name.into_owned());
            }
            tokens::Token::End(name) if inside.as_deref() == Some(&*name) => {
                let part = std::mem::take(&mut written);
                match &*name {
                    "cite" => cue.speaker = self::name(&part),
                    _ => cue.start = duration(&part).or(cue.start),
                }
                inside = None;
            }
            tokens::Token::Start(tag) if tag.name == "br" => written.push('\n'),
            tokens::Token::Start(tag) if elements::is_block(&tag.name) => finish(&mut cue, &mut written, &mut cues),
            tokens::Token::End(name) if elements::is_block(&name) => finish(&mut cue, &mut written, &mut cues),
            tokens::Token::Text(text) => written.push_str(&gleaner_html::references::decode(text)),
            _ => {}
        }
        if cues.len() >= MAX_PASSAGES {
            return cues;
        }
    }
    finish(&mut cue, &mut written, &mut cues);
    cues
}

/// Adds a passage if it has text; data about the next one stays.
fn finish(cue: &mut Passage, written: &mut String, cues: &mut Vec<Passage>) {
    let text = text::collapse(&std::mem::take(written));
    if !text.is_empty() {
        cues.push(Passage { text, ..std::mem::take(cue) });
    }
}

/// Reads plain text: a passage for each paragraph, or for each line if there are no paragraphs.
fn plain(text: &str) -> Vec<Passage> {
    let text = text.replace("\r\n", "\n");
    let by = if text.contains("\n\n") { "\n\n" } else { "\n" };
    let passage = |part: &str| Passage { text: text::collapse(part), ..Passage::default() };
    text.split(by).map(passage).filter(|passage| !passage.text.is_empty()).take(MAX_PASSAGES).collect()
}

/// Joins timed cues of a speaker to sentences.
fn joined(cues: Vec<Passage>) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    for cue in cues {
        if cue.text.is_empty() {
            continue;
        }
        if let Some(last) = passages.last_mut().filter(|last| continues(last, &cue)) {
            if needs_space(&last.text, &cue.text) {
                last.text.push(' ');
            }
            last.text.push_str(&cue.text);
            last.end = cue.end.or(last.end);
        } else {
            passages.push(cue);
        }
    }
    passages
}

fn continues(last: &Passage, cue: &Passage) -> bool {
    let (Some(_), Some(start)) = (last.start, cue.start) else { return false };
    let same = cue.speaker.is_none() || cue.speaker == last.speaker;
    let soon = last.end.is_none_or(|end| start - end < PAUSE);
    let ended = last
        .text
        .trim_end_matches(['"', '\'', '”', '’', '»', ')', '」', '』'])
        .ends_with(['.', '!', '?', '…', '。', '！', '？']);
    same && soon && !ended && last.text.len() + cue.text.len() < MAX_JOINED
}

/// Returns whether a space belongs between two parts of a text: not before punctuation, nor in Chinese and Japanese.
fn needs_space(before: &str, after: &str) -> bool {
    let wide = |c: Option<char>| {
        c.is_some_and(|c| matches!(c, '\u{3000}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}'))
    };
    let (last, first) = (before.chars().next_back(), after.chars().next());
    !wide(last) && !wide(first) && !first.is_some_and(|c| matches!(c, '.' | ',' | '!' | '?' | ';' | ':' | '…' | '%'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Start, speaker and text of each passage.
    fn read(document: &str, content_type: Option<&str>) -> Vec<(Option<f64>, Option<String>, String)> {
        let found = transcript(document.as_bytes(), content_type).unwrap_or_default();
        found.into_iter().map(|passage| (passage.start, passage.speaker, passage.text)).collect()
    }

    fn passage(start: impl Into<Option<f64>>, speaker: &str, text: &str) -> (Option<f64>, Option<String>, String) {
        (start.into(), (!speaker.is_empty()).then(|| speaker.to_owned()), text.to_owned())
    }

    #[test]
    fn reads_webvtt_with_voices() {
        let vtt = "WEBVTT - A talk\n\nNOTE nothing\nto show\n\nSTYLE\n::cue { color: red }\n\n1\n00:01.500 --> 00:04.000 align:start\n\
            <v.loud Ada Lovelace>Good <i>morning</i>,\n\n00:00:04.000 --> 00:00:05.000\neverybody &amp; welcome.\n\n\
            01:00:05.000 --> 01:00:06.000\r\n<v Charles>Thank <00:00:05.500>you</v>\r\n";
        let expected = [
            passage(1.5, "Ada Lovelace", "Good morning, everybody & welcome."),
            passage(3605.0, "Charles", "Thank you"),
        ];
        assert_eq!(read(vtt, Some("text/vtt")), expected);
    }

    #[test]
    fn reads_subrip_without_empty_lines_and_with_numbers() {
        let srt = "1\r\n00:00:00,000 --> 00:00:02,000\r\nHello there.\r\n\r\n2\r\n00:00:02,000 --> 00:00:03,250\r\nHow are\r\nyou?\r\n";
        let expected = [passage(0.0, "", "Hello there."), passage(2.0, "", "How are you?")];
        assert_eq!(read(srt, Some("application/srt")), expected);
    }

    #[test]
    fn reads_speakers_at_the_beginning_of_lines() {
        let srt = "1\n00:00:00,000 --> 00:00:02,000\nAda Lovelace: Good morning.\n\n\
            2\n00:00:02,000 --> 00:00:03,000\nToday it is about one thing: engines.\n\n\
            3\n00:00:03,000 --> 00:00:04,000\nSPEAKER_01: At 10:30?\nAda Lovelace: Yes: at 10:30.\n\n\
            4\n00:00:04,000 --> 00:00:05,000\nSPEAKER_01:\nWell then.\n\n\
            5\n00:00:05,000 --> 00:00:06,000\nhttps://a.example is the address.\n\n\
            6\n00:00:06,000 --> 00:00:07,000\nRemember: be on time.\n\n\
            7\n00:00:07,000 --> 00:00:08,000\nBo Barley: Of course.\n";
        let expected = [
            passage(0.0, "Ada Lovelace", "Good morning."),
            passage(2.0, "Ada Lovelace", "Today it is about one thing: engines."),
            passage(3.0, "SPEAKER_01", "At 10:30?"),
            passage(3.0, "Ada Lovelace", "Yes: at 10:30."),
            passage(4.0, "SPEAKER_01", "Well then."),
            passage(5.0, "SPEAKER_01", "https://a.example is the address."),
            passage(6.0, "SPEAKER_01", "Remember: be on time."),
            passage(7.0, "Bo Barley", "Of course."),
        ];
        assert_eq!(read(srt, Some("application/x-subrip")), expected);
        let japanese = "WEBVTT\n\n00:01.000 --> 00:02.000\n佐藤：おはよう。\n\n00:02.000 --> 00:03.000\n鈴木：はい。\n\n\
            00:03.000 --> 00:04.000\n佐藤：では。\n\n00:04.000 --> 00:05.000\n鈴木：では。\n";
        let expected = [
            passage(1.0, "佐藤", "おはよう。"),
            passage(2.0, "鈴木", "はい。"),
            passage(3.0, "佐藤", "では。"),
            passage(4.0, "鈴木", "では。"),
        ];
        assert_eq!(read(japanese, None), expected);
    }

    #[test]
    fn sentences_with_a_colon_name_no_speaker() {
        let srt = "1\n00:00:00,000 --> 00:00:02,000\nNote: this is old.\n\n2\n00:00:02,000 --> 00:00:03,000\nThe end, so: bye.\n\n\
            3\n00:00:03,000 --> 00:00:04,000\nThe end, so: bye.\n";
        let expected = [
            passage(0.0, "", "Note: this is old."),
            passage(2.0, "", "The end, so: bye."),
            passage(3.0, "", "The end, so: bye."),
        ];
        assert_eq!(read(srt, None), expected);
        // Also where a sentence begins twice in the same way, in an hour without names.
        let cue = |number: usize| match number {
            60 | 61 => format!("{number}\n00:00:{number},000 --> 00:01:00,000\nHe said: well.\n\n"),
            _ => format!("{number}\n00:00:{number},000 --> 00:01:00,000\nWell.\n\n"),
        };
        let srt: String = (10..70).map(cue).collect();
        let passages = read(&srt, None);
        assert!(passages.iter().all(|(_, speaker, _)| speaker.is_none()), "{passages:?}");
        assert_eq!(passages.iter().filter(|(.., text)| text.contains("He said: well.")).count(), 2);
        // If voices are marked, a colon is only text.
        let vtt =
            "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Note: one.\n\n00:02.000 --> 00:03.000\n<v Ada>Note: two.\n";
        assert_eq!(read(vtt, None), [passage(1.0, "Ada", "Note: one."), passage(2.0, "Ada", "Note: two.")]);
    }

    #[test]
    fn joins_the_words_of_json_to_sentences() {
        let json = r#"{"version":"1.0.0","segments":[
            {"speaker":"Ada","startTime":0.5,"endTime":0.75,"body":"I"},{"speaker":"Ada","startTime":0.8,"endTime":1,"body":"see"},
            {"speaker":"Ada","startTime":1,"endTime":1.1,"body":","},{"speaker":"Ada","startTime":1.1,"endTime":1.5,"body":"yes."},
            {"speaker":"Ada","startTime":1.6,"endTime":2,"body":"So"},{"speaker":"Charles","startTime":2,"endTime":3,"body":"No"},
            {"startTime":9,"endTime":10,"body":"A pause"},{"startTime":"00:01:00,5","body":" "},{"startTime":1},7]}"#;
        let expected = [
            passage(0.5, "Ada", "I see, yes."),
            passage(1.6, "Ada", "So"),
            passage(2.0, "Charles", "No"),
            passage(9.0, "", "A pause"),
        ];
        assert_eq!(read(json, Some("application/json")), expected);
        let recognised = r#"{"text":"こんにちは","segments":[{"start":0,"end":1,"text":"こん"},{"start":1,"end":2,"text":"にちは"}]}"#;
        assert_eq!(read(recognised, None), [passage(0.0, "", "こんにちは")]);
    }

    #[test]
    fn reads_html_with_speakers_and_times() {
        let html = "<html><head><title>No</title><style>p{}</style></head><body><cite>Ada:</cite><time>0:05</time><p>Good &amp; well</p>\
            <cite>Charles</cite><time>1:02:03</time><p>Thank<br>you <b>all</b></p><p>And more</p></body></html>";
        let expected = [
            passage(5.0, "Ada", "Good & well"),
            passage(3723.0, "Charles", "Thank you all"),
            passage(None, "", "And more"),
        ];
        assert_eq!(read(html, Some("text/html; charset=utf-8")), expected);
    }

    #[test]
    fn reads_paragraphs_of_plain_text() {
        let expected = [passage(None, "", "One two"), passage(None, "", "three")];
        assert_eq!(read("One\r\ntwo\r\n\r\n\r\nthree\r\n", Some("text/plain")), expected);
        assert_eq!(read("One two\nthree", None), expected);
        assert_eq!(read("[Music]\n\nHello", None), [passage(None, "", "[Music]"), passage(None, "", "Hello")]);
        assert_eq!(read("A --> B", None), [passage(None, "", "A --> B")], "an arrow is not a time");
    }

    #[test]
    fn rejects_documents_without_text() {
        for document in ["", "WEBVTT\n\n", "{}", "[]", "{\"segments\":1}", "<html></html>", "00:01 --> 00:02\n\n", "{"]
        {
            assert_eq!(transcript(document.as_bytes(), None), None, "{document}");
        }
    }

    #[test]
    fn limits_the_number_of_passages() {
        let vtt = "00:01.000 --> 00:02.000\nA.\n\n".repeat(MAX_PASSAGES + 10);
        assert_eq!(read(&vtt, None).len(), MAX_PASSAGES);
        let plain = "A.\n\n".repeat(MAX_PASSAGES + 10);
        assert_eq!(read(&plain, None).len(), MAX_PASSAGES);
        let html = "<p>A.</p>".repeat(MAX_PASSAGES + 10);
        assert_eq!(read(&html, None).len(), MAX_PASSAGES);
    }

    #[test]
    fn a_cue_of_very_many_lines_takes_linear_time() {
        let cue = |lines: usize| format!("00:01.000 --> 00:02.000\n{}", "Ada: Good morning.\n".repeat(lines));
        gleaner_cpu_time::assert_linear("lines of a cue", 4_000, cue, |vtt| {
            assert!(transcript(vtt.as_bytes(), None).is_some_and(|passages| !passages.is_empty()));
        });
        let many = read(&cue(MAX_PASSAGES + 10), None);
        assert_eq!((many.len(), many[0].2.as_str()), (MAX_PASSAGES, "Good morning."));
    }
}
