//! Keeps windows from staying blank where WebKitGTK's DMA-BUF renderer and NVIDIA's driver do not work together
//! (tauri-apps/tauri#9304, #9394, #13885).

use std::{ffi::OsStr, path::Path};

/// The variable by which WebKitGTK is asked not to share buffers with the graphics driver. The user's own value always counts.
pub const VARIABLE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
/// Exists while NVIDIA's proprietary driver is loaded. Neither nouveau nor NVK creates it.
const DRIVER: &str = "/proc/driver/nvidia/version";

/// Returns whether the renderer should be disabled. `set` is the present value of [`VARIABLE`]: any value of the user's counts,
/// an empty one too.
fn should_disable(set: Option<&OsStr>, driver_is_loaded: bool) -> bool {
    set.is_none() && driver_is_loaded
}

/// Sets [`VARIABLE`] where it is needed. Must be called before any other thread is started.
pub fn prepare() {
    if should_disable(std::env::var_os(VARIABLE).as_deref(), Path::new(DRIVER).exists()) {
        // SAFETY: `run` calls this first, so no other thread reads the environment.
        #[allow(unsafe_code)]
        unsafe {
            std::env::set_var(VARIABLE, "1");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_renderer_is_disabled_with_nvidias_driver_unless_the_user_decided() {
        assert!(should_disable(None, true));
        assert!(!should_disable(None, false));
        for own in ["0", "1", ""] {
            assert!(!should_disable(Some(OsStr::new(own)), true), "{own:?}");
        }
    }
}
