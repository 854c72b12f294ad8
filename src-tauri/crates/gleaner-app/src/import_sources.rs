//! The files and folders to import, and what is in them.

use gleaner_exchange::readers::{self, Found, ImportError, Kind};
use std::path::{Path, PathBuf};

/// A file or folder to import.
#[derive(Debug, Clone)]
pub struct ImportSource {
    /// The name to report it by: usually its path.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
}

/// Finds the data in files and folders, each with its name. Lists of feeds come first, since they contain the subscriptions and their
/// folders.
pub fn find_importable(sources: &[ImportSource]) -> Vec<(String, Result<Found, ImportError>)> {
    let mut all = Vec::new();
    for ImportSource { name, path } in sources {
        match readers::find(path) {
            Ok(found) => all.extend(found.into_iter().map(|found| {
                // Files unpacked from an archive have temporary names, so the name of the archive is shown.
                let inside = found.path.strip_prefix(path).ok().filter(|rest| !rest.as_os_str().is_empty());
                let name = inside.map_or_else(|| name.clone(), |rest| path.join(rest).display().to_string());
                (name, Ok(found))
            })),
            Err(error) => all.push((name.clone(), Err(error))),
        }
    }
    // newsboat's database may be in another folder than its list.
    if all.iter().any(|(_, found)| matches!(found, Ok(Found { kind: Kind::Urls, .. }))) {
        for (_, found) in &mut all {
            if let Ok(found @ Found { kind: Kind::Database, .. }) = found {
                found.has_list = true;
            }
        }
    }
    all.sort_by_key(|(_, found)| !matches!(found, Ok(Found { kind: Kind::List | Kind::Urls, .. })));
    all
}

/// Returns the name to show for a file. A name without an extension, such as newsboat's `urls`, includes the folder.
pub(crate) fn shown_name(path: &Path) -> String {
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    match path.parent().and_then(Path::file_name) {
        Some(folder) if path.extension().is_none() && path.is_file() => {
            Path::new(folder).join(file).to_string_lossy().into_owned()
        }
        _ => file,
    }
}
