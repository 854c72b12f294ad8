//! The window's views, for tests that go through all of them.

use crate::Window;

/// Name of each view in file names, and the text that finds it in the command palette.
pub const VIEWS: &[(&str, &str)] = &[
    ("about-feed", "Feed info"),
    ("add", "Add feed"),
    ("categories", "Categories"),
    ("feed-settings", "Feed or folder settings"),
    ("inspect-feed", "Inspect feed"),
    ("keys", "Keyboard shortcuts"),
    ("new-folder", "New folder"),
    ("rules", "Rules, or mute"),
    ("settings", "Settings"),
    ("statistics", "Reading statistics"),
    ("tags", "Edit tags"),
    ("well-known", "Well-known feeds"),
];

const PALETTE: &str = "__e2e.all('combobox', 'An action, a feed').length";

impl Window {
    /// Opens the command palette.
    pub async fn palette(&self) {
        self.press_control('k').await;
        self.focus_on("An action, a feed").await;
    }

    /// Opens a view with the command palette.
    pub async fn view(&self, text: &str) {
        self.palette().await;
        self.type_text(text).await;
        let first = format!("(__e2e.all('option', null)[0]?.textContent ?? '').includes({text:?})");
        self.until(&format!("{text:?} in the palette"), &first).await;
        self.press("\u{e007}").await;
        let there = format!("{PALETTE} === 0 && __e2e.all('dialog', null).length === 1");
        self.until(&format!("the view {text:?}"), &there).await;
    }

    /// Closes the open view.
    pub async fn leave(&self) {
        self.escape().await;
        self.until("no dialog", &format!("{PALETTE} === 0 && __e2e.all('dialog', null).length === 0")).await;
    }

    /// Chooses a theme by its name in the settings.
    pub async fn theme(&self, name: &str) {
        self.press_control(',').await;
        self.find("dialog", "Settings").await;
        self.click("radio", name).await;
        self.until(name, &format!("document.documentElement.dataset.theme === '{}'", name.to_lowercase())).await;
        self.leave().await;
    }
}
