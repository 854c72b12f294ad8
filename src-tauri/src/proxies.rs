//! The proxy settings of the desktop, as GLib reads them: those of GNOME and KDE, of the portal in a Flatpak, with exceptions and
//! automatic configuration. WebKitGTK loads images by the same settings.

use gleaner_app::DesktopProxies;
use gtk::gio::{Cancellable, ProxyResolver, prelude::ProxyResolverExt as _};
use url::Url;

/// GLib's resolver, which keeps up with changes of the settings.
#[derive(Debug)]
pub struct Proxies;

impl DesktopProxies for Proxies {
    fn lookup(&self, url: &Url) -> Vec<String> {
        match ProxyResolver::default().lookup(url.as_str(), Cancellable::NONE) {
            Ok(proxies) => proxies.into_iter().map(Into::into).collect(),
            Err(error) => {
                tracing::warn!(%error, "the proxy settings of the desktop could not be read");
                Vec::new()
            }
        }
    }
}
