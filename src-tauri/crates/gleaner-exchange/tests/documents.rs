//! Documents of real libraries.
#![allow(clippy::unwrap_used)]

mod common;

use common::{PICTURE, connection, file_of};
use gleaner_exchange::documents::{self, Form, Wish};
use gleaner_library::{Body, Incoming, Intent, Library, NewItem, NewSubscription, Poll, Texts};
use std::{fs, path::Path};

const HTML: &str = "<h2>Part</h2><p>Words &amp; <em>more</em><br>of them.</p><script>alert(1)</script><img src='https://e.example/kept.png' alt='Kept'>
    <img src='https://e.example/far.png' alt='Far'><table><tr><th>a<th>b<tr><td>1<td>2</table><p><a href='javascript:x'>no</a> <a href='/x'>yes</a></p>";

/// A library of two articles, of which one has a picture that is kept.
async fn library(folder: &Path) -> Library {
    let library = Library::open(folder).await.unwrap();
    let url = "https://e.example/feed".to_owned();
    let feed_id = library
        .subscribe(&NewSubscription { url, title: Some("E & F".to_owned()), ..NewSubscription::default() })
        .await
        .unwrap();
    let item = |number: i64| {
        let body = Body { html: HTML.to_owned(), base: Some("https://e.example/".to_owned()) };
        Intent::Insert(Box::new(NewItem {
            key: number.to_string(),
            url: Some(format!("https://e.example/{number}")),
            title: format!("One < {number}"),
            author: Some("Ada".to_owned()),
            language: Some("en".to_owned()),
            published_at: Some(1_767_225_600_000),
            texts: Texts::pack(Some(&body), None),
            ..NewItem::default()
        }))
    };
    let intents = vec![item(1), item(2)];
    library
        .store(&[&Incoming { poll: Poll { feed_id, ..Poll::default() }, intents, ..Incoming::default() }])
        .await
        .unwrap();
    let digest = blake3::hash(PICTURE).to_hex();
    let place = library.image_file(&digest).unwrap();
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, PICTURE).unwrap();
    let mut sql = connection(folder).await;
    let sql_text = format!(
        "INSERT INTO images (digest, mime_type, bytes, fetched_at, there) VALUES (x'{digest}', 'image/png', 9, 1, 1);
        INSERT INTO item_images (item_id, url, digest) SELECT 1, 'https://e.example/kept.png', digest FROM images"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql_text)).execute(&mut sql).await.unwrap();
    library
}

fn wish(form: Form, remote_pictures: bool) -> Wish {
    Wish { articles: vec![1, 2, 77], title: "What \"it\" is".to_owned(), form, remote_pictures }
}

#[tokio::test]
async fn a_page_is_whole_by_itself_and_asks_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let file = folder.path().join("out.html");
    assert_eq!(documents::save(&library, &wish(Form::Html, false), &file, |_| true).await.unwrap(), 2);
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
    documents::save(&library, &wish(Form::Html, true), &file, |_| true).await.unwrap();
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.contains("<img src=\"https://e.example/far.png\""), "as was wished");
}

#[tokio::test]
async fn markdown_says_where_it_is_from() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let file = folder.path().join("out.md");
    documents::save(&library, &wish(Form::Markdown, false), &file, |_| true).await.unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.starts_with("# One \\< 1\n\nE \\& F · Ada · 2026-01-01 · <https://e.example/1>\n\n## Part\n\nWords \\& *more*\\\nof them.\n"),
        "{text}"
    );
    assert!(text.contains("| a | b |\n| --- | --- |\n| 1 | 2 |"), "{text}");
    assert!(text.contains("\n---\n\n# One \\< 2\n"), "{text}");
    assert!(!text.contains("alert"), "{text}");
}

#[tokio::test]
async fn a_book_has_its_parts_in_order_and_each_is_xml() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let file = folder.path().join("out.epub");
    documents::save(&library, &wish(Form::Epub, true), &file, |_| true).await.unwrap();
    let bytes = fs::read(&file).unwrap();
    assert_eq!(&bytes[30..58], b"mimetypeapplication/epub+zip", "first and as it is");
    let text = |name: &str| String::from_utf8(file_of(&file, name)).unwrap();
    let package = text("EPUB/package.opf");
    let picture = format!("images/{}.png", blake3::hash(PICTURE).to_hex());
    for words in [
        "<dc:language>en</dc:language>",
        "<dc:creator>Ada</dc:creator>",
        "properties=\"nav\"",
        "dcterms:modified",
        &picture,
    ] {
        assert!(package.contains(words), "{words}\n{package}");
    }
    assert_eq!(file_of(&file, &format!("EPUB/{picture}")), PICTURE);
    let chapter = text("EPUB/1.xhtml");
    assert!(
        chapter.contains(&format!("<img src=\"{picture}\" alt=\"Kept\"/>")) && chapter.contains(">[Far]</a>"),
        "{chapter}"
    );
    for part in ["META-INF/container.xml", "EPUB/package.opf", "EPUB/contents.xhtml", "EPUB/1.xhtml", "EPUB/2.xhtml"] {
        for event in xml::EventReader::from_str(&text(part)) {
            event.unwrap_or_else(|error| panic!("{part}: {error}"));
        }
    }
}
