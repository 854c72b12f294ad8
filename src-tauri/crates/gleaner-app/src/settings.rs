//! The settings of the window.

use crate::{
    App,
    catalogue::Catalogue,
    error::{AppError, Result, internal},
    jobs::Job,
};
use gleaner_contract::{ErrorCode, Settings, WindowState};
use gleaner_library::{Library, WINDOW_STATE};
use serde_json::{Map, Value};

/// Maximum length of a stored query, in bytes.
const MAX_QUERY: usize = 10_000;

/// Key of the settings in the library.
pub(crate) const KEY: &str = "window";

/// Returns the settings. Settings that are out of range, or that another version wrote differently, count as defaults.
pub(crate) async fn of(library: &Library) -> Result<Settings> {
    Ok(read(library.settings().get(KEY).await?))
}

/// Returns the messages in the language of the window.
pub(crate) async fn catalogue(library: &Library) -> Result<Catalogue> {
    Ok(Catalogue::of(of(library).await?.language))
}

/// Reads the stored settings.
pub(crate) fn read(json: Option<String>) -> Settings {
    let json = json.unwrap_or_default();
    let all = serde_json::from_str(&json).ok().filter(Settings::is_sound);
    all.unwrap_or_else(|| one_by_one(serde_json::from_str(&json).unwrap_or_default()))
}

/// Reads each setting separately, so that one that cannot be read, such as a theme of a later version, does not reset the others.
fn one_by_one(stored: Map<String, Value>) -> Settings {
    let settings =
        |values: &Map<String, Value>| serde_json::from_value(values.clone().into()).ok().filter(Settings::is_sound);
    let mut readable = Map::new();
    for (name, value) in stored {
        readable.insert(name.clone(), value);
        if settings(&readable).is_none() {
            readable.remove(&name);
        }
    }
    settings(&readable).unwrap_or_default()
}

pub async fn settings(app: &App, (): ()) -> Result<Settings> {
    let settings = of(&app.core().await?.library).await?;
    app.session().closing.set(settings.on_close);
    if let Ok(platform) = app.platform() {
        platform.use_theme(settings.theme);
    }
    Ok(settings)
}

pub async fn save_settings(app: &App, args: Settings) -> Result<()> {
    if !args.is_sound() {
        return Err(AppError::new(ErrorCode::InvalidInput, "settings out of range"));
    }
    let json = serde_json::to_string(&args).map_err(internal)?;
    let library = app.core().await?.library;
    let before = of(&library).await?;
    library.settings().set(KEY, &json).await?;
    app.session().closing.set(args.on_close);
    if let (Ok(platform), true) = (app.platform(), args.theme != before.theme) {
        platform.use_theme(args.theme);
    }
    app.signals().tray.notify_one();
    if library.duplicates().are_combined() != args.combine_duplicates {
        library.duplicates().set_combined(args.combine_duplicates).await?;
        app.library_changed(false, true);
    }
    if library.scheduled().is_enabled() != args.schedule_future_articles {
        library.scheduled().set_enabled(args.schedule_future_articles).await?;
        app.library_changed(false, true);
    }
    if library.versions().limit() != args.max_versions {
        library.versions().set_limit(args.max_versions).await?;
    }
    if args.refresh_automatically && !before.refresh_automatically {
        app.session().refresh.rest.end();
    }
    app.signals().polling.notify_one();
    if !args.fetches_icons() {
        app.jobs().cancel(Job::Icons);
    } else if !before.fetches_icons() {
        app.signals().icons.notify_one();
    }
    Ok(())
}

/// Returns what the window showed last. A state that another version wrote differently counts as none.
pub async fn window_state(app: &App, (): ()) -> Result<Option<WindowState>> {
    let stored = app.core().await?.library.settings().get(WINDOW_STATE).await?;
    Ok(stored.and_then(|json| serde_json::from_str(&json).ok()))
}

pub async fn save_window_state(app: &App, args: WindowState) -> Result<()> {
    if args.search.as_ref().is_some_and(|query| query.len() > MAX_QUERY) {
        return Err(AppError::new(ErrorCode::InvalidInput, "the query is too long"));
    }
    let json = serde_json::to_string(&args).map_err(internal)?;
    Ok(app.core().await?.library.settings().set(WINDOW_STATE, &json).await?)
}

/// Makes the window start without its last article, and with an empty player.
///
/// # Errors
///
/// The library cannot be read or written.
pub async fn forget_open_article(app: &App) -> Result<()> {
    match window_state(app, ()).await? {
        Some(state) => {
            save_window_state(app, WindowState { article: None, selected: None, player: None, ..state }).await
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_contract::{ColumnWidths, ListColumn, ListLayout, Theme};

    #[test]
    fn reads_settings_that_were_stored_under_former_names() {
        let stored = r#"{"one_story":false,"hold_future":true,"versions_kept":3,"fold_languages":true,
            "article":{"width":80,"leading":2.0,"hyphens":false}}"#;
        let settings: Settings = serde_json::from_str(stored).unwrap();
        assert!(!settings.combine_duplicates && settings.schedule_future_articles && settings.collapse_languages);
        assert_eq!(settings.max_versions, Some(3));
        let typography = &settings.typography;
        assert_eq!((typography.line_length, typography.line_height, typography.hyphenation), (80, 2.0, false));
        let again: Settings = serde_json::from_str(&serde_json::to_string(&settings).unwrap()).unwrap();
        assert_eq!(again, settings);
    }

    #[test]
    fn a_setting_that_cannot_be_read_costs_no_other() {
        let stored = |json: &str| read(Some(json.to_owned()));
        for unknown in [r#""theme":"of_a_later_version""#, r#""text_scale":99"#, r#""typography":7"#] {
            let settings = stored(&format!(r#"{{"list_layout":"columns",{unknown},"max_versions":3}}"#));
            let expected = Settings { list_layout: ListLayout::Columns, max_versions: Some(3), ..Settings::default() };
            assert_eq!(settings, expected, "{unknown}");
        }
        assert_eq!(stored(r#"{"theme":"dark","setting_of_a_later_version":1}"#).theme, Theme::Dark);
        for damaged in ["", "{", "[]", "null"] {
            assert_eq!(stored(damaged), Settings::default(), "{damaged}");
        }
    }

    #[test]
    fn columns_have_widths_within_their_limits() {
        let stored = |widths: &str| read(Some(format!(r#"{{"list_layout":"columns","column_widths":{widths}}}"#)));
        let settings = stored(r#"{"feed":200}"#);
        assert_eq!((settings.column_widths.feed, settings.column_widths.date), (200, ColumnWidths::default().date));
        for refused in [r#"{"author":0}"#, r#"{"length":1001}"#] {
            assert_eq!(stored(refused), Settings { list_layout: ListLayout::Columns, ..Settings::default() });
        }
    }

    #[test]
    fn a_column_is_shown_at_most_once() {
        let stored = |columns: &str| read(Some(format!(r#"{{"list_layout":"columns","columns":{columns}}}"#)));
        assert_eq!(stored(r#"["date","feed"]"#).columns, [ListColumn::Date, ListColumn::Feed]);
        assert_eq!(stored("[]").columns, []);
        for refused in [r#"["date","feed","date"]"#, r#"["title"]"#] {
            assert_eq!(stored(refused), Settings { list_layout: ListLayout::Columns, ..Settings::default() });
        }
    }
}
