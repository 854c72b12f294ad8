//! Documents of real libraries.
#![allow(clippy::unwrap_used)]

mod common;

use common::{IMAGE, connection, file_of};
use gleaner_exchange::{
    archive::ArchiveError,
    documents::{self, DocumentOptions, Form},
};
use gleaner_library::{Body, Incoming, Intent, Library, NewItem, NewSubscription, Quote, Texts};
use std::{collections::BTreeSet, fs, path::Path};

const HTML: &str = "<h2>Part</h2><p>Words &amp; <em>more</em><br>of them.</p><script>alert(1)</script><img src='https://e.example/kept.png' alt='Kept'>
    <img src='https://e.example/far.png' alt='Far'><table><tr><th>a<th>b<tr><td>1<td>2</table><p><a href='javascript:x'>no</a> <a href='/x'>yes</a></p>";

/// Creates a library with two articles; one has an image stored for offline reading.
async fn library(folder: &Path) -> Library {
    let library = Library::open(folder).await.unwrap();
    let url = "https://e.example/feed".to_owned();
    let feed_id = library
        .subscriptions()
        .add(&NewSubscription { url, title: Some("E & F".to_owned()), ..NewSubscription::default() })
        .await
        .unwrap();
    let item = |number: i64| {
        let body = Body { html: HTML.to_owned(), base: Some("https://e.example/".to_owned()) };
        Intent::Insert(Box::new(NewItem {
            key: number.to_string(),
            url: Some(format!("https://e.example/{number}?utm_source=feed")),
            title: format!("One < {number}"),
            author: Some("Ada".to_owned()),
            language: Some("en".to_owned()),
            published_at: Some(1_767_225_600_000),
            texts: Texts::pack(Some(&body), None),
            ..NewItem::default()
        }))
    };
    let intents = vec![item(1), item(2)];
    library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
    let digest = blake3::hash(IMAGE).to_hex();
    let place = library.archive().image_file(&digest).unwrap();
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, IMAGE).unwrap();
    let mut sql = connection(folder).await;
    let sql_text = format!(
        "INSERT INTO images (digest, mime_type, bytes, fetched_at, there) VALUES (x'{digest}', 'image/png', 9, 1, 1);
        INSERT INTO item_images (item_id, url, digest) SELECT 1, 'https://e.example/kept.png', digest FROM images"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql_text)).execute(&mut sql).await.unwrap();
    library
}

fn options(form: Form, remote_images: bool) -> DocumentOptions {
    DocumentOptions { articles: vec![1, 2, 77], title: "What \"it\" is".to_owned(), form, remote_images }
}

#[tokio::test]
async fn a_page_is_self_contained_and_requests_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let file = folder.path().join("out.html");
    assert_eq!(documents::save(&library, &options(Form::Html, false), &file, |_| true).await.unwrap(), 2);
    let page = fs::read_to_string(&file).unwrap();
    for words in [
        "<title>What &quot;it&quot; is</title>",
        "default-src 'none'; img-src data:;",
        "One &lt; 1</a></h1>",
        "E &amp; F · Ada · 2026-01-01",
        "<img src=\"data:image/png;base64,",
        "<a href=\"https://e.example/far.png\">[Far]</a>",
        "<a href=\"https://e.example/x\">yes</a>",
    ] {
        assert!(page.contains(words), "{words}\n{page}");
    }
    assert!(!page.contains("<script") && !page.contains("javascript:") && !page.contains("src=\"http"), "{page}");
    documents::save(&library, &options(Form::Html, true), &file, |_| true).await.unwrap();
    let page = fs::read_to_string(&file).unwrap();
    assert!(
        page.contains("<img src=\"https://e.example/far.png\""),
        "remote images are linked if the options allow it"
    );
}

#[tokio::test]
async fn markdown_names_its_source() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let file = folder.path().join("out.md");
    documents::save(&library, &options(Form::Markdown, false), &file, |_| true).await.unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.starts_with("# One \\< 1\n\nE \\& F · Ada · 2026-01-01 · <https://e.example/1?utm_source=feed>\n\n## Part\n\nWords \\& *more*\\\nof them.\n"),
        "{text}"
    );
    assert!(text.contains("| a | b |\n| --- | --- |\n| 1 | 2 |"), "{text}");
    assert!(text.contains("\n---\n\n# One \\< 2\n"), "{text}");
    assert!(!text.contains("alert"), "{text}");
}

#[tokio::test]
async fn an_article_that_is_shared_has_its_address_without_tracking() {
    let folder = tempfile::tempdir().unwrap();
    let article = documents::article(&library(folder.path()).await, 1).await.unwrap();
    assert_eq!(article.url.as_deref(), Some("https://e.example/1"));
    let text = documents::markdown(&article);
    assert!(text.contains("<https://e.example/1>") && !text.contains("utm_source"), "{text}");
}

#[tokio::test]
async fn uses_the_full_text_with_its_own_images_where_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let html = "<p>All of it.</p><img src='/kept.png' alt='Kept'><p><a href='next'>on</a></p>";
    library.articles().store_full_text(1, "https://e.example/whole/", html, false, 1).await.unwrap();
    let file = folder.path().join("out.md");
    documents::save(&library, &options(Form::Markdown, false), &file, |_| true).await.unwrap();
    let text = fs::read_to_string(&file).unwrap();
    let (first, second) = text.split_once("\n---\n").unwrap();
    assert!(first.contains("All of it.") && !first.contains("Part"), "{first}");
    assert!(
        first.contains("(https://e.example/kept.png)") && first.contains("[on](https://e.example/whole/next)"),
        "{first}"
    );
    assert!(second.contains("## Part"), "{second}");
}

#[tokio::test]
async fn a_failed_export_leaves_the_existing_file_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let file = folder.path().join("out.epub");
    fs::write(&file, "there").unwrap();
    let gone = DocumentOptions { articles: vec![77], ..options(Form::Epub, false) };
    assert_eq!(documents::save(&library, &gone, &file, |_| true).await.unwrap(), 0);
    let stopped = documents::save(&library, &options(Form::Epub, false), &file, |_| false).await;
    assert!(stopped.is_err());
    assert_eq!(fs::read_to_string(&file).unwrap(), "there");
    // Left by a process that was killed: no process has it locked.
    fs::write(folder.path().join("out.epub.part"), "half").unwrap();
    assert_eq!(documents::save(&library, &options(Form::Epub, false), &file, |_| true).await.unwrap(), 2);
    let locked = fs::File::create(folder.path().join("out.epub.part")).unwrap();
    locked.lock().unwrap();
    let error = documents::save(&library, &options(Form::Epub, false), &file, |_| true).await.unwrap_err().to_string();
    assert!(error.contains("another program is writing it"), "{error}");
    drop(locked);
    for (name, words) in [("", "is not a regular file"), ("nowhere/out.epub", "does not exist")] {
        let file = folder.path().join(name);
        let error =
            documents::save(&library, &options(Form::Epub, false), &file, |_| true).await.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    #[cfg(unix)]
    {
        let link = folder.path().join("link.epub");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        fs::write(&file, "").unwrap();
        documents::save(&library, &options(Form::Epub, false), &link, |_| true).await.unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink() && fs::metadata(&file).unwrap().len() > 100);
    }
}

/// Stores articles whose titles and texts try to break the structure of a book.
async fn store_odd_articles(library: &Library) {
    let texts = [
        (
            "</title><b>&amp; ]]> \u{1} \u{fffe}",
            "<p>one & two < three</p><svg><title>x</title></svg><p id='1'>&nbsp;&bogus;<br><hr><img><input></p>",
            None,
        ),
        ("שלום", "<p>זה טקסט בעברית שנקרא מימין לשמאל, ועוד כמה מילים.</p><p dir=ltr lang='en\"'>left</p>", Some("he")),
        ("", "", Some("not a tag!")),
        ("Deep", &*"<div><blockquote><ul><li>".repeat(3000), None),
        (
            "Table",
            "<table><tr><td>a<table><tr><td>b</td></tr></table><td colspan=x>c</table><math alttext='x<y'></math><ruby>a<rt>b</ruby>",
            Some("ja"),
        ),
    ];
    let item = |(number, (title, html, language)): (usize, &(&str, &str, Option<&str>))| {
        let body = Body { html: (*html).to_owned(), base: None };
        Intent::Insert(Box::new(NewItem {
            key: format!("odd{number}"),
            title: (*title).to_owned(),
            author: Some("A <b> & \u{2}C".to_owned()),
            language: language.map(str::to_owned),
            url: Some("https://e.example/\"<&>".to_owned()),
            texts: Texts::pack(Some(&body), None),
            ..NewItem::default()
        }))
    };
    let intents = texts.iter().enumerate().map(item).collect();
    let feed_id = library.feeds().list().await.unwrap()[0].id;
    library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
}

/// Checks the structure that EPUB 3.3 requires.
#[tokio::test]
async fn a_book_is_valid_whatever_its_articles_contain() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    store_odd_articles(&library).await;
    let ids: Vec<i64> = sqlx::query_scalar("SELECT id FROM items ORDER BY id")
        .fetch_all(&mut connection(folder.path()).await)
        .await
        .unwrap();
    let file = folder.path().join("odd.epub");
    let options = DocumentOptions {
        articles: ids,
        title: "A <\u{3}> & \"B\"".to_owned(),
        form: Form::Epub,
        remote_images: false,
    };
    assert_eq!(documents::save(&library, &options, &file, |_| true).await.unwrap(), 7);

    let mut zip = zip::ZipArchive::new(fs::File::open(&file).unwrap()).unwrap();
    {
        let first = zip.by_index(0).unwrap();
        assert_eq!(
            (&*first.name().unwrap(), first.compression(), first.extra_data().is_none_or(|extra| extra.is_empty())),
            ("mimetype", zip::CompressionMethod::Stored, true)
        );
    }
    let names: BTreeSet<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    let text = |name: &str| String::from_utf8(file_of(&file, name)).unwrap();
    let container = elements("META-INF/container.xml", &text("META-INF/container.xml"));
    let package = attribute(&container, "rootfile", "full-path").remove(0);
    assert_package(&elements(&package, &text(&package)), &names);
    let contents = elements("EPUB/contents.xhtml", &text("EPUB/contents.xhtml"));
    assert_eq!(attribute(&contents, "nav", "type"), ["toc"]);
    let listed = attribute(&contents, "a", "href");
    assert!(
        contents.iter().filter(|(name, ..)| name == "a").all(|(_, _, text)| !text.trim().is_empty()),
        "{contents:?}"
    );
    assert_eq!(listed, (1..=7).map(|number| format!("{number}.xhtml")).collect::<Vec<_>>());
    for name in &listed {
        assert_chapter(name, &elements(name, &text(&format!("EPUB/{name}"))), &names);
    }
}

/// Checks the package document. `names` are those of all files of the book.
fn assert_package(package: &[Element], names: &BTreeSet<String>) {
    // The manifest names each file once, and no other.
    let hrefs = attribute(package, "item", "href");
    let named: BTreeSet<String> = hrefs.iter().map(|href| format!("EPUB/{href}")).collect();
    let others = ["mimetype", "META-INF/container.xml", "EPUB/package.opf"].map(str::to_owned);
    assert_eq!(named.len(), hrefs.len());
    assert_eq!(named.iter().cloned().chain(others).collect::<BTreeSet<_>>(), *names);
    let ids = attribute(package, "item", "id");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    let spine = attribute(package, "itemref", "idref");
    assert!(spine.len() == 7 && spine.iter().all(|id| ids.contains(id)), "{spine:?}");
    assert_eq!(attribute(package, "item", "properties"), ["nav"]);
    let languages: BTreeSet<&str> = ["en", "he", "und", "ja"].into();
    let stated: Vec<String> =
        package.iter().filter(|(name, ..)| name == "language").map(|(_, _, text)| text.clone()).collect();
    assert_eq!(stated.iter().map(String::as_str).collect::<BTreeSet<_>>(), languages, "each once: {stated:?}");
}

/// Checks the document of an article.
fn assert_chapter(name: &str, chapter: &[Element], names: &BTreeSet<String>) {
    let (root, attributes, _) = &chapter[0];
    assert_eq!(root, "html");
    let hebrew = attributes.contains(&("lang".to_owned(), "he".to_owned()));
    assert!(attributes.contains(&("dir".to_owned(), if hebrew { "rtl" } else { "ltr" }.to_owned())), "{attributes:?}");
    assert_eq!(attributes.iter().filter(|(name, _)| name == "lang").count(), 2, "lang and xml:lang: {attributes:?}");
    let shown = chapter.iter().filter(|(name, _, text)| name == "title" && !text.trim().is_empty()).count();
    assert_eq!(shown, 1, "{chapter:?}");
    for element in ["script", "input", "svg", "iframe", "style"] {
        assert!(!chapter.iter().any(|(name, ..)| name == element), "{element} in {name}");
    }
    for place in attribute(chapter, "img", "src").iter().chain(&attribute(chapter, "link", "href")) {
        assert!(names.contains(&format!("EPUB/{place}")), "{place}");
    }
}

/// An element: its name, its attributes, and its text before the first child.
type Element = (String, Vec<(String, String)>, String);

/// Parses strictly as XML.
fn elements(name: &str, text: &str) -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::new();
    for event in xml::EventReader::from_str(text) {
        match event.unwrap_or_else(|error| panic!("{name}: {error}\n{text}")) {
            xml::reader::XmlEvent::StartElement { name, attributes, .. } => {
                let attributes = attributes.into_iter().map(|a| (a.name.local_name, a.value)).collect();
                elements.push((name.local_name, attributes, String::new()));
            }
            xml::reader::XmlEvent::Characters(text) => elements.last_mut().unwrap().2.push_str(&text),
            _ => {}
        }
    }
    elements
}

fn attribute(elements: &[Element], element: &str, attribute: &str) -> Vec<String> {
    let of = elements.iter().filter(|(name, ..)| name == element);
    of.flat_map(|(_, attributes, _)| attributes)
        .filter(|(name, _)| name == attribute)
        .map(|(_, value)| value.clone())
        .collect()
}

#[tokio::test]
async fn the_parts_of_a_book_are_in_order_and_are_xml() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let file = folder.path().join("out.epub");
    documents::save(&library, &options(Form::Epub, true), &file, |_| true).await.unwrap();
    let bytes = fs::read(&file).unwrap();
    assert_eq!(&bytes[30..58], b"mimetypeapplication/epub+zip", "first and uncompressed");
    let text = |name: &str| String::from_utf8(file_of(&file, name)).unwrap();
    let package = text("EPUB/package.opf");
    let image = format!("images/{}.png", blake3::hash(IMAGE).to_hex());
    for words in [
        "<dc:language>en</dc:language>",
        "<dc:creator>Ada</dc:creator>",
        "properties=\"nav\"",
        "dcterms:modified",
        &image,
    ] {
        assert!(package.contains(words), "{words}\n{package}");
    }
    assert_eq!(file_of(&file, &format!("EPUB/{image}")), IMAGE);
    let chapter = text("EPUB/1.xhtml");
    assert!(
        chapter.contains(&format!("<img src=\"{image}\" alt=\"Kept\"/>")) && chapter.contains(">[Far]</a>"),
        "{chapter}"
    );
    for part in ["META-INF/container.xml", "EPUB/package.opf", "EPUB/contents.xhtml", "EPUB/1.xhtml", "EPUB/2.xhtml"] {
        for event in xml::EventReader::from_str(&text(part)) {
            event.unwrap_or_else(|error| panic!("{part}: {error}"));
        }
    }
}

/// Adds a highlight with a note, and a note on the whole article, at a known time.
async fn noted(library: &Library, folder: &Path) {
    let quote = Quote {
        exact: "# Words\n\n  & *more*".to_owned(),
        prefix: "before ".to_owned(),
        suffix: " behind".to_owned(),
        start: 4,
    };
    library.notes().add(1, Some(&quote), 0, "Mine: *as* I wrote it.\n\n- and so on").await.unwrap();
    library.notes().add(1, None, 2, "On all of it").await.unwrap();
    let quote = Quote { exact: "Only marked".to_owned(), ..quote };
    library.notes().add(2, Some(&quote), 1, "").await.unwrap();
    let mut sql = connection(folder).await;
    sqlx::query("UPDATE notes SET created_at = 1767312000000").execute(&mut sql).await.unwrap();
}

#[tokio::test]
async fn notes_are_exported_as_quotations_and_unchanged_text() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    noted(&library, folder.path()).await;
    let (text, articles) = documents::notes(&library, &[1], |_| true).await.unwrap();
    assert_eq!(articles, 1);
    assert_eq!(
        text,
        "# One \\< 1\n\nE \\& F · Ada · 2026-01-01 · <https://e.example/1?utm_source=feed>\n\nOn all of it\n\n*2026-01-02*\n\n> \\# Words \\& \\*more\\*\n\nMine: *as* I wrote it.\n\n- and so on\n\n*2026-01-02*\n"
    );
    // Several articles are grouped by feed; those without notes or deleted ones are skipped.
    let (text, articles) = documents::notes(&library, &[2, 1, 77], |_| true).await.unwrap();
    assert_eq!(articles, 2);
    assert!(text.starts_with("# E \\& F\n\n## One \\< 2\n\nAda · 2026-01-01 · <https://e.example/2?utm_source=feed>\n\n> Only marked\n\n*2026-01-02*\n\n## One \\< 1\n"), "{text}");
}

#[tokio::test]
async fn saves_notes_until_it_is_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let file = folder.path().join("notes.md");
    assert_eq!(documents::save_notes(&library, &[1, 2], &file, |_| true).await.unwrap(), 0);
    assert!(!file.exists());
    noted(&library, folder.path()).await;
    let stopped = documents::save_notes(&library, &[1, 2], &file, |done| done < 1).await;
    assert!(matches!(stopped, Err(ArchiveError::Cancelled)));
    assert!(!file.exists());
    assert_eq!(documents::save_notes(&library, &[1, 2], &file, |_| true).await.unwrap(), 2);
    assert_eq!(fs::read_to_string(&file).unwrap(), documents::notes(&library, &[1, 2], |_| true).await.unwrap().0);
}
