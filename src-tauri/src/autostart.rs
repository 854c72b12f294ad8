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
        Some(command) if words(command).iter().any(|word| word == BACKGROUND) => LoginStart::Background,
        Some(_) => LoginStart::Window,
    }
}

/// Updates the path of a program that was moved or replaced, as AppImages are, so that it still starts at login. Does so if the program in
/// the file no longer exists, and `command` has the same arguments.
///
/// # Errors
/// The file cannot be written.
pub fn follow<'a>(folder: &Path, command: impl IntoIterator<Item = &'a OsStr>) -> io::Result<()> {
    let start = read(folder);
    if start == LoginStart::Off {
        return Ok(());
    }
    let text = fs::read_to_string(folder.join(FILE))?;
    let Some(exec) = text.lines().find_map(|line| line.trim().strip_prefix("Exec=")) else { return Ok(()) };
    let mut written = words(exec);
    written.retain(|word| word != BACKGROUND);
    let command: Vec<&OsStr> = command.into_iter().collect();
    let same_arguments = written.iter().skip(1).map(OsStr::new).eq(command.iter().skip(1).copied());
    let is_gone = written.first().is_some_and(|program| {
        let program = Path::new(program);
        program.is_absolute() && matches!(program.try_exists(), Ok(false))
    });
    if is_gone && same_arguments { write(folder, start, command) } else { Ok(()) }
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

/// Returns the program and arguments of `Exec`, the reverse of [`quoted`].
fn words(exec: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut quote = false;
    let unescaped = exec.replace("\\\\", "\\");
    let mut letters = unescaped.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' if !quote => words.extend(word.take()),
            '"' => {
                quote = !quote;
                word.get_or_insert_default();
            }
            // The next letter stands for itself, or is a field code, of which only `%` is used.
            '\\' | '%' => word.get_or_insert_default().extend(letters.next()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
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

    #[test]
    fn a_program_that_was_moved_is_started_where_it_is_now() {
        let home = tempfile::tempdir().unwrap();
        let (folder, old, new) = (home.path().join("autostart"), home.path().join("old 100%"), home.path().join("new"));
        let command = |program: &Path| [program.as_os_str().to_owned(), "--library".into(), "/my \"feeds\"".into()];
        let follow = |program: &Path, arguments: usize| {
            super::follow(&folder, command(program).iter().map(|word| &**word).take(1 + arguments)).unwrap();
            fs::read_to_string(folder.join(FILE)).unwrap_or_default()
        };
        assert_eq!(follow(&new, 2), "", "it does not start at login");
        fs::write(&old, "").unwrap();
        write(&folder, LoginStart::Background, command(&old).iter().map(|word| &**word)).unwrap();
        let before = fs::read_to_string(folder.join(FILE)).unwrap();
        assert_eq!(follow(&new, 2), before, "another copy of the program");
        fs::remove_file(&old).unwrap();
        assert_eq!(follow(&new, 0), before, "another library");
        assert_eq!(follow(&new, 2), before.replace("old 100%%", "new"));
        assert_eq!(read(&folder), LoginStart::Background);
        fs::write(folder.join(FILE), before.replace("enabled=true", "enabled=false")).unwrap();
        assert!(follow(&new, 2).contains("old 100%%"), "turned off in the settings of the desktop");
    }

    #[test]
    fn a_command_is_read_as_it_was_written() {
        for command in [vec!["/a\"$`\\100%", "", "--background", "b c"], vec!["/usr/bin/gleaner"]] {
            let written: Vec<String> = command.iter().map(|word| quoted(word)).collect();
            assert_eq!(words(&written.join(" ")), command);
        }
        assert_eq!(words("gleaner  --background %u"), ["gleaner", "--background", "u"]);
    }
}
