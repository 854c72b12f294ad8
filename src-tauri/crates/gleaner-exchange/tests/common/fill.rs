//! Fills a library with random data of every kind.

use super::connection;
use gleaner_library::{
    ArticleMetadata, Body, Chapter, Credit, Enclosure, Incoming, Intent, Library, NewItem, NewSubscription,
    Participant, Texts, TranscriptLink,
};
use sqlx::SqliteConnection;
use std::path::Path;

/// Reproducible random numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end.max(1)
    }
    fn yes(&mut self) -> bool {
        self.below(2) == 0
    }
    fn some<T>(&mut self, value: T) -> Option<T> {
        self.yes().then_some(value)
    }
    fn words(&mut self, most: u64) -> String {
        const WORDS: [&str; 12] = [
            "boat",
            "Größe",
            "東京",
            "it's",
            "\"said\"",
            "<b>",
            "&amp;",
            "a\nb",
            "\u{1f600}",
            "\u{2028}",
            "{}",
            "100 %",
        ];
        (0..=self.below(most)).map(|_| WORDS[usize::try_from(self.below(12)).unwrap()]).collect::<Vec<_>>().join(" ")
    }
    fn moment(&mut self) -> i64 {
        1_700_000_000_000 + i64::try_from(self.below(40_000_000_000)).unwrap()
    }
}

async fn run(connection: &mut SqliteConnection, sql: &str) {
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()))
        .execute(connection)
        .await
        .unwrap_or_else(|e| panic!("{sql}: {e}"));
}

fn item(chance: &mut Chance, feed: u64, number: u64) -> NewItem {
    let words =
        |chance: &mut Chance| Body { html: chance.words(120), base: chance.some("https://b.example/".to_owned()) };
    let content = chance.below(8).ne(&0).then(|| words(chance));
    let summary = chance.some(()).map(|()| words(chance));
    let at = chance.moment();
    NewItem {
        key: format!("{feed}-{number}"),
        url: chance.some(format!("https://e.example/{feed}/{number}?a=1&b='\"")),
        // Some articles of a feed share one.
        canonical_url: chance.some(format!("https://e.example/{feed}/{}", number / 2)),
        title: chance.words(6),
        title_key: chance.some(i64::MIN + i64::try_from(number).unwrap()),
        author: chance.some(chance_name(number)),
        language: chance.some("de".to_owned()),
        published_at: chance.some(at),
        updated_at: chance.some(at + 5),
        date_uncertain: chance.yes(),
        received_at: at + 7,
        sort_at: at,
        excerpt: chance.words(20),
        word_count: i64::try_from(chance.below(5000)).unwrap(),
        thumbnail_url: chance.some("https://e.example/t.png".to_owned()),
        media: chance.some("audio".to_owned()),
        comments_url: chance.some("https://e.example/c".to_owned()),
        digest: vec![u8::try_from(number % 256).unwrap(); 16],
        categories: (0..chance.below(3)).map(|_| chance.words(2)).collect(),
        enclosures: (0..chance.below(3))
            .map(|n| Enclosure {
                url: format!("https://e.example/{number}/{n}.mp3"),
                mime_type: chance.some("audio/mpeg".to_owned()),
                length: chance.some(12345),
                title: chance.some("Ton".to_owned()),
                duration_seconds: chance.some(12.25),
            })
            .collect(),
        metadata: ArticleMetadata {
            // Not random, so that later random values stay the same.
            comments_feed: number
                .is_multiple_of(2)
                .then(|| format!("https://e.example/{feed}/{number}?a=1&b='\"/feed")),
            comments: number.is_multiple_of(3).then_some(7),
            source: number.is_multiple_of(4).then(|| Credit { title: Some("Über".to_owned()), url: None }),
            via: (0..number % 3).map(|n| Credit { title: None, url: Some(format!("https://v.example/{n}")) }).collect(),
            chapters: (0..number % 4)
                .map(|n| Chapter { start: n as f64 + 0.5, title: Some("Teil".to_owned()), ..Chapter::default() })
                .collect(),
            chapters_url: number.is_multiple_of(5).then(|| "https://e.example/chapters.json".to_owned()),
            transcripts: (0..number % 2)
                .map(|n| TranscriptLink { url: format!("https://e.example/{n}.vtt"), ..TranscriptLink::default() })
                .collect(),
            participants: (0..number % 3)
                .map(|n| Participant { name: format!("Bo {n}"), role: Some("guest".to_owned()), url: None })
                .collect(),
            season: number.is_multiple_of(3).then_some(2),
            season_name: number.is_multiple_of(9).then(|| "Frühling".to_owned()),
            episode: number.is_multiple_of(6).then_some(7.5),
            episode_display: number.is_multiple_of(12).then(|| "7½".to_owned()),
        },
        texts: Texts::pack(content.as_ref(), summary.as_ref()),
        ..NewItem::default()
    }
}

fn chance_name(number: u64) -> String {
    format!("Ada {number}")
}

/// Fills a library with data of every kind: this number of feeds, each with at most this number of articles.
pub async fn fill(folder: &Path, seed: u64, feeds: u64, items: u64) {
    let mut chance = Chance(seed);
    let library = Library::open(folder).await.unwrap();
    subscribe(&library, &mut chance, feeds, items).await;
    library.close().await.unwrap();

    let mut sql = connection(folder).await;
    let ids: Vec<i64> = sqlx::query_scalar("SELECT id FROM items ORDER BY id").fetch_all(&mut sql).await.unwrap();
    let feeds: Vec<i64> = sqlx::query_scalar("SELECT id FROM feeds WHERE url NOT LIKE '%left%' ORDER BY id")
        .fetch_all(&mut sql)
        .await
        .unwrap();
    run(&mut sql, "BEGIN").await;
    fill_feeds(&mut sql, &mut chance, &feeds).await;
    fill_lists(&mut sql, &mut chance, &feeds).await;
    fill_history(&mut sql, &feeds).await;
    fill_image(&mut sql, folder).await;
    for (at, id) in ids.iter().enumerate() {
        fill_article(&mut sql, &mut chance, *id, *ids.get(at + 1).unwrap_or(id)).await;
    }
    run(&mut sql, "INSERT INTO play_queue (item_id, url, position) SELECT DISTINCT e.item_id, e.url, 1000 - 3 * e.item_id FROM enclosures e JOIN items i ON i.id = e.item_id
        JOIN feeds f ON f.id = i.feed_id WHERE e.position = 0 AND f.url NOT LIKE '%left%'").await;
    // An archive does not contain images that only articles of unsubscribed feeds show.
    let shown = "SELECT count(*) FROM item_images p JOIN items i ON i.id = p.item_id JOIN feeds f ON f.id = i.feed_id WHERE f.url NOT LIKE '%left%'";
    let shown: i64 = sqlx::query_scalar(shown).fetch_one(&mut sql).await.unwrap();
    if shown == 0 {
        run(&mut sql, "DELETE FROM item_images; DELETE FROM images").await;
        std::fs::remove_dir_all(folder.join("images")).unwrap();
    }
    run(&mut sql, "INSERT INTO rules (name, query, feed_id, folder_id, actions, enabled, position, created_at) SELECT 'in a folder', 'a', NULL, id, '[\"star\"]', 1, 3, 4 FROM folders;
        INSERT INTO settings (key, value) VALUES ('hold_future', 'true');
        UPDATE feeds SET unsubscribed_at = 9000000000000 WHERE url LIKE '%left%';
        INSERT INTO access (feed_id, origin, headers, auth, user_name, secret, proxy)
            SELECT id, url, '[[\"X-Key\",\"headersecret\"]]', 'basic', 'nameofuser', 'passwordsecret', 'http://p:proxysecret@p.example' FROM feeds LIMIT 1;
        COMMIT").await;
}

/// Subscribes to feeds with articles, and to one that is unsubscribed later.
async fn subscribe(library: &Library, chance: &mut Chance, feeds: u64, items: u64) {
    for feed in 0..feeds {
        let folders: Vec<String> = (0..chance.below(3)).map(|depth| format!("F{} {depth}", feed % 3)).collect();
        let new = NewSubscription {
            url: format!("https://f{feed}.example/feed"),
            title: chance.some(chance_name(feed)),
            custom_title: chance.some("Mein „Feed“".to_owned()),
            home_url: chance.some("https://f.example/".to_owned()),
            outline: chance.some(vec![("mood".to_owned(), "calm & \"quiet\"".to_owned())]).unwrap_or_default(),
            folder: folders,
            ..NewSubscription::default()
        };
        let feed_id = library.subscriptions().add(&new).await.unwrap();
        let count = chance.below(items + 1);
        let intents = (0..count).map(|number| Intent::Insert(Box::new(item(chance, feed, number)))).collect();
        library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
    }
    let left = NewSubscription::new("https://left.example/feed");
    let left = library.subscriptions().add(&left).await.unwrap();
    let gone = Intent::Insert(Box::new(item(chance, 999, 0)));
    library.polls().store(&[&Incoming::of_items(left, vec![gone])]).await.unwrap();
}

/// Gives the columns of folders and feeds values other than their defaults.
async fn fill_feeds(sql: &mut SqliteConnection, chance: &mut Chance, feeds: &[i64]) {
    run(sql, "UPDATE folders SET open = id % 2, refresh_minutes = 60 * id, ahead = id % 4, full_text_when = id % 3, full_text_first = id % 2,
        load_images = id % 2, notify = 1 - id % 2").await;
    for feed in feeds {
        let (minutes, moment) = (chance.some(30).map_or("NULL".to_owned(), |n: i32| n.to_string()), chance.moment());
        run(sql, &format!("UPDATE feeds SET description = 'über', language = 'fr', icon = 'data:image/png;base64,AA', refresh_minutes = {minutes}, playback_speed = 150, skip_intro = 30, skip_outro = 15,
            former_url = 'https://old{feed}.example/', stays = {feed} % 2, full_text_first = {feed} % 3, full_text_when = {feed} % 3,
            load_images = {feed} % 2, notify = 1 - {feed} % 2,
            head = '{{\"image\":{{\"url\":\"https://e.example/i.png\",\"title\":\"Bild\",\"width\":88,\"height\":31}}}}', kept_silent = {moment}, ahead = {feed} % 4, added_at = {moment} WHERE id = {feed}")).await;
    }
}

/// Adds tags, saved searches, rules, synonyms and settings.
async fn fill_lists(sql: &mut SqliteConnection, chance: &mut Chance, feeds: &[i64]) {
    for tag in ["Später lesen", "b", "unused"] {
        run(sql, &format!("INSERT INTO tags (name, key) VALUES ('{tag}', '{}')", gleaner_library::tag_key(tag))).await;
    }
    for (name, query) in [("Nachts", "is:unread \"a b\""), ("x", "feed:y"), ("x", "feed:z")] {
        let position = chance.below(9);
        run(
            sql,
            &format!("INSERT INTO saved_searches (name, query, position, notify) VALUES ('{name}', '{query}', {position}, {position} % 2)"),
        )
        .await;
        run(sql, &format!("INSERT INTO rules (name, query, feed_id, folder_id, actions, enabled, position, created_at, deleted_at)
            VALUES ('{name}', '{query}', {}, NULL, '[\"tag:t\"]', {position} % 2, {position}, {position}, {})",
            if position > 4 { "NULL".to_owned() } else { feeds.first().map_or("NULL".to_owned(), i64::to_string) },
            if query == "feed:z" { "5" } else { "NULL" })).await;
    }
    run(sql, "INSERT INTO category_synonyms (key, means) VALUES ('tech', 'Technik');
        INSERT INTO settings (key, value) VALUES ('ahead_seen', '7'), ('window', '{\"size\":1.5,\"theme\":\"dark\"}'), ('one_story', 'false'),
            ('preferences', '{\"notify\":true,\"refresh_minutes\":90}')").await;
}

/// Adds retention policies, reading statistics and tombstones.
async fn fill_history(sql: &mut SqliteConnection, feeds: &[i64]) {
    run(
        sql,
        "INSERT INTO retention (scope, scope_id, days, keep_unread) VALUES ('all', 0, 365, 1);
        INSERT INTO retention (scope, scope_id, articles, keep_unread) SELECT 'folder', id, 10, 0 FROM folders",
    )
    .await;
    for feed in feeds {
        run(sql, &format!("INSERT INTO retention (scope, scope_id, bytes) VALUES ('feed', {feed}, 1000000);
            INSERT INTO opened (hour, feed_id, articles) VALUES (472222, {feed}, 3), (472230, {feed}, {feed});
            INSERT INTO tombstones (feed_id, key, canonical_url, title, published_at, digest, at) VALUES ({feed}, 'gone', 'https://e.example/gone', 'weg', 5, x'00ff10', 9)")).await;
    }
}

/// Stores an image, which articles may show.
async fn fill_image(sql: &mut SqliteConnection, folder: &Path) {
    let digest = blake3::hash(IMAGE);
    let place = folder.join("images").join(&digest.to_hex()[..2]);
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join(&digest.to_hex()[2..]), IMAGE).unwrap();
    run(
        sql,
        &format!(
            "INSERT INTO images (digest, mime_type, bytes, fetched_at, there) VALUES (x'{}', 'image/png', {}, 77, 1)",
            digest.to_hex(),
            IMAGE.len()
        ),
    )
    .await;
}

/// Gives an article marks, and data of one kind. `next` is the article after it, or itself for the last one.
async fn fill_article(sql: &mut SqliteConnection, chance: &mut Chance, id: i64, next: i64) {
    let moment = chance.moment();
    let (read, starred, hidden, kept) = (chance.below(2), chance.below(2), chance.below(2), chance.below(2));
    run(
        sql,
        &format!(
            "UPDATE states SET read = {read}, starred = {starred}, hidden = {hidden}, kept = {kept},
            read_at = iif({read}, {moment}, NULL), starred_at = iif({starred}, {moment}, NULL) WHERE item_id = {id}"
        ),
    )
    .await;
    let one = match chance.below(10) {
        0 => {
            "INSERT INTO item_tags (tag_id, sort_at, item_id, at) SELECT t.id, i.sort_at, i.id, 4 FROM tags t JOIN items i WHERE i.id = {id} AND t.key <> 'unused'"
        }
        1 => {
            "INSERT INTO versions (item_id, at, title, codec, content, content_base, summary, summary_base) SELECT item_id, {moment}, 'früher', codec, content, content_base, summary, summary_base FROM bodies WHERE item_id = {id}"
        }
        2 => {
            "INSERT INTO full_texts (item_id, url, codec, content, fetched_at) SELECT item_id, 'https://e.example/full', codec, content, {moment} FROM bodies WHERE item_id = {id} AND content IS NOT NULL AND summary IS NULL"
        }
        3 => {
            r#"INSERT INTO progress (item_id, position, at) VALUES ({id}, 0.375, {moment});
            INSERT INTO transcripts (item_id, url, language, codec, content, fetched_at) VALUES ({id}, 'https://e.example/t.vtt', 'de', 0, CAST('[{"start":1.5,"end":2.0,"speaker":"Ada","text":"Größe 東京"},{"text":"x"}]' AS BLOB), {moment})"#
        }
        4 => {
            "INSERT INTO playback (item_id, url, seconds, duration, finished, at) VALUES ({id}, 'https://e.example/a.mp3', 61.5, NULL, 1, {moment}), ({id}, 'https://e.example/b.mp3', 0.25, 9, 0, 1)"
        }
        5 => {
            "INSERT INTO rule_touches (item_id, rule_id, at, actions) SELECT {id}, id, {moment}, '[\"read\"]' FROM rules"
        }
        6 => {
            "INSERT INTO item_images (item_id, url, digest) SELECT {id}, 'https://e.example/p.png', digest FROM images"
        }
        7 => {
            "INSERT OR IGNORE INTO stories (item_id, story_id) SELECT column1, {id} FROM (VALUES ({id}), ({next}))
            WHERE NOT EXISTS (SELECT 1 FROM stories WHERE item_id IN ({id}, {next}))"
        }
        8 => {
            "INSERT INTO notes (item_id, quote, prefix, suffix, start, color, note, created_at, changed_at) VALUES
                ({id}, 'the ''passage''', 'before ', ' behind', 12, 3, '', {moment}, {moment}), ({id}, NULL, '', '', 0, 0, '*Größe*', {moment}, 9)"
        }
        _ => {
            "DELETE FROM states WHERE item_id = {id}; INSERT INTO held (item_id, until) VALUES ({id}, 99000000000000)"
        }
    };
    run(
        sql,
        &one.replace("{id}", &id.to_string())
            .replace("{next}", &next.to_string())
            .replace("{moment}", &moment.to_string()),
    )
    .await;
}

pub const IMAGE: &[u8] = b"\x89PNG\r\n\x1a\nno more than its beginning";
