//! A package manager may replace the program while it runs. The window then offers to start the new one in its place.

#[cfg(unix)]
use crate::instance::Claim;
#[cfg(unix)]
use parking_lot::Mutex;
use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    time::SystemTime,
};

/// Distinguishes a file from a later one at the same path: its inode (0 on Windows), size in bytes and time of the last change.
type Identity = (u64, u64, Option<SystemTime>);

/// The program that this process runs, as it was at the start.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    identity: Option<Identity>,
    /// Arguments for a new start.
    arguments: Vec<OsString>,
    /// Lets the next start have the library's window.
    #[cfg(unix)]
    claim: Mutex<Option<Claim>>,
    wanted: AtomicBool,
}

/// Returns the AppImage that this process runs from, by which it is started: inside it, the program has a temporary path.
pub fn image() -> Option<PathBuf> {
    let [image, mounted] = ["APPIMAGE", "APPDIR"].map(|name| std::env::var_os(name).map(PathBuf::from));
    image_of(image?, &mounted?, &std::env::current_exe().ok()?)
}

/// Both variables are inherited, for example by programs started in a terminal that is itself an AppImage.
fn image_of(image: PathBuf, mounted: &Path, program: &Path) -> Option<PathBuf> {
    program.starts_with(fs::canonicalize(mounted).ok()?).then_some(image)
}

impl Program {
    /// Returns the program of this process, which shows the library that `library` names on its command line.
    pub fn started(library: Option<&Path>) -> Self {
        let path = image().map_or_else(std::env::current_exe, Ok);
        Self::at(path.unwrap_or_default(), library)
    }

    fn at(path: PathBuf, library: Option<&Path>) -> Self {
        let arguments = library.map(|folder| vec!["--library".into(), folder.into()]).unwrap_or_default();
        let identity = identity(&path);
        Self {
            path,
            identity,
            arguments,
            #[cfg(unix)]
            claim: Mutex::default(),
            wanted: AtomicBool::new(false),
        }
    }

    /// Returns the path by which the program is started; `None` if the system did not report it. The path of a process changes when its
    /// file is replaced.
    pub fn path(&self) -> Option<&Path> {
        Some(self.path.as_path()).filter(|path| !path.as_os_str().is_empty())
    }

    /// Returns the command that starts it with its library; `None` if the system did not report its path.
    pub fn command(&self) -> Option<impl Iterator<Item = &OsStr>> {
        let arguments = self.arguments.iter().map(OsString::as_os_str);
        self.path().map(|path| std::iter::once(path.as_os_str()).chain(arguments))
    }

    /// Stores the handle that releases the library's window.
    #[cfg(unix)]
    pub fn keep(&self, claim: Claim) {
        *self.claim.lock() = Some(claim);
    }

    /// Allows the next start to open the library's window. Called when this window is closed; the process may continue for a while.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Some(claim) = self.claim.lock().take()
            && let Err(error) = claim.release()
        {
            tracing::warn!(%error, "the library's window is still locked");
        }
    }

    /// Whether another file has its place now. A program that was removed has not been replaced.
    pub fn is_replaced(&self) -> bool {
        let now = identity(&self.path);
        now.is_some() && now != self.identity
    }

    /// Makes [`Self::start_again`] start the program.
    pub fn want_restart(&self) {
        self.wanted.store(true, Ordering::Relaxed);
    }

    /// Starts the program that is in this place now, if that is wanted. Called when everything is closed.
    pub fn start_again(&self) {
        if !self.wanted.load(Ordering::Relaxed) {
            return;
        }
        if let Err(error) = Command::new(&self.path).args(&self.arguments).spawn() {
            tracing::error!(%error, "the program did not start again");
        }
    }
}

fn identity(path: &Path) -> Option<Identity> {
    let file = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&file);
    #[cfg(not(unix))]
    let number = 0;
    Some((number, file.len(), file.modified().ok()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_appimage_of_another_program_is_not_this_one() {
        let mounted = tempfile::tempdir().unwrap();
        let image = PathBuf::from("/home/ann/Gleaner.AppImage");
        let inside = fs::canonicalize(mounted.path()).unwrap().join("usr/bin/gleaner");
        assert_eq!(image_of(image.clone(), mounted.path(), &inside), Some(image.clone()));
        assert_eq!(image_of(image.clone(), mounted.path(), Path::new("/usr/bin/gleaner")), None);
        assert_eq!(image_of(image, Path::new("/nowhere"), Path::new("/usr/bin/gleaner")), None);
    }

    #[test]
    fn a_program_is_replaced_when_another_file_has_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gleaner");
        fs::write(&path, "old").unwrap();
        let program = Program::at(path.clone(), None);
        assert!(!program.is_replaced());
        fs::write(folder.path().join("new"), "new").unwrap();
        fs::remove_file(&path).unwrap();
        assert!(!program.is_replaced(), "it was removed");
        fs::rename(folder.path().join("new"), &path).unwrap();
        assert!(program.is_replaced());
    }
}
