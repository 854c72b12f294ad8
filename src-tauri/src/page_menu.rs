//! The menus of a page: text fields keep the commands for editing of WebKit's menu, and elsewhere the window shows its own.

use gleaner_app::App;
use gleaner_contract::{Event, WindowPoint};
use webkit2gtk::ContextMenuAction as Action;

/// WebKit's own menus could reload or leave the article. A text field keeps the commands for editing; for everything else, the
/// window shows its own menu.
pub fn replace(page: &webkit2gtk::WebView, app: App) {
    use gtk::prelude::WidgetExt as _;
    use webkit2gtk::{HitTestResultExt as _, WebViewExt as _};
    page.connect_context_menu(move |page, menu, event, hit| {
        if hit.context_is_editable() {
            return keep_actions(menu, &EDITING);
        }
        // Without a place, the key for menus was pressed: the window knows what has the focus.
        let share = |at: f64, size: i32| at / f64::from(size.max(1));
        let (x, y) = event
            .coords()
            .map_or((-1.0, -1.0), |(x, y)| (share(x, page.allocated_width()), share(y, page.allocated_height())));
        app.events().send(&Event::PageMenuRequested(WindowPoint { x, y }));
        true
    });
}

/// The actions of WebKit's menu that edit a text.
const EDITING: [Action; 6] =
    [Action::Cut, Action::Copy, Action::Paste, Action::Delete, Action::SelectAll, Action::SpellingGuess];

/// Removes all but these actions from a menu of WebKit. Returns whether none is left.
pub fn keep_actions(menu: &webkit2gtk::ContextMenu, kept: &[Action]) -> bool {
    use webkit2gtk::{ContextMenuExt as _, ContextMenuItemExt as _};
    for item in menu.items() {
        if item.is_separator() || !kept.contains(&item.stock_action()) {
            menu.remove(&item);
        }
    }
    menu.n_items() == 0
}
