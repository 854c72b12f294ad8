//! The version of the operating system, for diagnostics.

use std::fs;

/// Returns the name and version of the system and its kernel, if the system's files contain them.
pub fn version() -> String {
    let read = |path: &str| fs::read_to_string(path).ok();
    // In a Flatpak, the second file describes the runtime, not the system.
    let release = ["/run/host/os-release", "/etc/os-release", "/usr/lib/os-release"].into_iter().find_map(read);
    let name = release.as_deref().and_then(name_of).unwrap_or("unknown").to_owned();
    match read("/proc/sys/kernel/osrelease") {
        Some(kernel) => format!("{name}, kernel {}", kernel.trim()),
        None => name,
    }
}

/// Returns the name with the version from an os-release file (os-release(5)).
fn name_of(release: &str) -> Option<&str> {
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim().trim_matches(['"', '\'']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_name_of_the_system() {
        let release = "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n";
        assert_eq!(name_of(release), Some("Debian GNU/Linux 12 (bookworm)"));
        assert_eq!(name_of("PRETTY_NAME=Alpine"), Some("Alpine"));
        assert_eq!(name_of("ID=debian\n"), None);
        assert!(!version().is_empty());
    }
}
