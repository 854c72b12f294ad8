//! Starting at login, by the desktop's autostart folder (XDG Desktop Application Autostart Specification).

use gleaner_contract::LoginStart;
use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

/// The file in the autostart folder.
const FILE: &str = "net.gleaner.Gleaner.desktop";
/// The option that starts Gleaner in the tray.
pub const BACKGROUND: &str = "--background";

/// Returns the autostart folder of the user.
pub fn folder() -> Option<PathBuf> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = named("XDG_CONFIG_HOME").or_else(|| Some(named("HOME")?.join(".config")))?;
    Some(config.join("autostart"))
}

/// Returns how Gleaner starts at login.
pub fn read(folder: &Path) -> LoginStart {
    let Ok(text) = fs::read_to_string(folder.join(FILE)) else { return LoginStart::Off };
    let is = |line: &str| text.lines().any(|found| found.trim().eq_ignore_ascii_case(line));
    let exec = text.lines().find_map(|line| line.trim().strip_prefix("Exec="));
    // The settings of a desktop may turn the file off in place.
    match exec {
        None => LoginStart::Off,
        Some(_) if is("Hidden=true") || is("X-GNOME-Autostart-enabled=false") => LoginStart::Off,
        Some(command) if command.split_whitespace().any(|word| word == BACKGROUND) => LoginStart::Background,
        Some(_) => LoginStart::Window,
    }
}

/// Sets how a command, a program and its arguments, starts at login.
///
/// # Errors
/// The file cannot be written or removed.
pub fn write<'a>(folder: &Path, start: LoginStart, command: impl IntoIterator<Item = &'a OsStr>) -> io::Result<()> {
    let path = folder.join(FILE);
    let background = match start {
        LoginStart::Off => {
            return match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        LoginStart::Window => "",
        LoginStart::Background => " --background",
    };
    let text = |word: &OsStr| {
        let word = word.to_str().filter(|word| !word.contains(char::is_control));
        word.map(quoted).ok_or_else(|| io::Error::other("a path is not plain text"))
    };
    let command = command.into_iter().map(text).collect::<io::Result<Vec<_>>>()?.join(" ");
    let text = format!(
        "[Desktop Entry]\nType=Application\nName=Gleaner\nIcon=gleaner\nTerminal=false\nX-GNOME-Autostart-enabled=true\nExec={command}{background}\n"
    );
    fs::create_dir_all(folder)?;
    let unfinished = folder.join(format!("{FILE}.new"));
    fs::write(&unfinished, text)?;
    fs::rename(unfinished, path)
}

/// Quotes an argument of `Exec` (Desktop Entry Specification: quoting, then escaping of the string value, and `%`).
fn quoted(argument: &str) -> String {
    let mut out = String::from("\"");
    for letter in argument.chars() {
        match letter {
            '"' | '`' | '$' => out.extend(["\\\\", letter.encode_utf8(&mut [0; 4])]),
            '\\' => out.push_str("\\\\\\\\"),
            '%' => out.push_str("%%"),
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_was_set_is_read_again() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("autostart");
        let write =
            |start| write(&folder, start, ["/usr/bin/gleaner", "--library", "/my feeds"].map(OsStr::new)).unwrap();
        assert_eq!(read(&folder), LoginStart::Off);
        write(LoginStart::Off);
        for start in [LoginStart::Background, LoginStart::Window, LoginStart::Off] {
            write(start);
            assert_eq!(read(&folder), start);
        }
        write(LoginStart::Window);
        let file = folder.join(FILE);
        let on = fs::read_to_string(&file).unwrap();
        let exec = r#"Exec="/usr/bin/gleaner" "--library" "/my feeds""#;
        assert!(on.lines().any(|line| line == exec), "the library of the window that it was set in: {on}");
        let off = on.replace("enabled=true", "enabled=false");
        fs::write(&file, off).unwrap();
        assert_eq!(read(&folder), LoginStart::Off, "turned off in the settings of the desktop");
    }

    #[test]
    fn any_path_can_be_started() {
        assert_eq!(quoted("/opt/My Apps/gleaner"), "\"/opt/My Apps/gleaner\"");
        assert_eq!(quoted("/a\"$`\\100%"), r#""/a\\"\\$\\`\\\\100%%""#);
    }
}
