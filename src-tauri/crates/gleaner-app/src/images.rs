//! Stored images and feed icons, which the window loads by the protocol `gleaner-image`. An address names an image by its
//! digest or an icon by its feed, and nothing else.

use crate::{
    App,
    error::{AppError, Result},
    jobs::Job,
    platform::FileFilter,
};
use base64::Engine as _;
use gleaner_contract::{ArticleImage, ErrorCode, OfflineImage};
use gleaner_library::{ItemImage, Millis, image_type};
use gleaner_polling::secrets;
use std::fs;
use url::Url;

/// The name of the protocol. The content security policies allow it for images only.
pub const SCHEME: &str = "gleaner-image";

/// The address of an image by its name: a digest in hexadecimal, or that of an icon. WebView2 only supports http addresses.
pub(crate) fn image_url(name: &str) -> String {
    let protocol = if cfg!(windows) { "http://gleaner-image.localhost/" } else { "gleaner-image://localhost/" };
    format!("{protocol}{name}")
}

/// The address of a feed's icon, with the time of its download, so that a new icon has a new address.
pub(crate) fn icon_url(feed: i64, at: Millis) -> String {
    image_url(&format!("icon/{feed}/{at}"))
}

/// The addresses of the downloaded images of an article.
pub(crate) fn offline_images(images: Vec<ItemImage>) -> Vec<OfflineImage> {
    let here = |image: ItemImage| {
        let name = hex::encode(image.digest?);
        Some(OfflineImage { url: image.url, local_url: image_url(&name) })
    };
    images.into_iter().filter_map(here).collect()
}

/// A stored image.
#[derive(Debug, PartialEq, Eq)]
pub enum Stored {
    /// An image of an article, by its BLAKE3 digest.
    Image([u8; 32]),
    /// The icon of a feed.
    Icon(i64),
}

/// Returns the image that a request names, or `None` if it names none. Only GET is allowed.
pub fn stored(method: &str, path: &str, query: Option<&str>) -> Option<Stored> {
    if method != "GET" || query.is_some() {
        return None;
    }
    let name = path.strip_prefix('/')?;
    let Some(icon) = name.strip_prefix("icon/") else { return digest(name).map(Stored::Image) };
    let (feed, at) = icon.split_once('/')?;
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (number(feed) && number(at)).then(|| feed.parse().ok()).flatten().map(Stored::Icon)
}

fn digest(name: &str) -> Option<[u8; 32]> {
    // Each image has one address.
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    let mut digest = [0; 32];
    hex::decode_to_slice(name, &mut digest).ok()?;
    Some(digest)
}

/// Reads a stored image. Returns its bytes and MIME type, or `None` if there is none.
pub async fn read(app: &App, image: Stored) -> Option<(Vec<u8>, String)> {
    let core = app.core().await.ok()?;
    match image {
        Stored::Icon(feed) => {
            let (kind, bytes) = core.library.icons().get(feed).await.ok()??;
            Some((bytes, kind.to_owned()))
        }
        Stored::Image(digest) => {
            let image = core.library.images().get(&digest).await.ok()??;
            drop(core);
            let read = tokio::task::spawn_blocking(move || fs::read(&image.path)).await;
            Some((read.ok()?.ok()?, image.mime_type))
        }
    }
}

/// Lets the user pick a file and writes an image of an article. Returns its path, or `None` if no file was picked.
pub async fn save_image(app: &App, args: ArticleImage) -> Result<Option<String>> {
    let (bytes, kind) = of_article(app, &args).await?;
    // The extension follows from the bytes, not from the address.
    let filter = match kind {
        "image/png" => FileFilter::new("PNG", &["png"]),
        "image/gif" => FileFilter::new("GIF", &["gif"]),
        "image/webp" => FileFilter::new("WebP", &["webp"]),
        "image/avif" => FileFilter::new("AVIF", &["avif"]),
        _ => FileFilter::new("JPEG", &["jpg", "jpeg"]),
    };
    let name = format!("{}.{}", stem(&args.address), filter.extensions[0]);
    let Some(file) = app.platform()?.save_file(name, filter).await else { return Ok(None) };
    let shown = file.display().to_string();
    let writing = tokio::task::spawn_blocking(move || Ok::<_, AppError>(gleaner_exchange::save(&file, &bytes)?));
    writing.await??;
    Ok(Some(shown))
}

/// Returns an image of an article as a `data:` URL, for the clipboard.
pub async fn image_data(app: &App, args: ArticleImage) -> Result<String> {
    let (bytes, kind) = of_article(app, &args).await?;
    Ok(format!("data:{kind};base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes)))
}

/// Returns an image and its MIME type: the downloaded one, else from the web.
async fn of_article(app: &App, args: &ArticleImage) -> Result<(Vec<u8>, &'static str)> {
    let core = app.core().await?;
    let known = core.library.images().of_article(args.id).await?;
    let digest = known.into_iter().find(|image| image.url == args.address).and_then(|image| image.digest);
    let stored = match digest {
        Some(digest) => read(app, Stored::Image(digest)).await.map(|(bytes, _)| bytes),
        None => None,
    };
    let bytes = match stored {
        Some(bytes) => bytes,
        None => {
            secrets::ask_again();
            let run = app.jobs().replace(Job::Image).await;
            core.poller()?.image(args.id, &args.address, &run.token()).await?
        }
    };
    let kind =
        image_type(&bytes).ok_or_else(|| AppError::new(ErrorCode::NotAnImage, "not an image of a known type"))?;
    Ok((bytes, kind))
}

/// Returns the file name of an address without its extension, with letters that every system allows.
fn stem(address: &str) -> String {
    let last = Url::parse(address).ok().and_then(|url| Some(url.path_segments()?.next_back()?.to_owned()));
    let last = last.unwrap_or_default();
    let stem = last.rsplit_once('.').map_or(last.as_str(), |(stem, _)| stem);
    let stem: String = stem.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).take(80).collect();
    if stem.is_empty() { "image".to_owned() } else { stem }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn names_a_saved_image_by_its_address() {
        for (address, name) in [
            ("https://a.example/pic/Harbour-1.jpg?w=3", "Harbour-1"),
            ("https://a.example/", "image"),
            ("https://a.example/..%2F..%2Fetc", "2F"),
            ("no address", "image"),
        ] {
            assert_eq!(stem(address), name, "{address}");
        }
    }

    #[test]
    fn only_digests_and_icons_are_answered() {
        let image = ItemImage { url: "https://a.example/x".to_owned(), digest: Some([0xa5; 32]), error: None };
        let here = offline_images(vec![image]).remove(0).local_url;
        let path = &here[here.rfind('/').unwrap()..];
        assert_eq!(stored("GET", path, None), Some(Stored::Image([0xa5; 32])));
        let icon = icon_url(7, 1_700_000_000_000);
        assert_eq!(stored("GET", &icon[icon.find("/icon").unwrap()..], None), Some(Stored::Icon(7)));
        assert_eq!(stored("GET", path, Some("")), None);
        for method in ["POST", "HEAD", "PUT", "OPTIONS", "DELETE"] {
            assert_eq!(stored(method, path, None), None, "{method}");
        }
        for refused in [
            "/",
            "",
            "/icon/",
            "/icon/7",
            "/icon/7/",
            "/icon/-7/1",
            "/icon/7/1/",
            "/icon/9999999999999999999/1",
            "/../library.sqlite",
            &path.to_uppercase(),
            &format!("{path}0"),
            &format!("/{path}"),
        ] {
            assert_eq!(stored("GET", refused, None), None, "{refused}");
        }
    }
}
