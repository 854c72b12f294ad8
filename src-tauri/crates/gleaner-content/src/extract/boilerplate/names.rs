//! Class names, ids and phrases that mark boilerplate.

use super::MAX_LABEL;

/// What the name of an element says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Boilerplate if it is short: dates, bylines, tags, authors.
    Label,
    /// Boilerplate if it consists of links.
    Teaser,
    /// Boilerplate if it is as short as a label, and within a line, too.
    CertainLabel,
    /// Boilerplate unless it is large.
    Boilerplate,
    /// Boilerplate.
    Certain,
}

/// Words in classes and ids that are only used for boilerplate. A pair is two words that follow each other.
#[rustfmt::skip]
const CERTAIN: &[&str] = &[
    "a11y-hidden", "about-author", "aboutauthor", "accessibly-hidden", "addthis", "addtoany", "ambox", "amp-ad", "amp-consent", "amp-sidebar", "article-author", "article-footer", "articlefooter", "assistive-text", "author-about", "author-bio", "author-box", "author-card",
    "author-description", "author-info", "author-text", "authorbox", "authorinfo", "bio-box", "breadcrumb", "breadcrumbs",
    "comment-form", "comment-list", "comment-respond", "comment-section", "comment-wrapper", "commentlist", "comments-area", "comments-link",
    "comments-section", "comments-title", "comments-wrapper", "disqus-thread", "editsection", "element-invisible", "entry-author", "entry-footer", "entryfooter",
    "entry-utility", "interesting-articles", "jp-relatedposts", "kommentar-modul", "kommentare", "kommentarmodul", "lnkrel", "molongui-author", "nav-links",
    "no-comments", "nocomments", "off-screen", "offscreen", "outbrain", "pager", "pagination", "paywall-banner", "paywall-cta", "paywall-message", "paywall-offer", "paywall-overlay", "paywall-prompt", "post-author", "post-footer", "post-navigation", "post-ratings", "postmetadata", "postfooter",
    "recipe-jump", "recipe-pin", "recipe-print", "regwall", "related-articles", "related-content", "related-news", "related-posts", "related-stories", "relatedarticles", "relatedposts", "rollover-block", "saboxplugin", "screen-reader", "screenreader", "sharebar", "sharebuttons", "sharedaddy", "shariff", "show-for-sr", "sr-only", "taboola", "tooltip-content", "tooltip-text", "tooltiptext", "vertical-navbox", "visually-hidden", "visuallyhidden", "yarpp",
];

/// Words in classes and ids that are only used for labels. An element around an article may have one, too.
#[rustfmt::skip]
const CERTAIN_LABELS: &[&str] = &[
    "cat-links", "comment-count", "comments-link", "post-views", "posted-by", "posted-on", "print-link", "reading-time", "tags-links",
];

/// Words in classes and ids of boilerplate.
#[rustfmt::skip]
const BOILERPLATE: &[&str] = &[
    "advert", "advertisement", "advertising", "cookie", "cookies", "disqus", "donate", "donation", "feedback", "follow-us", "mostread",
    "newsletter", "print-only", "printfriendly", "promo", "rating", "ratings", "readmore", "recirc", "recommendations", "recommended",
    "related", "share", "shares", "sharing", "signup", "social", "socialmedia", "sponsored", "subscribe", "subscription-box",
    "toolbar", "trending", "vote", "voting",
];

/// Words in classes and ids of short labels that a reader shows elsewhere.
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "article-date", "article-info", "article-meta", "articlemeta", "author", "authors", "autor", "bio", "byline", "bylines", "categories",
    "category-info", "content-meta", "creation-details", "date", "datetime", "dateline", "datum", "entry-date", "entry-meta", "info-bar",
    "kicker", "last-updated", "meta", "metadata", "metainfo", "post-categories", "post-date", "post-info", "post-meta", "post-tags", "postmeta",
    "pubdate", "publish-date", "published", "tags", "timestamp", "updated",
];

/// Words in classes and ids of boxes that lead to other articles.
const TEASERS: &[&str] =
    &["cta", "crosslink", "linkbox", "more-articles", "morelinks", "read-more", "teaser", "teasers", "suggestions"];

/// Phrases that are boilerplate when alone in a paragraph, heading or box.
#[rustfmt::skip]
const ALONE: &[&str] = &[
    "ad", "ad feedback", "ads", "advert", "after newsletter promotion", "skip past newsletter promotion", "zur merkliste hinzufügen", "advertentie", "advertisement", "advertisements", "anzeige", "anzeigen", "article continues below",
    "article continues below advertisement", "artikel drucken", "artikel teilen", "annons", "annonse", "caption", "click to enlarge", "click to share", "close",
    "comments are closed", "continue reading below", "copy link", "follow us", "hide caption", "hirdetés", "iklan", "jump to comments", "mainos",
    "comment", "comments", "comments closed", "comments off", "deja un comentario", "die kommentare sind geschlossen", "i commenti sono chiusi", "keine kommentare", "kommentar hinterlassen", "kommentar schreiben", "kommentar verfassen", "kommentare",
    "kommentare geschlossen", "kommentare schreiben", "kommentare sind geschlossen", "les commentaires sont fermés", "kommentieren", "laisser un commentaire", "lascia un commento", "leave a comment", "leave a reply",
    "link copied", "loading", "los comentarios están cerrados", "post a comment", "print recipe", "rezept drucken", "schreibe einen kommentar", "listen to this article", "no comments",
    "back to top", "externer inhalt", "jetzt abonnieren", "jetzt kommentieren", "lade weitere inhalte", "loading content", "popular this week",
    "quellen ausblenden", "recent articles", "recent posts", "seite drucken", "subscribe now", "view all comments", "zum seitenanfang", "zurück nach oben", "zurück zur startseite",
    "zurück zur übersicht",
    "order reprints", "print", "print article", "print this article", "publicidad", "publicité", "publicidade", "pubblicità", "read aloud", "reklama", "save this story",
    "share", "share on facebook", "share on twitter", "share this", "share this article", "share this page", "share this post", "share this story", "skip advertisement",
    "subscribe", "text size",
    "story continues below advertisement", "teilen", "video ad feedback", "view comments", "werbung", "διαφήμιση", "реклама", "إعلان", "विज्ञापन", "광고", "広告", "廣告", "广告",
];

/// Phrases among them that are headings of articles, or items of their lists, too.
#[rustfmt::skip]
const AMBIGUOUS: &[&str] = &[
    "ad", "ads", "annons", "annonse", "back to top", "caption", "close", "comment", "comments", "externer inhalt", "jetzt abonnieren", "jetzt kommentieren", "kommentare", "kommentieren", "lade weitere inhalte", "loading", "loading content", "popular this week", "print",
    "quellen ausblenden", "recent articles", "recent posts", "seite drucken", "share", "subscribe", "subscribe now", "text size", "teilen", "view all comments", "zum seitenanfang", "zurück nach oben", "zurück zur startseite", "zurück zur übersicht",
];

/// Beginnings of labels with the reading time, in lower case.
#[rustfmt::skip]
const READING_TIMES: &[&str] = &[
    "czas czytania", "estimated reading time", "leestijd", "lesedauer", "lesezeit", "lästid", "læsetid", "reading time", "temps de lecture", "tempo de leitura",
    "tempo di lettura", "tiempo de lectura",
];

/// Endings of such labels if they begin with a number.
#[rustfmt::skip]
const MINUTES: &[&str] = &[
    "min read", "min. read", "mins read", "minute read", "minutes read", "min lesezeit", "min. lesezeit", "minuten lesezeit", "min de lecture", "minutes de lecture",
    "min de lectura", "minutos de lectura", "min de leitura", "minutos de leitura", "min di lettura", "minuti di lettura", "minuten leestijd",
];

/// Texts that browsers without a player show, in lower case.
#[rustfmt::skip]
const FALLBACKS: &[&str] = &[
    "dein browser unterstützt", "deine browser unterstützt", "ihr browser unterstützt", "il tuo browser non supporta", "seu navegador não suporta", "su navegador no soporta",
    "tu navegador no soporta", "votre navigateur ne prend pas en charge", "votre navigateur ne supporte pas", "your browser does not support", "your browser doesn't support", "your browser doesn’t support",
];

/// Words for players in these texts.
const PLAYERS: &[&str] = &["audio", "element", "élément", "iframe", "lecteur", "player", "tag", "video", "vidéo"];

/// Beginnings of questions about an article, in lower case.
#[rustfmt::skip]
const RATINGS: &[&str] = &[
    "cet article vous a-t-il", "did you find this article", "fandest du den artikel hilfreich", "fanden sie diesen artikel hilfreich", "hat dir der artikel gefallen",
    "hat ihnen dieser artikel gefallen", "how useful was this post", "questo articolo ti è stato utile", "te ha resultado útil este artículo", "war dieser artikel hilfreich",
    "war dieser beitrag hilfreich", "was this article helpful", "was this helpful", "was this page helpful",
];

/// Maximum number of letters of the answers to such a question.
const MAX_ANSWERS: usize = 12;

/// Beginnings of image numbers in a gallery, in lower case.
const IMAGES: &[&str] = &["bild", "foto", "image", "imagem", "imagen", "immagine", "photo", "picture"];

/// Names of newsletters of the site, in lower case.
#[rustfmt::skip]
const OWN_NEWSLETTERS: &[&str] = &[
    "la nostra newsletter", "nossa newsletter", "notre newsletter", "nuestra newsletter", "nuestro boletín", "onze nieuwsbrief", "our free newsletter", "our newsletter",
    "unsere newsletter", "unseren newsletter", "unserem newsletter",
];

/// Beginnings of links to other articles, in lower case.
#[rustfmt::skip]
const SEE_ALSO: &[&str] = &[
    // English
    "also read", "also see", "don't miss", "don’t miss", "keep reading", "more:", "more from", "more like this", "more on this", "most popular",
    "most read", "read also", "read:", "read more", "read next", "read the full", "recommended", "related", "see also", "see more", "suggested reading", "you may also", "you might also",
    // German
    "auch interessant", "auch lesenswert", "das könnte", "lesen sie auch", "lesen sie hier", "lesen sie mehr", "lies auch", "lies hier", "lies mehr", "mehr dazu", "mehr lesen", "mehr zu",
    "mehr zum thema", "meistdiskutiert", "meistgelesen", "passend dazu", "schon gelesen", "siehe auch", "verwandte", "weitere artikel",
    "weitere beiträge", "weitere informationen", "weiterlesen", "ähnliche artikel", "ähnliche beiträge",
    // French
    "a lire aussi", "articles liés", "lire aussi", "lire également", "lire la suite", "sur le même sujet", "voir aussi", "vous aimerez aussi", "vous aimerez peut-être", "à lire", "à lire aussi", "à voir aussi",
    // Spanish and Portuguese
    "artículos relacionados", "lea también", "lee también", "leer más", "leia mais", "leia também", "noticias relacionadas", "saiba mais",
    "le puede interesar", "mira:", "mire:", "más noticias:", "notas relacionadas", "podría interesarte", "puede interesarte", "también te puede", "te puede interesar", "te recomendamos", "veja também", "ver también", "você pode gostar", "você também pode gostar",
    // Italian
    "articoli correlati", "guarda anche", "leggi anche", "leggi:", "potrebbe interessarti", "ti potrebbe interessare", "vedi anche",
    // Dutch, Danish, Norwegian, Swedish
    "bekijk ook", "gerelateerd", "lees meer", "lees ook", "les mer", "les også", "læs mere", "læs også", "läs mer", "läs också", "läs även",
    // Finnish, Hungarian, Romanian, Greek, Turkish
    "lue lisää", "lue myös", "kapcsolódó cikk", "olvassa el ezt is", "citeşte şi", "citește și", "vezi și", "διαβάστε ακόμα", "διαβάστε ακόμη", "διαβάστε επίσης", "benzer haberler",
    "ilgili haber", "ilginizi çekebilir",
    // Polish, Czech, Croatian, Russian, Ukrainian
    "czytaj także", "czytaj też", "czytaj więcej", "zobacz także", "zobacz też", "čtěte také", "přečtěte si také", "pročitajte i", "смотрите также", "читайте также", "дивіться також",
    "читайте також",
    // Indonesian, Vietnamese
    "artikel terkait", "baca juga", "berita terkait", "lihat juga", "simak juga", "đọc thêm", "xem thêm",
    // Arabic, Persian, Hindi, Bengali, Thai
    "اقرأ أيض", "بیشتر بخوانید", "यह भी पढ", "ये भी पढ", "আরও পড়ুন", "ข่าวที่เกี่ยวข้อง", "อ่านเพิ่มเติม",
    // Chinese, Japanese, Korean
    "延伸閱讀", "延伸阅读", "推荐阅读", "推薦閱讀", "相關文章", "相關新聞", "相关文章", "相关新闻", "相关阅读", "あわせて読みたい", "関連記事", "관련 기사", "관련기사",
];

/// Phrases among them that introduce other links as well.
const OTHER_LINKS: &[&str] = &["mehr dazu", "recommended", "saiba mais", "suggested reading", "weitere informationen"];

/// Words for articles that labels of links end with, in lower case.
#[rustfmt::skip]
const ARTICLES: &[&str] = &[
    "article", "articles", "artigos", "artikel", "artikelen", "artikeln", "artiklar", "artikler", "articoli", "artículos", "beiträge", "beiträgen", "headlines", "meldungen",
    "nachrichten", "news", "noticias", "notícias", "posts", "stories", "story", "статьи",
];

/// Beginnings of headings of references, in lower case.
const SECTIONS: &[&str] = &["related literature", "related research", "related work", "related works"];

/// Beginnings of sentences that look like links to other articles, in lower case.
const SENTENCES: &[&str] = &["read the full", "related to"];

/// Beginnings of requests to readers, in lower case.
#[rustfmt::skip]
const REQUESTS: &[&str] = &[
    "a version of this article appeared in print", "a version of this article appears in print", "log in or register to post comments", "log in to post comments",
    "login or register to post comments", "login to post comments", "this article contains affiliate links", "this article may contain affiliate links",
    "this post contains affiliate links", "this post may contain affiliate links", "you must be logged in to post a comment",
    "buy me a coffee", "download our app", "email the author", "folge uns", "folgen sie uns", "follow him on", "follow her on", "follow me on",
    "follow our", "follow them on", "for the latest news", "for the latest stories", "follow us", "got a tip", "have a news tip", "have a tip", "reach the reporter", "contact the reporter", "if you enjoyed this", "if you liked this", "like us on",
    "seguici", "siga-nos", "suivez-nous", "síguenos", "this entry was posted", "volg ons", "want more stories",
];

/// Phrases in offers of subscriptions, in lower case.
#[rustfmt::skip]
const OFFERS: &[&str] = &[
    "already a subscriber", "already subscribed?", "bereits abonnent", "déjà abonné", "schon abonnent", "subscribe now to read",
    "edition for the full story", "subscribe to read", "to view the full story", "ya eres suscriptor", "subscribe to continue reading",
];

/// Labels of descriptions of authors, in lower case.
#[rustfmt::skip]
const ABOUT_AUTHORS: &[&str] = &[
    "about the author", "about the authors", "about the writer", "l'auteur", "l’auteur", "o autorze", "over de auteur", "sobre el autor", "sobre la autora", "sobre o autor",
    "sull'autore", "sull’autore", "zum autor", "zur autorin", "à propos de l'auteur", "à propos de l’auteur", "über den autor", "über die autoren", "über die autorin",
];

/// Beginnings of requests to follow a site on several networks, in lower case.
const FOLLOW: &[&str] =
    &["follow ", "folge ", "folgen sie ", "folgt ", "seguite ", "segui ", "siga ", "sigue ", "suivez ", "volg "];

/// Phrases that state the purpose of something, in lower case.
const PURPOSES: &[&str] = &[" to ", " for ", " zu", " um ", " pour ", " para ", " per ", " om "];

/// Names of networks, in lower case.
const NETWORKS: &[&str] = &[
    "bluesky",
    "facebook",
    "google news",
    "instagram",
    "linkedin",
    "mastodon",
    "telegram",
    "threads",
    "tiktok",
    "twitter",
    "whatsapp",
    "x.com",
    "youtube",
];

/// Names of channels that readers are invited to, in lower case.
#[rustfmt::skip]
const CHANNELS: &[&str] = &[
    "canal de telegram", "canal de whatsapp", "canal do telegram", "canal do whatsapp", "canal telegram", "canal whatsapp", "canale telegram",
    "canale whatsapp", "chaîne telegram", "chaîne whatsapp", "telegram channel", "telegram-kanal", "whatsapp channel", "whatsapp-kanal",
];

/// Beginnings of such invitations, in lower case.
#[rustfmt::skip]
const JOIN: &[&str] = &[
    "abonnez-vous", "abonniere", "abonnieren sie", "abonniert unseren", "entre no canal", "entre no nosso", "follow our", "folge dem", "folge uns",
    "folge unserem", "folgen sie", "iscriviti", "join", "rejoignez", "suscríbase", "suscríbete", "síguenos", "unisciti", "únete",
];

/// Beginnings of labels of links, in lower case. Sentences begin with them, too.
const LINK_LABELS: &[&str] =
    &["click here to get the", "filed under", "follow the author", "posted in", "share this", "tagged"];

/// Beginnings of invitations to subscribe, in lower case.
#[rustfmt::skip]
const INVITATIONS: &[&str] = &[
    "abonnez-vous", "abonniere", "abonnieren sie", "apúntate", "click here to", "erhalten sie", "get our", "get the", "inscrivez-vous", "jetzt", "join our", "melden sie sich", "never miss",
    "newsletter", "sign up", "subscribe", "suscríbete", "want more", "would you like",
];

/// Words for what one subscribes to, in lower case.
#[rustfmt::skip]
const SUBSCRIPTIONS: &[&str] = &["newsletter", "your inbox", "by e-mail", "by email", "via e-mail", "via email", "per e-mail", "per email", "email alert",
    "email update", "mailing list", "rss feed", "our channel", "youtube channel", "podcast feed"];

/// Words of invitations to subscribe that other sentences contain, too.
const MAIL: &[&str] = &["inbox", "e-mail", "email"];

/// Beginnings of dates of publication, in lower case.
#[rustfmt::skip]
pub(super) const DATED: &[&str] = &[
    "actualizado", "aggiornato", "aktualisiert", "aktualizacja", "atualizado", "first published", "last modified", "last updated", "mis à jour",
    "posted", "publicado", "published", "publikacja", "publié", "pubblicato", "updated", "veröffentlicht", "zuletzt aktualisiert",
];

/// Names of the legal pages of a site, in lower case.
#[rustfmt::skip]
const LEGAL: &[&str] = &[
    "aviso legal", "datenschutz", "datenschutzerklärung", "impressum", "imprint", "legal notice", "mentions légales", "politique de confidentialité",
    "política de privacidad", "política de privacidade", "privacy", "privacy policy", "terms", "terms of service", "terms of use",
];

/// Classes of elements with line numbers of code.
const GUTTERS: &[&str] =
    &["gutter", "lineno", "linenos", "linenodiv", "linenumbers", "line-numbers", "line-number", "lnt", "blob-num"];

/// Returns what the value of a class or id says about the element.
pub(super) fn kind(names: &str) -> Option<Kind> {
    names.split_ascii_whitespace().filter_map(kind_of).max()
}

/// Returns what the value of a class says about the element.
pub(super) fn kind_of_class(names: &str) -> Option<Kind> {
    // Only as a whole name: parts of names have other meanings. Not as an id: the ids of headings are made of their words.
    let is_ad = names.split_ascii_whitespace().any(|name| matches!(name, "ad" | "ads"));
    kind(names).max(is_ad.then_some(Kind::Boilerplate))
}

/// Whether the value of a class or id marks boilerplate.
pub(in crate::extract) fn is_named(names: &str) -> bool {
    kind(names).is_some()
}

/// Whether a name contains one of some words, or pairs of words.
pub(in crate::extract) fn has_word(name: &str, list: &[&str]) -> bool {
    let words = words(name);
    words.iter().any(|word| list.contains(&&**word)) || words.windows(2).any(|pair| list.contains(&&*pair.join("-")))
}

fn kind_of(name: &str) -> Option<Kind> {
    let words = words(name);
    // Fields of Drupal: only the label of the element is hidden.
    if words.windows(2).any(|pair| pair == ["label", "visually"]) {
        return None;
    }
    let of = |word: &str| {
        let is = |list: &[&str]| list.contains(&word);
        match word {
            _ if is(CERTAIN) => Some(Kind::Certain),
            _ if is(BOILERPLATE) => Some(Kind::Boilerplate),
            _ if is(CERTAIN_LABELS) => Some(Kind::CertainLabel),
            _ if is(TEASERS) => Some(Kind::Teaser),
            _ if is(LABELS) => Some(Kind::Label),
            _ if word.starts_with("related") || word.starts_with("newsletter") => Some(Kind::Boilerplate),
            _ => None,
        }
    };
    let single = words.iter().filter_map(|word| of(word)).max();
    let pairs = words.windows(2).filter_map(|pair| of(&pair.join("-"))).max();
    single.max(pairs)
}

/// Returns the words of a name in lower case: `AuthorBox__text` has the words author, box and text.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for c in name.chars().take(200) {
        if matches!(c, '-' | '_') || c.is_ascii_uppercase() && lower {
            words.push(String::new());
        }
        lower = c.is_ascii_lowercase();
        if let (Some(word), false) = (words.last_mut(), matches!(c, '-' | '_')) {
            word.push(c.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether the class marks line numbers.
pub(super) fn is_gutter(class: &str) -> bool {
    class.split_ascii_whitespace().any(|class| GUTTERS.contains(&class))
}

/// Whether the text is a phrase that is boilerplate when alone, or several of them.
pub(super) fn is_phrase(text: &str) -> bool {
    let is_alone = |text: &str| ALONE.contains(&trimmed(text));
    is_alone(text) || {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
        lines.peek().is_some() && lines.all(|line| is_alone(line) && !is_ambiguous(line))
    }
}

/// Whether the text is a short label that is boilerplate: a reading time, the number of an image in a gallery, the text shown instead of a
/// player, or a question about the article.
pub(super) fn is_notice(text: &str) -> bool {
    let is_time = || {
        let text = trimmed(text);
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < text.len() && MINUTES.contains(&rest.trim_start_matches(|c: char| !c.is_alphanumeric()))
            || text.contains(|c: char| c.is_ascii_digit()) && text.len() <= 50 && starts(text, READING_TIMES)
    };
    let is_fallback =
        || starts(text, FALLBACKS) && !text.contains('?') && PLAYERS.iter().any(|player| text.contains(player));
    // Answers, such as "Yes No", may follow.
    let is_rating = || {
        after(text, RATINGS).any(|rest| {
            let answers = rest.rsplit('?').next().unwrap_or_default();
            answers.chars().filter(|c| c.is_alphanumeric()).count() <= MAX_ANSWERS
        })
    };
    text.len() <= MAX_LABEL && (is_time() || is_counter(text) || is_fallback() || is_rating())
}

/// Whether a phrase may be the heading of a section, or an item.
pub(super) fn is_ambiguous(text: &str) -> bool {
    AMBIGUOUS.contains(&trimmed(text))
}

/// Whether the text only introduces links to other articles.
pub(super) fn is_bare_reference(text: &str) -> bool {
    SEE_ALSO.contains(&trimmed(text))
}

/// Whether the text is a label of links to other articles.
pub(super) fn is_label_of_articles(text: &str) -> bool {
    let text = trimmed(text);
    let names_articles = || text.split_whitespace().next_back().is_some_and(|word| ARTICLES.contains(&word));
    is_bare_reference(text) && !OTHER_LINKS.contains(&text)
        || is_reference(text) && !is_section(text) && names_articles()
}

/// Whether the text is a word and a colon that introduce links to other articles, or something else.
pub(super) fn is_bare_label(text: &str) -> bool {
    after(text, SEE_ALSO).any(|rest| !rest.contains(char::is_alphanumeric))
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Whether the text begins like a link to other articles.
pub(super) fn is_reference(text: &str) -> bool {
    starts(text, SEE_ALSO)
}

/// Whether the text begins like the heading of references.
pub(super) fn is_section(text: &str) -> bool {
    starts(text, SECTIONS)
}

/// Whether the text may be a sentence of an article, although it begins like a link to another.
pub(super) fn is_sentence(text: &str) -> bool {
    starts(text, SENTENCES) && !["article", "story", "post", "here"].iter().any(|word| text.contains(word))
}

/// Whether the text begins like a request to the reader.
pub(super) fn is_request(text: &str) -> bool {
    let contains = |list: &[&str]| list.iter().any(|what| text.contains(what));
    starts(text, REQUESTS)
        || starts(text, INVITATIONS) && contains(SUBSCRIPTIONS)
        // Episodes have numbers in German.
        || after(text, FOLLOW).any(|rest| !rest.starts_with(|c: char| c.is_ascii_digit())) && names_networks(text)
        || contains(CHANNELS) && text.split_inclusive(['?', '!']).any(|sentence| starts(sentence, JOIN))
}

/// Whether a request to follow a site names several networks, and no purpose before them: steps are followed to do something.
fn names_networks(text: &str) -> bool {
    let places: Vec<usize> = NETWORKS.iter().filter_map(|network| text.find(network)).collect();
    let before = places.iter().min().map_or(text, |first| &text[..*first]);
    places.len() > 1 && before.len() <= 80 && !PURPOSES.iter().any(|purpose| before.contains(purpose))
}

/// Whether the text is the number of an image in a gallery, such as "Image 1 of 5".
fn is_counter(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_number = |word: Option<&str>| word.is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()));
    words.next().is_some_and(|word| IMAGES.contains(&word))
        && is_number(words.next())
        && match words.next() {
            Some("of" | "von" | "de" | "di" | "sur" | "van" | "av" | "z") => is_number(words.next()),
            word => text.contains('/') && is_number(word),
        }
        && words.next().is_none()
}

/// Whether the text invites readers to subscribe to the newsletter of the site.
pub(super) fn is_newsletter(text: &str) -> bool {
    text.len() <= MAX_LABEL && starts(text, INVITATIONS) && OWN_NEWSLETTERS.iter().any(|name| has_end(text, name))
}

/// Whether the text contains these words, and the last one is not only the beginning of a longer word.
fn has_end(text: &str, words: &str) -> bool {
    text.split_once(words).is_some_and(|(_, rest)| !rest.starts_with(char::is_alphanumeric))
}

/// Whether the text is an offer of a subscription.
pub(super) fn is_offer(text: &str) -> bool {
    OFFERS.iter().any(|offer| text.contains(offer))
}

/// Whether the text begins like a label of links, or like an invitation in which links matter.
pub(super) fn is_label(text: &str) -> bool {
    starts(text, LINK_LABELS) || starts(text, INVITATIONS) && MAIL.iter().any(|what| text.contains(what))
}

/// Whether the text is the label of a description of the author.
pub(super) fn is_about_author(text: &str) -> bool {
    ABOUT_AUTHORS.contains(&trimmed(text))
}

/// Whether the text is little else than a date of publication.
pub(super) fn is_date(text: &str) -> bool {
    text.len() <= 100 && after(text, DATED).any(super::dates::begins_with_date)
}

/// Whether the text is a row of links to the legal pages of the site.
pub(super) fn is_legal_row(text: &str) -> bool {
    super::dates::parts(text).filter(|part| LEGAL.contains(part)).count() > 1
}

fn starts(text: &str, with: &[&str]) -> bool {
    after(text, with).next().is_some()
}

/// Returns the rest of the text after the phrases at its beginning.
pub(super) fn after<'a>(text: &'a str, with: &[&str]) -> impl Iterator<Item = &'a str> {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    with.iter().filter_map(move |start| {
        text.strip_prefix(start).filter(|rest| {
            !start.ends_with(char::is_alphanumeric)
                || !rest.starts_with(char::is_alphanumeric)
                || !start.is_ascii() && !rest.is_ascii()
        })
    })
}
