//! The lists of articles on pages without a feed.
#![allow(clippy::unwrap_used)]

use gleaner_cpu_time::assert_linear;
use gleaner_discovery::{MAX_PAGE_ITEMS, PageItem, PageList, items};
use gleaner_feed::Format;
use std::hint::black_box;
use url::Url;

const PAGE: &str = "https://harbour.example/news/";

/// Titles of articles, as many as lists need.
const TITLES: [&str; 6] = [
    "Ferry to the outer islands sails again",
    "Council buys the old rope factory",
    "Storm tears a hole into the north mole",
    "Fishermen ask for a longer herring season",
    "School boat passes its yearly inspection",
    "Lighthouse opens its stairs to visitors",
];

const SENTENCE: &str =
    "The pilots met at the quay in the morning and agreed to wait for the tide before the next ship leaves. ";

fn found(html: &str) -> Vec<PageItem> {
    items(html.as_bytes(), Some("text/html; charset=utf-8"), &Url::parse(PAGE).unwrap())
}

/// Repeats a part for each title. `@` is the title, `#` the number, `%` the day of the month.
fn each(part: &str) -> String {
    let one = |(at, title): (usize, &&str)| {
        part.replace('@', title).replace('#', &at.to_string()).replace('%', &format!("{:02}", 20 - at))
    };
    TITLES.iter().enumerate().map(one).collect()
}

/// A page with navigation and a footer around its content.
fn page(content: &str) -> String {
    let menu = "<ul><li><a href=/>Home</a><li><a href=/about>About the harbour</a><li><a href=/contact>Contact and opening hours</a></ul>";
    format!(
        "<html lang=en><head><title>Harbour news</title></head><body><nav>{menu}</nav>{content}<footer>{menu}</footer></body></html>"
    )
}

/// Asserts that the items are those of [`TITLES`], with the addresses `/a/0` and so on.
#[track_caller]
fn assert_all(html: &str, dates: bool) {
    let found = found(html);
    let titles: Vec<&str> = found.iter().map(|item| item.title.as_str()).collect();
    assert_eq!(titles, TITLES);
    for (at, item) in found.iter().enumerate() {
        assert!(item.url.as_str().starts_with(&format!("https://harbour.example/a/{at}")), "{}", item.url);
        let day = item.day.map(|day| day.to_string());
        assert_eq!(day, dates.then(|| format!("2026-11-{:02}", 20 - at)), "{}", item.title);
    }
}

#[test]
fn reads_lists_of_changes_with_places_in_the_page() {
    let changes = "<h3>Fixed</h3><ul><li>The rope of the boat holds again, see <a href=https://b.example/1#>the report</a>.<li>The net is dry.</ul>";
    for (heading, title) in [
        ("<h2 id=v1-#><a class=anchor href=&num;v1-#></a>1.# - 2026-11-%</h2>", "1.# - 2026-11-%"),
        ("<h2 id=v1-#>Version 1.# (2026-11-%)<a class=headerlink href=&num;v1-#>¶</a></h2>", "Version 1.# (2026-11-%)"),
        ("<h2 id=v1-#>v1.#</h2><p>Released on 2026-11-%</p>", "v1.#"),
        (
            "<div class=markdown-heading><h2>[1.#] - 2026-11-%</h2><a id=x# href=&num;v1-#><svg></svg></a></div>",
            "[1.#] - 2026-11-%",
        ),
    ] {
        let content = each(&format!("{heading}{changes}"));
        let items = found(&page(&format!("<h1>Changes</h1><ul><li><a href=#v1-0>1.0</a></ul>{content}")));
        assert_eq!(items.len(), TITLES.len(), "{heading}: {items:?}");
        for (at, item) in items.iter().enumerate() {
            let day = format!("{:02}", 20 - at);
            assert_eq!(item.url.as_str(), format!("{PAGE}#v1-{at}"));
            assert_eq!(item.title, title.replace('#', &at.to_string()).replace('%', &day));
            assert_eq!(item.day.map(|day| day.to_string()), Some(format!("2026-11-{day}")));
        }
    }
    // The sections of a manual.
    let content = each("<h2 id=s#>Since 1.#<a href=&num;s#>¶</a></h2><p>The rope of the boat holds.</p>");
    assert_eq!(found(&page(&content)), []);
    let base = Url::parse("https://harbour.example/2026/11/20/release").unwrap();
    assert_eq!(items(page(&content).as_bytes(), None, &base), []);
}

#[test]
fn reads_cards_with_headings() {
    let card = "<article class='card card-#'><a href=/a/#><img src=/#.jpg alt=''></a><h2><a href=/a/#>@</a></h2>\
        <time datetime=2026-11-%T08:00:00Z>some time ago</time><p>What happened at the quay, in one sentence.</p>\
        <a href=/a/#>Read more</a> <a href=/a/##comments>3 comments</a> <a href=/category/sea>Sea</a></article>";
    let html = page(&format!("<main><h1>News</h1>{}</main>", each(card)));
    assert_all(&html, true);
    let first = &found(&html)[0];
    assert_eq!(first.summary.as_deref(), Some("What happened at the quay, in one sentence."));
    assert_eq!(first.image.as_ref().map(Url::as_str), Some("https://harbour.example/0.jpg"));
}

#[test]
fn reads_links_around_whole_cards() {
    let card = "<a class=tile href=/a/#><div><span>% November 2026</span><h3>@</h3><p>Summary of what there is to read about it.</p></div></a>";
    assert_all(&page(&format!("<div class=grid>{}</div>", each(card))), true);
}

#[test]
fn reads_a_bare_list_with_dates() {
    let item = "<li>2026-11-% <a href=/a/#.html>@</a></li>";
    assert_all(&page(&format!("<h1>Archive</h1><ul>{}</ul>", each(item))), true);
}

#[test]
fn reads_a_table_of_notices() {
    let row = "<tr><td>%.11.2026<td><a href=/a/#.pdf>@</a><td>PDF, 2 MB";
    let html = format!("<table><tr><th>Date<th>Notice<th>File{}</table>", each(row));
    assert_all(&page(&html), true);
}

#[test]
fn reads_a_definition_list() {
    let item = "<dt>November %, 2026<dd><a href=/a/#>@</a>";
    assert_all(&page(&format!("<dl>{}</dl>", each(item))), true);
}

#[test]
fn reads_headings_without_containers() {
    let item = "<h2><a href=/a/#>@</a></h2><p class=meta>Posted on % Nov 2026 by <a href=/author/kim>Kim</a></p><p>Text of the post, which is rather short.</p>";
    assert_all(&page(&format!("<div id=content>{}</div>", each(item))), true);
}

#[test]
fn reads_links_between_line_breaks() {
    let item = "<a href=/a/#>@</a> (%/11/2026)<br>";
    assert_all(&page(&format!("<div>{}</div>", each(item))), true);
}

#[test]
fn reads_posts_with_the_link_below() {
    let text = SENTENCE.repeat(3);
    let item = format!("<h3>@</h3><p>{text}</p><p class=posted>Posted by Kim on <a href=/a/#>November %, 2026</a></p>");
    assert_all(&page(&format!("<div id=center>{}</div>", each(&item))), true);
}

#[test]
fn reads_years_of_headings() {
    let item = "<tr><td>Nov %</td><td><a href=/a/#>@</a></td></tr>";
    assert_all(&page(&format!("<h2>2026</h2><table>{}</table>", each(item))), true);
}

#[test]
fn reads_dates_of_addresses_last() {
    let item = "<li class=post><h3><a href=/a/#/2026/11/%/story>@</a></h3></li>";
    assert_all(&page(&format!("<ul>{}</ul>", each(item))), true);
}

#[test]
fn reads_chinese_and_korean_dates() {
    for date in ["2026年11月%日", "2026. 11. %."] {
        let item = format!("<li><a href=/a/#>@</a><span>{date}</span></li>");
        assert_all(&page(&format!("<ul>{}</ul>", each(&item))), true);
    }
}

#[test]
fn reads_dates_of_linked_data() {
    let article = r#"{"@type":"BlogPosting","url":"/a/#","datePublished":"2026-11-%"},"#;
    let list = each(article);
    let script = format!(
        "<script type=application/ld+json>{{\"@type\":\"Blog\",\"blogPost\":[{}]}}</script>",
        list.trim_end_matches(',')
    );
    let item = "<div class=entry><h2><a href=/a/#>@</a></h2><p>Text of the post, which is rather short.</p></div>";
    assert_all(&page(&format!("{script}<main>{}</main>", each(item))), true);
}

#[test]
fn reads_forum_topics_and_not_their_authors() {
    let row = "<tr class='topic row-#'><td><a class=topictitle href=/a/#>@</a><br>by <a href=/users/kim>Kim of the harbour office</a>, 2026-11-%</td>\
        <td>12 replies</td></tr>";
    assert_all(
        &page(&format!(
            "<table class=forum>{}</table><div class=pages><a href=?p=2>2</a> <a href=?p=3>3</a></div>",
            each(row)
        )),
        true,
    );
}

#[test]
fn reads_the_column_of_titles() {
    // The links of all columns are at the same place, without classes.
    let row = "<tr><td>2026-11-%<td><a href=/boards/1>Ships</a><td><a href=/a/#>@</a><td><a href=/users/#>Kim</a>";
    assert_all(&page(&format!("<table>{}</table>", each(row))), true);
    let row = "<li><a href=/a/#>@</a> 2026-11-% <a href=/venue/#>Great hall of the old harbour #</a></li>";
    assert_all(&page(&format!("<ul>{}</ul>", each(row))), true);
}

#[test]
fn reads_a_grid_with_several_items_in_each_row() {
    let cells = each("<td><a href=/a/#>@</a><br>2026-11-%</td>")
        .replace("</td><td><a href=/a/3", "</td></tr><tr><td><a href=/a/3");
    assert_all(&page(&format!("<table><tr>{cells}</tr></table>")), true);
}

#[test]
fn reads_events_and_not_their_places() {
    let item = "<div class=event><p class=name><a href=/a/#>@</a></p><p class=place><a href=/venue/hall-#>Great hall of the old harbour #</a></p><time datetime=2026-11-%>soon</time></div>";
    assert_all(&page(&each(item)), true);
}

#[test]
fn a_lead_story_continues_the_list() {
    let items = each("<div class=story><h3><a href=/a/#>@</a></h3><p>What happened, in one sentence.</p></div>");
    let lead = items.replacen("class=story", "class=lead", 1);
    assert_all(&page(&format!("<main>{lead}</main>")), false);
}

#[test]
fn lists_of_several_sections_are_one() {
    let cards = each("<div class=card><h3><a href=/a/#>@</a></h3><time datetime=2026-11-%>soon</time></div>");
    let reports = each("<tr><td>2026-10-%<td><a href=/b/#>Report: @</a>");
    let found = found(&page(&format!("<h2>News</h2>{cards}<h2>Reports</h2><table>{reports}</table>")));
    let paths: Vec<&str> = found.iter().map(|item| item.url.path()).collect();
    assert_eq!(paths[..6], ["/a/0", "/a/1", "/a/2", "/a/3", "/a/4", "/a/5"]);
    assert_eq!(paths[6..], ["/b/0", "/b/1", "/b/2", "/b/3", "/b/4", "/b/5"]);
    assert_eq!(found[6].day.unwrap().to_string(), "2026-10-20");
}

#[test]
fn boxes_next_to_the_list_do_not_count() {
    let list = each("<li class=news><a href=/a/#>@</a> <span class=date>2026-11-%</span></li>");
    let others = (0..40).map(|n| format!("<li><a href=/old/{n}>A popular story of long ago, number {n}</a></li>"));
    let aside: String = others.collect();
    for side in
        ["aside", "div class=sidebar", "div id=related-posts", "div class='widget widget_recent_entries'", "nav"]
    {
        let name = side.split(' ').next().unwrap();
        assert_all(&page(&format!("<main><ul>{list}</ul></main><{side}><ul>{aside}</ul></{name}>")), true);
    }
}

#[test]
fn posts_without_titles_have_the_start_of_their_text() {
    let note = "<article class=h-entry><p class=e-content>Note #: the tide is rather high today, says the harbour office.</p>\
        <a class=u-url href=/a/#><time class=dt-published datetime=2026-11-%>% November 2026</time></a></article>";
    let found = found(&page(&each(note)));
    assert_eq!(found.len(), 6);
    assert!(found[0].title.starts_with("Note 0: the tide"), "{}", found[0].title);
    assert_eq!(found[5].day.unwrap().to_string(), "2026-11-15");
}

#[test]
fn resolves_addresses_with_the_base_and_reads_each_once() {
    let list = each("<li><a href=a/#>@</a> 2026-11-%</li>");
    let found = found(&page(&format!("<base href=https://harbour.example/x/><ul>{list}{list}</ul>")));
    assert_eq!(found.len(), 6);
    assert_eq!(found[0].url.as_str(), "https://harbour.example/x/a/0");
}

#[test]
fn a_long_list_is_limited_to_its_newest_items() {
    let list: String = (0..1500)
        .map(|n| {
            format!(
                "<li><a href=/a/{n:04}>Report of the harbour office, number {n}</a> {:04}-01-01</li>",
                1990 + n / 50
            )
        })
        .collect();
    let found = found(&page(&format!("<ul>{list}</ul>")));
    assert_eq!(found.len(), MAX_PAGE_ITEMS);
    assert!(found.iter().all(|item| item.url.path() >= "/a/0500"), "{}", found[0].url);
}

#[test]
fn the_list_is_a_feed() {
    let html = page(&format!("<ul>{}</ul>", each("<li><a href=/a/#>@</a> 2026-11-%</li>")));
    let parsed = PageList::read(html.as_bytes(), None, &Url::parse(PAGE).unwrap()).into_parsed();
    assert_eq!((parsed.format, parsed.feed.title.as_deref()), (Format::Page, Some("Harbour news")));
    assert_eq!(parsed.items[0].id, "https://harbour.example/a/0");
    assert_eq!(parsed.items[0].published.unwrap().to_rfc3339(), "2026-11-20T00:00:00+00:00");
}

#[track_caller]
fn assert_none(html: &str) {
    assert_eq!(found(html), [], "{html}");
}

#[test]
fn an_article_has_no_list() {
    let text = format!("<p>{}</p>", SENTENCE.repeat(4)).repeat(8);
    let article =
        format!("<article><h1>Storm at the mole</h1><time datetime=2026-11-05>5 November</time>{text}</article>");
    assert_none(&page(&article));
    // An article with links in its sentences, and with other articles below it.
    let links = each(&format!("<p>{SENTENCE}As <a href=/a/#>@</a> shows, {SENTENCE}</p>"));
    assert_none(&page(&format!("<article><h1>Storm at the mole</h1>{links}</article>")));
    let others = each("<div class=teaser><h3><a href=/a/#>@</a></h3></div>");
    assert_none(&page(&format!("{article}<section><h2>You may also like</h2>{others}</section>")));
    let marked = page(&format!("{article}<section>{others}</section>"));
    assert_none(&marked.replace("<head>", "<head><meta property=og:type content=article>"));
    // The news of the site below, with dates.
    let news = each("<p>%.11.2026 <a href=/a/#>@</a></p>");
    assert_none(&page(&format!("<h1>Storm at the mole</h1>{text}<div>{news}</div>")));
}

#[test]
fn a_front_page_has_several_lists() {
    let guide = "<section><h2><a href=/x/#>The long guide for sailors and their guests: @, and more</a></h2></section>";
    let guides = each(guide) + &each(&guide.replace("/x/", "/y/").replace("long", "short"));
    let news = each("<div><h3><a href=/a/#>@</a></h3><time>% November 2026</time></div>");
    let html = page(&format!("<main>{guides}<p>{}</p>{news}</main>", SENTENCE.repeat(20)));
    let found = items(html.as_bytes(), None, &Url::parse("https://harbour.example/").unwrap());
    assert_eq!(found.iter().map(|item| &item.title).collect::<Vec<_>>(), TITLES.iter().collect::<Vec<_>>());
}

#[test]
fn titles_may_have_dates_and_be_cut_off() {
    for link in ["<a href=/a/#>@ of June 202#", "<a href=/a/# title='@ of June 202#'>@ ..."] {
        let item = format!("<p>{link}</a><br>% November 2026 by Kim in Sea</p>").replace('@', "Boat news");
        let titles: Vec<String> = found(&page(&each(&item))).into_iter().map(|item| item.title).collect();
        assert_eq!(titles, [0, 1, 2, 3, 4, 5].map(|year| format!("Boat news of June 202{year}")));
    }
}

#[test]
fn a_login_page_has_no_list() {
    assert_none(&page(
        "<form><h1>Log in</h1><label>Name <input name=n></label><label>Password <input type=password></label><button>Log in</button></form><p><a href=/lost>Forgot your password or your name?</a> <a href=/join>Create an account for the harbour</a></p>",
    ));
}

#[test]
fn an_about_page_has_no_list() {
    let text = format!("<p>{SENTENCE}</p>").repeat(5);
    assert_none(&page(&format!(
        "<main><h1>About</h1>{text}<p>See <a href=/history>our history</a> and <a href=/people>the people who work here</a>.</p></main>"
    )));
}

#[test]
fn menus_and_terms_are_no_list() {
    assert_none(&page(""));
    assert_none(&page(&format!("<div class=main-menu><ul>{}</ul></div>", each("<li><a href=/m/#>@</a></li>"))));
    assert_none(&page(&format!("<div class=breadcrumbs>{}</div>", each("<a href=/m/#>@</a>"))));
    assert_none(&page(&format!(
        "<p>{}</p>",
        (0..60).map(|n| format!("<a href=/tag/t{n}>Word {n}</a> ")).collect::<String>()
    )));
}

#[test]
fn products_are_no_list() {
    let tile = "<div class=product><a href=/shop/#><img src=/#.jpg></a><h3><a href=/shop/#>@</a></h3><span>19.90 €</span><button>Buy</button></div>";
    assert_none(&page(&format!("<div class=shop>{}</div>", each(tile))));
}

#[test]
fn people_are_no_list() {
    let people: String = ["Kim Berg", "Jo Lund", "Ada Holm", "Per Strand", "Siv Vik", "Leo Ness"]
        .iter()
        .enumerate()
        .map(|(n, name)| {
            format!(
                "<div class=member><img src=/{n}.jpg><h4><a href=/team/{n}>{name}</a></h4><p>Harbour office</p></div>"
            )
        })
        .collect();
    assert_none(&page(&format!("<main><h1>Team</h1>{people}</main>")));
}

#[test]
fn other_documents_have_no_list() {
    assert_none("");
    assert_none("plain text");
    assert_none("%PDF-1.7 \u{0} <a");
    assert_none(r#"{"version": "https://jsonfeed.org/version/1.1", "items": []}"#);
}

#[test]
fn hostile_pages_take_linear_time() {
    let base = Url::parse(PAGE).unwrap();
    for (name, make) in [
        (
            "items",
            (|n| "<li><h2><a href=/a>Title of an item that is long</a></h2> 2026-11-05".repeat(n))
                as fn(usize) -> String,
        ),
        ("depth", |n| "<div><a href=/a>A title that is long enough".repeat(n)),
        ("inline depth", |n| format!("<p>{}", "<b><i><a href=/x>Title ".repeat(n))),
        ("attributes", |n| {
            format!("<li {}><a href=/a>Title</a>", (0..n * 10).map(|n| format!(" a{n}=b")).collect::<String>())
        }),
        ("classes", |n| format!("<li class='{}'><a href=/a>Title</a>", "nav-x ".repeat(n))),
        ("links", |n| {
            (0..n).map(|n| format!("<p class=c{n}a><a href=/{n}>Title number {n} of the list</a></p>")).collect()
        }),
        ("groups", |n| {
            (0..n)
                .map(|n| format!("<x{n}><a href=/{n}>Title of the list</a><a href=/{n}b>Another title</a></x{n}>"))
                .collect()
        }),
        ("end tags", |n| format!("{}{}", "<ul><li><b>".repeat(50), "</div></td></i>".repeat(n))),
        ("years", |n| format!("<li><a href=/a>A title of an item</a> {}", "2026 5 ".repeat(n))),
        ("prices", |n| {
            format!("<li><a href=/a>A title of an item</a> {}<li><a href=/b>A title of an item</a>", "€ ".repeat(n))
        }),
        ("linked data", |n| format!("<script type=application/ld+json>{}</script>", "[".repeat(n))),
        ("paragraphs without end", |n| "<p><a href=/a>A title<table><td>".repeat(n)),
    ] {
        assert_linear(name, 4_000, make, |html| {
            let found = items(html.as_bytes(), None, &base);
            assert!(found.len() <= MAX_PAGE_ITEMS, "{name}");
            black_box(found);
        });
    }
}

/// Parts with two items each below a heading of their day.
fn days(part: &str) -> String {
    part.replace("%", "November %, 2026")
        .replace('^', "<a href=/a/#>@</a>")
        .replace('+', "<a href=/a/#-more>Another notice of the day, number #</a>")
}

#[test]
fn headings_of_days_date_the_items_below() {
    for part in [
        "<h3>%</h3><ul><li>^</li><li>+</li></ul>",
        "<section><h4>%</h4><p>^</p><p>+</p></section>",
        "<div class=date-outer><h2 class=date-header>%</h2><div class=post><h3>^</h3></div><div class=post><h3>+</h3></div></div>",
        "<table><tr><th colspan=2>%</th></tr><tr><td>10:00</td><td>^</td></tr><tr><td>11:00</td><td>+</td></tr></table>",
    ] {
        let found = found(&page(&each(&days(part))));
        assert_eq!(found.len(), 2 * TITLES.len(), "{part}");
        for (at, item) in found.iter().enumerate() {
            let day = item.day.map(|day| day.to_string());
            assert_eq!(day, Some(format!("2026-11-{:02}", 20 - at / 2)), "{}: {part}", item.title);
        }
    }
    for part in ["<h3>%</h3><p>^ and more</p>", "<h3>%</h3><ul><li>^</li></ul>", "<h3>%</h3><h4>^</h4><p>And more.</p>"]
    {
        assert_all(&page(&each(&days(part))), true);
    }
    // The date of the page, and a heading below a title.
    let list = each("<li><h4><a href=/a/#>@</a></h4></li>");
    assert_all(&page(&format!("<h2>Sunday, 29 November 2026</h2><ul>{list}</ul>")), false);
    assert_all(&page(&each("<h3><a href=/a/#>@</a></h3><h4>% November 2026</h4><p>And more.</p>")), true);
}

#[test]
fn the_age_of_an_item_is_not_its_title() {
    let item = "<tr><td>#.</td><td><span class=titleline><a href=/a/#>@</a></span></td></tr><tr><td></td><td>by <a href=/user/kim>Kim</a> \
                <span class=age title='2026-11-%T10:00:00'><a href='/item?id=#'>3 hours ago</a></span> <a href='/item?id=#'>12 comments</a></td></tr>";
    assert_all(&page(&format!("<table>{}</table>", each(item))), true);
}

#[test]
fn the_heading_of_the_page_is_not_the_title_of_the_first_item() {
    let figure = "<figure><a href=/a/#><img src=/#.jpg alt='@'></a><figcaption>@</figcaption></figure>";
    assert_all(&page(&format!("<main><h1>Photos of the harbour</h1>{}</main>", each(figure))), false);
    let post = "<h2>@</h2><p>What happened at the quay, in one sentence.</p><p><a href=/a/#>Read more</a></p>";
    assert_all(&page(&format!("<main><h1>Blog</h1>{}</main>", each(post))), false);
}

#[test]
fn dates_next_to_other_texts_are_read() {
    let episode = "<li><button>Play</button><a href=/a/#>@</a><span>% November 2026</span><span>34 min</span><a href=/#.mp3>Download</a></li>";
    assert_all(&page(&format!("<ul>{}</ul>", each(episode))), true);
}

#[test]
fn the_same_words_at_each_item_are_no_title() {
    let release = "<details><summary>@</summary><p>% November 2026</p><a href=/a/#>Download as PDF</a></details>";
    let found = found(&page(&format!("<main><h1>Releases</h1>{}</main>", each(release))));
    assert_eq!(found.len(), TITLES.len());
    for (item, title) in found.iter().zip(TITLES) {
        assert!(item.title.starts_with(title), "{}", item.title);
    }
}

#[test]
fn reads_posts_whose_link_is_their_time() {
    let post = format!(
        "<div class=message><div class=text>@. {SENTENCE}</div><div class=message_footer><span>1.2K</span>\
         <a href=/a/#><time datetime=2026-11-%T08:00:00Z>08:00</time></a></div></div>"
    );
    let items = found(&page(&each(&post)));
    assert_eq!(items.len(), TITLES.len());
    for (item, title) in items.iter().zip(TITLES) {
        assert!(item.title.starts_with(title) && item.day.is_some(), "{}", item.title);
    }
    // The columns of the footer of a page.
    let column = "<div class=footer-column><a href=/c/#>@</a></div>";
    assert_eq!(found(&page(&format!("<p>{SENTENCE}</p><div>{}</div>", each(column)))), []);
    // Short notices.
    assert_eq!(found(&page(&each(&post.replace(SENTENCE, "").replace("@.", "Noon.")))), []);
}
