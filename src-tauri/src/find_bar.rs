//! The find bar of a window of an article. Its page has no scripts, so the bar is GTK's. WebKit's own highlights of matches cannot be
//! read in dark themes, so each match is selected in turn.

use gleaner_contract::FindWords;
use gtk::{
    Align, Container, IconSize, Orientation, ReliefStyle, SearchBar, SearchEntry, Widget, gdk, glib::Propagation,
    prelude::*,
};
use javascriptcore::ValueExt as _;
use webkit2gtk::{WebView, WebViewExt as _, gio::Cancellable};

/// Maximum number of matches that are counted.
const MAX_MATCHES: u32 = 1000;

/// Maximum number of milliseconds for counting in one search.
const COUNT_MILLIS: u32 = 200;

/// Where to search for a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Find {
    /// From the last match on, including it: the text in the field has changed.
    Here,
    Next,
    Previous,
}

/// Adds a hidden bar above a page. While the bar has the focus, `control` is called with each letter pressed with Ctrl, and returns whether
/// the window knows the key.
pub fn add(page: &WebView, words: &FindWords, control: impl Fn(char) -> bool + 'static) {
    let Some(around) = page.parent().and_downcast::<gtk::Box>() else {
        tracing::warn!("a window of an article has no find bar");
        return;
    };
    let bar = SearchBar::builder().show_close_button(true).build();
    let field = SearchEntry::builder().placeholder_text(&words.field).width_chars(28).build();
    let result = gtk::Label::builder().xalign(0.0).width_chars(12).build();
    let (previous, next) = (button(&words.previous, "go-up-symbolic"), button(&words.next, "go-down-symbolic"));
    let row = gtk::Box::builder().orientation(Orientation::Horizontal).spacing(6).halign(Align::Center).build();
    row.add(&field);
    row.add(&previous);
    row.add(&next);
    row.add(&result);
    bar.add(&row);
    bar.connect_entry(&field);
    around.pack_start(&bar, false, false, 0);
    around.reorder_child(&bar, 0);
    bar.show_all();

    let search = {
        let (page, field, words) = (page.clone(), field.clone(), words.clone());
        move |find: Find| {
            let result = result.clone();
            let words = words.clone();
            let text = field.text();
            if text.trim().is_empty() {
                result.set_text("");
                return;
            }
            let (script, field) = (script(&text, find), field.clone());
            page.evaluate_javascript(&script, None, None, None::<&Cancellable>, move |found| {
                // The user may have typed another text in the meantime.
                if field.text() == text {
                    result.set_text(&found.map_or_else(|_| words.none.clone(), |found| place(&words, &found.to_str())));
                }
            });
        }
    };
    let again = search.clone();
    field.connect_search_changed(move |_| again(Find::Here));
    let again = search.clone();
    next.connect_clicked(move |_| again(Find::Next));
    previous.connect_clicked(move |_| search(Find::Previous));
    let forward = next.clone();
    field.connect_activate(move |_| forward.clicked());
    let forward = next;
    field.connect_next_match(move |_| forward.clicked());
    let backward = previous.clone();
    field.connect_previous_match(move |_| backward.clicked());
    let own = field.clone();
    bar.connect_key_press_event(move |bar, key| {
        let letter = key.keyval().to_unicode().filter(|_| key.state().contains(gdk::ModifierType::CONTROL_MASK));
        match letter.map(|letter| letter.to_ascii_lowercase()) {
            // Selects its text, too.
            Some('f') => own.grab_focus(),
            Some(letter) if control(letter) => {}
            None if key.keyval() == gdk::keys::constants::Escape => bar.set_search_mode(false),
            _ => return Propagation::Proceed,
        }
        Propagation::Stop
    });
    field.connect_key_press_event(move |_, key| {
        let enter = matches!(key.keyval(), gdk::keys::constants::Return | gdk::keys::constants::KP_Enter);
        if !enter || !key.state().contains(gdk::ModifierType::SHIFT_MASK) {
            return Propagation::Proceed;
        }
        previous.clicked();
        Propagation::Stop
    });

    let own = page.clone();
    bar.connect_search_mode_enabled_notify(move |bar| {
        // While the bar is open, the selection is a match, and has the colours of matches in the main window.
        let finding = format!("document.documentElement.toggleAttribute('data-finding', {})", bar.is_search_mode());
        own.evaluate_javascript(&finding, None, None, None::<&Cancellable>, |_| {});
        if !bar.is_search_mode() {
            own.grab_focus();
        }
    });
}

fn button(name: &str, icon: &str) -> gtk::Button {
    let button = gtk::Button::from_icon_name(Some(icon), IconSize::Button);
    button.set_relief(ReliefStyle::None);
    button.set_tooltip_text(Some(name));
    if let Some(accessible) = button.accessible() {
        accessible.set_name(name);
    }
    button
}

/// Returns the text for a match from its number and the number of all, as the script returns them: "2/7", or "2/7+" for more than 7.
fn place(words: &FindWords, found: &str) -> String {
    let Some((place, count)) = found.split_once('/') else { return String::new() };
    let (text, count) = count.strip_suffix('+').map_or((&words.place, count), |count| (&words.more, count));
    text.replace("{place}", place).replace("{count}", count)
}

/// Returns the script that selects the text in the page, and throws if it is not there. It counts the matches by selecting each of them,
/// and then restores the selection and the scroll position. A match may take milliseconds, so counting stops after [`COUNT_MILLIS`] and
/// continues at the next search.
fn script(text: &str, find: Find) -> String {
    let text = serde_json::Value::from(text);
    // The match found last is selected.
    let begin =
        if find == Find::Here { "if (getSelection().rangeCount > 0) getSelection().collapseToStart();" } else { "" };
    format!(
        "(() => {{
            {begin}
            if (!find({text}, false, {back}, true)) throw new Error('not found');
            const selection = getSelection(), page = document.scrollingElement;
            if (selection.rangeCount === 0) return '';
            const match = selection.getRangeAt(0).cloneRange(), until = performance.now() + {COUNT_MILLIS};
            if (globalThis.found?.text !== {text}) globalThis.found = {{ text: {text}, matches: [], all: false }};
            const {{ found }} = globalThis, {{ matches }} = found;
            if (!found.all && matches.length <= {MAX_MATCHES}) {{
                const {{ scrollLeft, scrollTop }} = page, last = matches.at(-1);
                selection.collapse(last?.endContainer ?? document.body, last?.endOffset ?? 0);
                while (matches.length < 2 || (matches.length <= {MAX_MATCHES} && performance.now() < until)) {{
                    found.all = !find({text}, false, false, false);
                    if (found.all) break;
                    matches.push(selection.getRangeAt(0).cloneRange());
                }}
                page.scrollTo({{ left: scrollLeft, top: scrollTop, behavior: 'instant' }});
                selection.collapse(match.startContainer, match.startOffset);
                find({text}, false, false, false);
            }}
            const begins = (one) => one.compareBoundaryPoints(Range.START_TO_START, match);
            const place = Math.max(matches.filter((one) => begins(one) <= 0).length, 1);
            if (found.all) return `${{place}}/${{Math.max(matches.length, 1)}}`;
            const count = matches.length - 1;
            return `${{begins(matches[count]) < 0 ? `${{count}}+` : place}}/${{count}}+`;
        }})()",
        back = find == Find::Previous
    )
}

/// Opens the bar above a page, and focuses its field and selects the text in it.
pub fn open(page: &WebView) {
    if let Some(bar) = bar_of(page) {
        bar.set_search_mode(true);
        if let Some(field) = within::<SearchEntry>(bar.upcast_ref()) {
            field.grab_focus();
        }
    }
}

/// Closes the bar above a page. Returns whether it was open.
pub fn close(page: &WebView) -> bool {
    let open = bar_of(page).filter(SearchBar::is_search_mode);
    if let Some(bar) = &open {
        bar.set_search_mode(false);
    }
    open.is_some()
}

fn bar_of(page: &WebView) -> Option<SearchBar> {
    within(&page.parent()?)
}

/// Returns the first widget of a kind within another.
fn within<T: IsA<Widget>>(widget: &Widget) -> Option<T> {
    let children = widget.downcast_ref::<Container>()?.children();
    children.into_iter().find_map(|child| child.downcast().or_else(|child| within(&child).ok_or(child)).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_which_match_it_is() {
        let words = FindWords {
            field: String::new(),
            none: String::new(),
            place: "{place} of {count}".to_owned(),
            more: "{place} of more than {count}".to_owned(),
            previous: String::new(),
            next: String::new(),
        };
        assert_eq!(place(&words, "2/7"), "2 of 7");
        assert_eq!(place(&words, "3/1000+"), "3 of more than 1000");
        assert_eq!(place(&words, "1000+/1000+"), "1000+ of more than 1000");
        assert_eq!(place(&words, ""), "");
    }
}
