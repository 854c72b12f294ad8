//! Runs external cases: the variable `GLEANER_DISCOVERY_CASES` names a folder with `cases.jsonl`, pages and responses.
//! Without it this test does nothing.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Reply, Web};
use gleaner_discovery::From;
use gleaner_fetch::FetchErrorKind;
use serde_json::Value;
use std::path::{Path, PathBuf};
use url::Url;

fn site(folder: &Path, case: &Value) -> Web {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let read = |name: &Value| std::fs::read(folder.join(text(name))).unwrap();
    let page_url = Url::parse(&text(&case["page_url"])).unwrap();
    let page = Reply::Document(text(&case["page_content_type"]), read(&case["page"]));
    let mut web = Web::new().reply(page_url.as_str(), page);
    for (key, value) in case["site"].as_object().unwrap() {
        let url = page_url.join(key).unwrap();
        let reply = match value.as_u64() {
            Some(status) => Reply::Fails(FetchErrorKind::Http(u16::try_from(status).unwrap())),
            None => Reply::Document(text(&value["content_type"]), read(&value["file"])),
        };
        web = web.reply(url.as_str(), reply);
    }
    web
}

async fn failure(folder: &Path, case: &Value) -> Option<String> {
    let result = site(folder, case).discover(case["page_url"].as_str().unwrap()).await;
    let feeds = result.as_ref().map(|discovery| discovery.feeds.clone()).unwrap_or_default();
    let sorted = |mut urls: Vec<String>| {
        if case["any_order"] == true {
            urls.sort();
        }
        urls
    };
    let urls = sorted(feeds.iter().map(|found| found.url.to_string()).collect());
    let expected =
        sorted(case["expect"].as_array().unwrap().iter().map(|url| url.as_str().unwrap().to_owned()).collect());
    let origins: Vec<&str> = feeds
        .iter()
        .map(|found| match found.from {
            From::SelfFeed => "self",
            From::Link => "link",
            From::CommonPath => "common-path",
            From::WellKnown => "well-known",
            From::Anchor => "anchor",
            From::SiteRule => "site-rule",
        })
        .collect();
    let titles: Vec<Value> = feeds.iter().map(|found| found.title.clone().into()).collect();
    let good = urls == expected
        && origins.iter().all(|from| case["from"] == *from)
        && case["titles"].as_array().is_none_or(|expected| *expected == titles)
        && (case["error"] == true) == result.is_err();
    (!good).then(|| format!("{}: {urls:?} {origins:?} {titles:?} {:?}", case["id"], result.err()))
}

#[tokio::test]
async fn agrees_with_the_external_cases() {
    let Some(folder) = std::env::var_os("GLEANER_DISCOVERY_CASES").map(PathBuf::from) else { return };
    let cases = std::fs::read_to_string(folder.join("cases.jsonl")).unwrap();
    let mut failures = Vec::new();
    let mut passed = 0;
    for line in cases.lines().filter(|line| !line.trim().is_empty()) {
        match failure(&folder, &serde_json::from_str(line).unwrap()).await {
            Some(words) => failures.push(words),
            None => passed += 1,
        }
    }
    println!("{passed} passed, {} failed", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
