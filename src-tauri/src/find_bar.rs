//! The find bar of a window of an article. Its page has no scripts, so the bar is GTK's, and WebKit searches.

use gleaner_contract::FindWords;
use gtk::{
    Align, Container, IconSize, Orientation, ReliefStyle, SearchBar, SearchEntry, Widget, gdk, glib::Propagation,
    prelude::*,
};
use webkit2gtk::{FindController, FindControllerExt as _, FindOptions, WebView, WebViewExt as _};

/// WebKit highlights at most this number of matches.
const MAX_MATCHES: u32 = 5000;

/// Adds a hidden bar above a page.
pub fn add(page: &WebView, words: &FindWords) {
    let (Some(around), Some(finder)) = (page.parent().and_downcast::<gtk::Box>(), page.find_controller()) else {
        tracing::warn!("a window of an article has no find bar");
        return;
    };
    let bar = SearchBar::builder().show_close_button(true).build();
    let field = SearchEntry::builder().placeholder_text(&words.field).width_chars(28).build();
    let result = gtk::Label::builder().xalign(0.0).width_chars(12).build();
    let [previous, next] =
        [(&words.previous, "go-up-symbolic"), (&words.next, "go-down-symbolic")].map(|(name, icon)| {
            let button = gtk::Button::from_icon_name(Some(icon), IconSize::Button);
            button.set_relief(ReliefStyle::None);
            button.set_tooltip_text(Some(name));
            if let Some(accessible) = button.accessible() {
                accessible.set_name(name);
            }
            button
        });
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

    let (searching, shown) = (finder.clone(), result.clone());
    field.connect_search_changed(move |field| {
        let text = field.text();
        if text.trim().is_empty() {
            searching.search_finish();
            shown.set_text("");
        } else {
            let options = FindOptions::CASE_INSENSITIVE | FindOptions::WRAP_AROUND;
            searching.search(&text, options.bits(), MAX_MATCHES);
        }
    });
    let shown = result.clone();
    finder.connect_found_text(move |_, _| shown.set_text(""));
    let none = words.none.clone();
    finder.connect_failed_to_find_text(move |_| result.set_text(&none));

    for (button, find) in
        [(&next, FindController::search_next as fn(&FindController)), (&previous, FindController::search_previous)]
    {
        let finder = finder.clone();
        button.connect_clicked(move |_| find(&finder));
    }
    let forward = next.clone();
    field.connect_activate(move |_| forward.clicked());
    let forward = next;
    field.connect_next_match(move |_| forward.clicked());
    let backward = previous.clone();
    field.connect_previous_match(move |_| backward.clicked());
    field.connect_key_press_event(move |_, key| {
        let enter = matches!(key.keyval(), gdk::keys::constants::Return | gdk::keys::constants::KP_Enter);
        if !enter || !key.state().contains(gdk::ModifierType::SHIFT_MASK) {
            return Propagation::Proceed;
        }
        previous.clicked();
        Propagation::Stop
    });

    let leaving = page.clone();
    bar.connect_search_mode_enabled_notify(move |bar| {
        if !bar.is_search_mode() {
            finder.search_finish();
            leaving.grab_focus();
        }
    });
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
