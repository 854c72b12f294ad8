//! Removes bars of links that share the page on networks, recognised by their addresses.

use crate::extract::tree::Tree;
use gleaner_html::tokens::{Tag, Token, Tokens};
use std::borrow::Cow;

/// Beginnings of addresses that share a page, without scheme and subdomain.
#[rustfmt::skip]
const ADDRESSES: [&str; 45] = [
    "b.hatena.ne.jp/add", "b.hatena.ne.jp/entry", "bsky.app/intent/", "connect.ok.ru/offer", "facebook.com/dialog/feed", "facebook.com/dialog/send",
    "facebook.com/dialog/share", "facebook.com/share.php", "facebook.com/sharer", "getpocket.com/edit", "getpocket.com/save", "instapaper.com/edit",
    "instapaper.com/hello2", "line.me/r/msg", "linkedin.com/cws/share", "linkedin.com/sharearticle", "linkedin.com/sharing/", "mix.com/add",
    "news.ycombinator.com/submitlink", "pinterest.com/pin/create", "pinterest.de/pin/create", "plus.google.com/share", "reddit.com/submit",
    "service.weibo.com/share", "share.diasporafoundation.org", "share.flipboard.com", "social-plugins.line.me/lineit/share", "t.me/share",
    "telegram.me/share", "threads.net/intent/", "tumblr.com/share", "tumblr.com/widgets/share", "twitter.com/home?status", "twitter.com/intent/post",
    "twitter.com/intent/tweet", "twitter.com/share", "vk.com/share", "wa.me/?", "whatsapp.com/send?", "x.com/intent/post", "x.com/intent/tweet",
    "x.com/share", "xing.com/app/user?op=share", "xing.com/social/share", "xing.com/spi/shares",
];

/// Beginnings of addresses of applications that share a page.
const SCHEMES: [&str; 4] = ["mailto:?", "whatsapp://send", "tg://msg", "fb-messenger://share"];

/// Words in labels of such bars, in lower case.
#[rustfmt::skip]
const LABELS: [&str; 41] = [
    "share", "shares", "sharing", "tweet", "tweets", "recommend", "follow", "print", "email", "mail", "copy", "pin", "send", "like",
    "save", "teilen", "teile", "empfehlen", "weitersagen", "diskutieren", "drucken", "merken", "speichern", "partager", "partagez", "compartir", "comparte", "compartilhar",
    "compartilhe", "condividi", "deel", "delen", "dela", "udostępnij", "podziel", "поделиться", "分享", "分享到", "分享至", "シェア", "シェアする",
];

/// Other words in such bars. Any further word may belong to the article.
#[rustfmt::skip]
const OTHERS: [&str; 63] = [
    "this", "the", "article", "page", "post", "story", "it", "on", "via", "by", "with", "your", "friends", "and", "us", "e", "link", "or",
    "facebook", "twitter", "x", "linkedin", "whatsapp", "telegram", "pinterest", "reddit", "bluesky", "mastodon", "artikel", "beitrag", "seite", "den", "diesen", "diese", "die", "auf",
    "bei", "möchten", "sie", "jetzt", "per", "mit", "anderen", "mich", "social", "cet", "sur", "l", "cette", "en", "este", "esta", "artículo", "artigo",
    "noticia", "notícia", "questo", "articolo", "su", "dit", "op", "del", "się",
];

/// Maximum length of a bar in bytes.
const MAX_BAR: usize = 30_000;
/// Maximum mean length of the text of a link in bytes; a longer one is a quotation to share.
const MAX_LINK: usize = 30;
/// Maximum length of the text outside of the links in bytes.
const MAX_LABEL: usize = 80;
/// Maximum width or height of an icon.
const MAX_ICON: u32 = 64;
/// Parts of the names of icons, in lower case.
const ICONS: [&str; 6] = ["button", "icon", "pinit", "pin-it", "pinterest", "social"];

/// The role of an element that follows from its tag.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Known {
    #[default]
    Other,
    Share,
    /// Any other link.
    Link,
    /// Content, which a bar does not contain.
    Content,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        match &*tag.name {
            "a" => match tag.attributes.get("href") {
                Some(href) if is_share(&href) => Self::Share,
                // Such a link runs a script, often to print.
                Some(href) if !href.starts_with('#') && !href.starts_with("javascript:") => Self::Link,
                _ => Self::Other,
            },
            "article" | "main" | "h1" | "pre" | "table" | "blockquote" | "figure" | "iframe" | "video" | "audio"
            | "time" => Self::Content,
            _ => Self::Other,
        }
    }
}

/// Whether an address shares a page.
fn is_share(href: &str) -> bool {
    let href = href.trim().to_ascii_lowercase();
    if SCHEMES.iter().any(|scheme| href.starts_with(scheme)) {
        return true;
    }
    let rest = href.split_once("//").map_or(&*href, |(_, rest)| rest);
    ADDRESSES.iter().any(|address| {
        let at = rest.find(address);
        at.is_some_and(|at| at == 0 || rest[..at].ends_with('.') && !rest[..at].contains('/'))
    })
}

/// Returns the page without bars of links that share it.
pub(super) fn without_shares(page: &str) -> Cow<'_, str> {
    let tree = Tree::read(page, Known::read);
    // The links that share the page inside of each element, the other links, and whether it has other content.
    let mut inside = vec![(0_usize, 0_usize, false); tree.elements.len()];
    for at in (0..tree.elements.len()).rev() {
        let known = tree.elements[at].known;
        let mut sum = (usize::from(known == Known::Share), usize::from(known == Known::Link), known == Known::Content);
        for child in tree.children(at) {
            let (shares, links, has_content) = inside[child];
            sum = (sum.0 + shares, sum.1 + links, sum.2 || has_content);
        }
        inside[at] = sum;
    }
    // How many more bytes may be read; limited, because nested elements contain the same text.
    let mut budget = page.len() * 4;
    let mut out = String::new();
    let mut copied = 0;
    for (element, (shares, links, has_content)) in tree.elements.iter().zip(inside).skip(1) {
        let range = element.range();
        let length = element.text() - element.links();
        let is_bar = shares > 1
            && links * 2 <= shares
            && !has_content
            && element.links() <= (shares + links) * MAX_LINK
            && length <= MAX_LABEL
            && range.start >= copied
            && range.len() <= MAX_BAR.min(budget);
        if is_bar {
            budget -= range.len();
            if is_labelled(&page[range.clone()]) {
                out.push_str(&page[copied..range.start]);
                copied = range.end;
            }
        }
    }
    if copied == 0 { Cow::Borrowed(page) } else { Cow::Owned(out + &page[copied..]) }
}

/// Whether any text outside of the links is a label of a bar, all images are icons in links, and no link displays its address.
fn is_labelled(html: &str) -> bool {
    let (mut label, mut in_link, mut has_heading) = (String::new(), false, false);
    // Whether the open link shares an image, and displays it.
    let mut shares_image = false;
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) if tag.name == "a" => {
                in_link = true;
                shares_image = tag.attributes.get("href").is_some_and(|href| href.contains("/pin/create"));
            }
            Token::End(name) if name == "a" => in_link = false,
            Token::Start(tag) if tag.name == "img" && (!in_link || shares_image && !is_icon(&tag)) => return false,
            Token::Text(text) if in_link && is_share(text) => return false,
            Token::Start(tag) => has_heading |= matches!(&*tag.name, "h2" | "h3" | "h4" | "h5" | "h6"),
            Token::Text(text) if !in_link => label.push_str(&gleaner_html::references::decode(text)),
            _ => {}
        }
    }
    let label = label.to_lowercase();
    let words = || label.split(|c: char| !c.is_alphanumeric()).filter(|word| word.contains(char::is_alphabetic));
    if words().next().is_none() {
        return !has_heading;
    }
    !label.trim_end().ends_with('.')
        && words().any(|word| LABELS.contains(&word))
        && words().all(|word| LABELS.contains(&word) || OTHERS.contains(&word))
}

/// Whether an image is small, or has the name of an icon.
fn is_icon(image: &Tag<'_>) -> bool {
    let is_small = |(name, value): &(Cow<'_, str>, Cow<'_, str>)| {
        matches!(&**name, "width" | "height")
            && value.trim().trim_end_matches("px").parse().is_ok_and(|size: u32| size <= MAX_ICON)
    };
    let is_named = |(name, value): &(Cow<'_, str>, Cow<'_, str>)| {
        let value = value.to_ascii_lowercase();
        matches!(&**name, "src" | "class" | "alt") && ICONS.iter().any(|icon| value.contains(icon))
    };
    image.attributes.clone().any(|attribute| is_small(&attribute) || is_named(&attribute))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINKS: &str = "<a href='https://www.facebook.com/sharer/sharer.php?u=x'><svg></svg>Facebook</a> \
                         <a href='//twitter.com/intent/tweet?url=x'>Tweet</a><a href='#' onclick='print()'>Print</a>";

    #[test]
    fn removes_bars_by_their_addresses() {
        for bar in [
            format!("<div class=x>{LINKS}</div>"),
            format!("<div>Möchten Sie den Artikel teilen?<br><p>{LINKS}</p></div>"),
            format!(
                "<ul><li>{LINKS}</li><li>12 <a href='mailto:?subject=x'>E-mail</a> <a href=/print/1>PDF</a></li></ul>"
            ),
        ] {
            assert_eq!(without_shares(&format!("<p>Nets.</p>{bar}<p>Boats.</p>")), "<p>Nets.</p><p>Boats.</p>");
        }
    }

    #[test]
    fn keeps_texts_with_links_that_share_them() {
        for kept in [
            format!("<div><p>The nets are dry.</p>{LINKS}</div>").replace("/sharer", "/harbour"),
            "<p>Share it on <a href=https://www.facebook.com/sharer>Facebook</a>.</p>".to_owned(),
            format!("<div><img src=net.png>{LINKS}</div>"),
            format!("<article>{LINKS}</article>"),
            "<p><a href='https://twitter.com/intent/tweet?text=x'>The boats were in, and no one was about to repair a net.</a> \
             <a href='https://twitter.com/intent/tweet?text=x'>Click to tweet</a></p>".to_owned(),
            "<ul><li><a href=https://b.example/?u=https://twitter.com/share>Boats</a></li><li><a href=https://netx.com/share>Nets</a></li></ul>".to_owned(),
        ] {
            assert_eq!(without_shares(&kept), kept);
        }
        let pinned = |image: &str| {
            let pin = |at: u8| format!("<a href=https://pinterest.com/pin/create/button/?media={at}><img {image}></a>");
            format!("<p>{}{}</p>", pin(1), pin(2))
        };
        for kept in [
            pinned("src=/fish.jpg"),
            pinned("src=/fish.jpg width=700 height=900"),
            "<ul><li><a href=https://twitter.com/intent/tweet>twitter.com/intent/tweet</a></li>\
             <li><a href=https://www.facebook.com/sharer>facebook.com/sharer</a></li></ul>"
                .to_owned(),
        ] {
            assert_eq!(without_shares(&kept), kept);
        }
        assert_eq!(without_shares(&pinned("src=/pinterest.png")) + &*without_shares(&pinned("src=a width=24px")), "");
        // The text of a short entry is not a label.
        for text in [
            "<time>10:05</time>",
            "<h3>10:05</h3>",
            "<p>Shares of the bank fall by five percent.</p>",
            "<p>The mayor tweets: the pier is closed.</p>",
            "<p>Die Urteile werden um zwölf Uhr verkündet.</p>",
            "<p>Alle Stadtteile sind ohne Strom.</p>",
            "<p>De steden handelen samen en delen de kosten.</p>",
            "<h3>Nachteile</h3>",
            "<h2>Market share</h2><p>Cod 40 %, herring 60 %.</p>",
            "<p>12 boats are shared by 4 families in town.</p>",
            "<p>Sharing is all that we have.</p>",
            "<p>Share it.</p>",
            "<p>Quem compartilha a dor divide o peso.</p>",
            "<p>Teile und herrsche.</p>",
            "<p>Share of the market</p>",
            "<p>Artikel 5</p>",
            "<p>Del 2</p>",
        ] {
            let bar = format!("<ul><li>{LINKS}</li></ul>");
            let entry = |bar: &str| format!("<div class=entry>{text}{bar}</div>");
            assert_eq!(without_shares(&entry(&bar)), entry(""));
        }
        let short = format!("<div><p>The nets are dry.</p><div>{LINKS}</div></div>");
        assert_eq!(without_shares(&short), "<div><p>The nets are dry.</p></div>");
    }
}
