//! The window's views, for what goes through all of them.

use crate::Window;

/// What a view is called here, and what is typed into the palette to open it.
pub const VIEWS: &[(&str, &str)] = &[
    ("about-feed", "About this feed"),
    ("add", "Add feed"),
    ("categories", "Categories"),
    ("feed-settings", "Settings of a feed"),
    ("inspect-feed", "Inspect this feed"),
    ("keys", "This list"),
    ("new-folder", "New folder"),
    ("rules", "Rules, or one"),
    ("settings", "Settings"),
    ("statistics", "What you read"),
    ("tags", "Tags of the article"),
    ("well-known", "Well-known feeds"),
];

const ESCAPE: &str = "\u{e00c}";
const PALETTE: &str = "__e2e.all('combobox', 'An action, a feed').length";

impl Window {
    /// Opens the palette.
    pub async fn palette(&self) {
        self.press_control('k').await;
        self.find("combobox", "An action, a feed").await;
    }

    /// Opens a view by the palette.
    pub async fn view(&self, words: &str) {
        self.palette().await;
        self.press(words).await;
        let first = format!("(__e2e.all('option', null)[0]?.textContent ?? '').includes({words:?})");
        self.until(&format!("{words:?} in the palette"), &first).await;
        self.press("\u{e007}").await;
        let there = format!("{PALETTE} === 0 && __e2e.all('dialog', null).length === 1");
        self.until(&format!("the view {words:?}"), &there).await;
    }

    /// Closes it.
    pub async fn leave(&self) {
        self.press(ESCAPE).await;
        self.until("no dialog", &format!("{PALETTE} === 0 && __e2e.all('dialog', null).length === 0")).await;
    }

    /// Light or dark, as the settings call it.
    pub async fn theme(&self, name: &str) {
        self.press_control(',').await;
        self.find("dialog", "Settings").await;
        self.click("radio", name).await;
        self.until(name, &format!("document.documentElement.dataset.theme === '{}'", name.to_lowercase())).await;
        self.leave().await;
    }
}
