//! Chooses how WebKitGTK draws, by variables that it reads when it starts. The user's own values always count.

use std::{ffi::OsStr, fs, path::Path};

/// Exists while NVIDIA's proprietary driver is loaded. Neither nouveau nor NVK creates it.
const NVIDIA: &str = "/proc/driver/nvidia/version";
/// Contains a `renderD…` for each graphics card that can draw.
const CARDS: &str = "/dev/dri";

/// The graphics of this computer.
#[derive(Debug, Clone, Copy, Default)]
struct Graphics {
    /// NVIDIA's proprietary driver is loaded.
    nvidia: bool,
    /// There is a card that can draw.
    card: bool,
}

impl Graphics {
    fn of_this_computer() -> Self {
        let nvidia = Path::new(NVIDIA).exists();
        // Without `modeset`, NVIDIA's driver has no such file.
        Self { nvidia, card: nvidia || has_render_node(Path::new(CARDS)) }
    }

    /// Returns the variables to set, and their values.
    fn variables(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        [
            // NVIDIA's driver and WebKit's DMA-BUF renderer leave windows blank (tauri-apps/tauri#9304, #9394, #13885).
            ("WEBKIT_DISABLE_DMABUF_RENDERER", "1", self.nvidia),
            // Without a card, layers are composed by emulated OpenGL: a frame takes five times as long as painting directly,
            // and the window takes 100 MB more (docs/decisions/0012-speed.md).
            ("WEBKIT_DISABLE_COMPOSITING_MODE", "1", !self.card),
            // Without layers, scrollbars that lie over the content are painted last, through menus and dialogs.
            ("GTK_OVERLAY_SCROLLING", "0", !self.card),
        ]
        .into_iter()
        .filter_map(|(variable, value, needed)| needed.then_some((variable, value)))
    }
}

fn has_render_node(folder: &Path) -> bool {
    let named = |entry: fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b"renderD");
    fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(named))
}

/// Returns whether to set a variable, given its current value: any value of the user has priority, even an empty one.
fn is_free(present: Option<&OsStr>) -> bool {
    present.is_none()
}

/// Sets the variables that this computer needs. Must be called before any other thread is started.
pub fn prepare() {
    if !cfg!(target_os = "linux") {
        return;
    }
    for (variable, value) in Graphics::of_this_computer().variables() {
        if is_free(std::env::var_os(variable).as_deref()) {
            // SAFETY: `run` calls this first, so no other thread reads the environment.
            #[allow(unsafe_code)]
            unsafe {
                std::env::set_var(variable, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(nvidia: bool, card: bool) -> Vec<(&'static str, &'static str)> {
        Graphics { nvidia, card }.variables().collect()
    }

    #[test]
    fn the_dmabuf_renderer_is_disabled_with_nvidias_driver() {
        assert_eq!(variables(true, true), [("WEBKIT_DISABLE_DMABUF_RENDERER", "1")]);
        assert!(variables(false, true).is_empty());
    }

    #[test]
    fn without_a_graphics_card_layers_are_not_composed_and_scrollbars_take_space() {
        assert_eq!(variables(false, false), [("WEBKIT_DISABLE_COMPOSITING_MODE", "1"), ("GTK_OVERLAY_SCROLLING", "0")]);
    }

    #[test]
    fn only_a_render_node_is_a_graphics_card() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!has_render_node(&folder.path().join("missing")));
        fs::write(folder.path().join("card0"), "").unwrap();
        assert!(!has_render_node(folder.path()), "a screen without a renderer, as in many virtual machines");
        fs::write(folder.path().join("renderD128"), "").unwrap();
        assert!(has_render_node(folder.path()));
    }

    #[test]
    fn the_value_set_by_the_user_is_kept() {
        assert!(is_free(None));
        for own in ["0", "1", ""] {
            assert!(!is_free(Some(OsStr::new(own))), "{own:?}");
        }
    }
}
