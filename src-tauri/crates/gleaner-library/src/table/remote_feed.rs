//! A subscription on a server.

use gleaner_address::without_stored_password;

/// A subscription on a server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RemoteFeed {
    /// Id on the server.
    pub remote_id: String,
    /// Title on the server.
    pub title: String,
    /// Address of the feed.
    pub url: String,
    /// Address of the site.
    pub home_url: Option<String>,
    /// Name of its folder; `None`: no folder.
    pub label: Option<String>,
    /// Names of its other folders, if it is in several on the server.
    pub other_labels: Vec<String>,
    /// Whether the server's folders can't be read, so that the feed stays in its folder here.
    pub is_folder_unknown: bool,
}

impl RemoteFeed {
    /// Returns it as it is stored: without passwords in addresses, which concern the server only, and without a folder that has no name.
    pub(crate) fn shown(&self) -> Self {
        Self {
            url: without_stored_password(&self.url),
            home_url: self.home_url.as_deref().map(without_stored_password),
            label: self.label.clone().filter(|label| !label.trim().is_empty()),
            ..self.clone()
        }
    }

    /// Returns it in the first of these folders in which it is on the server.
    pub(crate) fn in_one_of(&self, folders: [Option<&str>; 2]) -> Self {
        let is_there =
            |name: &&str| self.label.as_deref() == Some(*name) || self.other_labels.iter().any(|o| o == name);
        let label = folders.into_iter().flatten().find(is_there).map(str::to_owned);
        Self { label: label.or_else(|| self.label.clone()), ..self.clone() }
    }
}

/// Whether a server has a title of the user: some write characters of HTML in their wide forms.
pub(crate) fn is_same_title(there: &str, own: &str) -> bool {
    let plain = |title: &str| -> Vec<char> {
        let narrow = |char| match char {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(char) - 0xfee0).unwrap_or(char),
            other => other,
        };
        title.split_whitespace().flat_map(str::chars).map(narrow).collect()
    };
    plain(there) == plain(own)
}
