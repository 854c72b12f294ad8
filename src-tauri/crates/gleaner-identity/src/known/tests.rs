use super::*;

#[test]
fn thousands_of_items_with_one_address_and_date_take_linear_time() {
    let known = |items: usize| {
        let item = |id: usize| KnownItem {
            id: i64::try_from(id).unwrap_or(0),
            key: format!("former {id}"),
            canonical_url: Some("https://a.example/".to_owned()),
            title: format!("Warning {id}"),
            published_at: Some(5_000),
            digest: Vec::new(),
            gone: None,
        };
        (items, Known::new((0..items).map(item).collect()))
    };
    gleaner_cpu_time::assert_linear("items with one address and date", 2_000, known, |(items, known)| {
        let mut taken = HashSet::new();
        for id in 0..*items {
            let (key, title) = (format!("new {id}"), format!("Notice {id}"));
            let item = Traits {
                key: &key,
                title: &title,
                canonical_url: Some("https://a.example/"),
                published_at: Some(5_000),
                ..Traits::default()
            };
            assert!(known.recognise(&item, &HashSet::new(), &mut taken).before.is_none());
        }
    });
}

#[test]
fn thousands_of_items_with_one_address_take_linear_time() {
    // Address and title, with one date each; title and date, with one address each; and all three.
    for (one_url, one_title, one_date) in
        [(true, true, false), (true, false, false), (false, true, true), (true, true, true)]
    {
        let url = |id: usize| if one_url { "https://a.example/".to_owned() } else { format!("https://a.example/{id}") };
        let title = |id: usize| if one_title { "Warning".to_owned() } else { format!("Warning {id}") };
        let date = |id: usize| Some(5_000 + if one_date { 0 } else { 100_000 * i64::try_from(id).unwrap_or(0) });
        let known = |items: usize| {
            let item = |id: usize| KnownItem {
                id: i64::try_from(id).unwrap_or(0),
                key: format!("former {id}"),
                canonical_url: Some(url(id)),
                title: title(id),
                published_at: date(id),
                digest: id.to_le_bytes().to_vec(),
                gone: None,
            };
            (items, Known::new((0..items).map(item).collect()))
        };
        gleaner_cpu_time::assert_linear("items with one address", 2_000, known, |(items, known)| {
            let former: Vec<String> = (0..*items).map(|id| format!("former {id}")).collect();
            let still_there: HashSet<&str> = former.iter().map(String::as_str).collect();
            let mut taken = HashSet::new();
            for id in *items..2 * *items {
                let (key, url, title) = (format!("new {id}"), url(id), title(id));
                let item = Traits {
                    key: &key,
                    title: &title,
                    canonical_url: Some(&url),
                    published_at: date(id),
                    ..Traits::default()
                };
                assert!(known.recognise(&item, &still_there, &mut taken).before.is_none());
            }
        });
    }
}

#[test]
fn thousands_of_ids_that_are_spellings_of_one_address_take_linear_time() {
    let spelling = |id: usize| format!("https://a.example/?utm_source={id}");
    let known = |items: usize| {
        let item = |id: usize| KnownItem {
            id: i64::try_from(id).unwrap_or(0),
            key: spelling(id),
            canonical_url: Some("https://a.example/".to_owned()),
            title: format!("Warning {id}"),
            published_at: None,
            digest: id.to_le_bytes().to_vec(),
            gone: None,
        };
        (items, Known::new((0..items).map(item).collect()))
    };
    gleaner_cpu_time::assert_linear("ids of one address", 2_000, known, |(items, known)| {
        let keys: Vec<String> = (0..2 * *items).map(spelling).collect();
        let still_there: HashSet<&str> = keys.iter().map(String::as_str).collect();
        let mut taken = HashSet::new();
        for (id, key) in keys.iter().enumerate().skip(*items) {
            let title = format!("Warning {id}");
            let item = Traits { key, title: &title, canonical_url: Some("https://a.example/"), ..Traits::default() };
            assert!(known.recognise(&item, &still_there, &mut taken).before.is_none());
        }
    });
}

#[test]
fn the_position_of_an_article_belongs_to_others_in_another_copy() {
    const DAY: Millis = 24 * 3_600_000;
    let is_other = |key: &str, known: (&str, &str, Millis), item: (&str, &str, Millis)| {
        let known = KnownItem {
            id: 1,
            key: key.to_owned(),
            canonical_url: Some(known.0.to_owned()),
            title: known.1.to_owned(),
            published_at: Some(known.2),
            digest: Vec::new(),
            gone: None,
        };
        let item =
            Traits { key, canonical_url: Some(item.0), title: item.1, published_at: Some(item.2), ..Traits::default() };
        is_other_with_key(&known, &item)
    };
    let (page, other) = ("https://a.example/page", "https://a.example/other");
    for (key, url, days, expected) in [
        ("https://a.example/page#1", page, 1, true),
        ("https://a.example/page#1", page, 0, false),
        ("1", other, 1, true),
        ("1", page, 1, false),
        ("1234", other, 1, false),
        ("1234", other, 2, true),
        ("https://a.example/page", page, 9, false),
        ("https://a.example/page#intro", page, 9, false),
    ] {
        assert_eq!(is_other(key, (page, "One", 0), (url, "Two", days * DAY)), expected, "{key} {days}");
        assert!(!is_other(key, (page, "One", 0), (url, "One", days * DAY)), "{key}: the title is the same");
    }
}

#[test]
fn the_same_date_may_lack_its_fraction() {
    let item = |id, published_at| KnownItem {
        id,
        key: id.to_string(),
        canonical_url: None,
        title: "One".to_owned(),
        published_at: Some(published_at),
        digest: Vec::new(),
        gone: None,
    };
    let known = Known::new(vec![item(1, 5_250), item(2, 7_000)]);
    for (published_at, found) in
        [(5_250, Some(1)), (5_000, Some(1)), (5_300, None), (6_000, None), (7_999, Some(2)), (8_000, None)]
    {
        let traits = Traits { key: "new", title: "One", published_at: Some(published_at), ..Traits::default() };
        let before = known.recognise(&traits, &HashSet::new(), &mut HashSet::new()).before;
        assert_eq!(before.map(|item| item.id), found, "{published_at}");
    }
}
