use super::*;

fn removed(html: &str) -> String {
    remove(html, html, Url::parse("https://a.example/x").ok().as_ref(), None)
}

#[test]
fn removes_phrases_and_line_numbers() {
    assert_eq!(
        removed("<p>Text.</p><p class=x> Advertisement </p><p>Read more of it.</p>"),
        "<p>Text.</p><p>Read more of it.</p>"
    );
    assert_eq!(
        removed(
            "<tr><td class=gutter><pre><span>1</span>\n<span>2</span></pre></td><td class=code><pre>a</pre></td></tr>"
        ),
        "<tr><td class=code><pre>a</pre></td></tr>"
    );
    assert_eq!(removed("<td class=gutter>1<td>a</td>"), "<td>a</td>");
    assert_eq!(removed("<pre class=linenos>a 1</pre>"), "<pre class=linenos>a 1</pre>");
}

#[test]
fn removes_what_refers_to_other_articles() {
    let text = "<p>Long enough to be read by someone, it is.</p>".repeat(9);
    for gone in [
        "<p>Read more: <a href=x>The harbour of old</a></p>",
        "<p>À lire aussi : <a href=x>Le port d’autrefois</a></p>",
        "<h3>Related articles</h3><ul><li><a href=x>The harbour of old</a></li></ul>",
        "<h2>Das könnte Sie auch interessieren</h2>",
        "<p><em>Follow us on <a href=x>Some site</a></em></p>",
        "<p>Sign up for our newsletter <a href=x>here</a>.</p>",
        "<div class=teaser><a href=x><b>The harbour</b></a><p>How it was before.</p></div>",
        "<p>Updated: Nov. 20, 2019 1:35 a.m.</p>",
        "<p>after newsletter promotion</p>",
        "<div>Zur Merkliste hinzufügen</div>",
        "<p>Abonnieren Sie unseren Newsletter und lesen Sie das Beste der Woche.</p>",
        "<p><a href=x>Apúntate aquí</a> a la newsletter semanal de nuestra redacción.</p>",
        "<p>A version of this article appears in print on , Section A, Page 4. <a href=x>Order Reprints</a></p>",
        "<p>(<a href=x>Log in</a> to post comments)</p>",
        "<p><em>This post may contain affiliate links. Read my <a href=x>disclosure policy</a>.</em></p>",
        "<blockquote class=ad><p>Brought to you by those who pay for it.</p></blockquote>",
        "<p>Published on 5 May 2026 by A. Writer</p>",
        "<p>Tagged <a href=x>nets</a>, <a href=x>boats</a></p>",
        "<p>Sign up for the best in your inbox <a href=x>here</a>.</p>",
        "<h4>Share</h4>",
        "<h3>Mira: <a href=x>The harbour of old</a></h3>",
        "<p>Follow Our Harbour on Facebook and Instagram, or send an email to <a href=mailto:x>us</a>.</p>",
        "<p>Did you know that we have a Telegram channel? Join it <a href=x>here</a>.</p>",
        "<p>Folge unserem <a href=y>Telegram-Kanal</a>.</p>",
        "<p>👉 Únete a nuestro <a href=y>canal de WhatsApp</a></p>",
        "<p>Read:</p><p class=readmore><a href=y>The harbour of old</a></p>",
        "<h2>Read more</h2><div><article class=teaser><a href=x>The harbour of old</a><p>It is old.</p></article></div>",
        "<span class=sr-only>opens in a new window</span>",
        "<span class=off-screen>Image copyright</span>",
        "<span class=mw-editsection>[<a href=/w?action=edit>edit</a>]</span>",
        "<p>Baca juga: <a href=x>Pelabuhan lama di pantai timur</a></p>",
        "<p>اقرأ أيضًا: <a href=x>الميناء القديم على الساحل الشرقي</a></p>",
        "<p>यह भी पढ़ें: <a href=x>पूर्वी तट का पुराना बंदरगाह</a></p>",
        "<p>延伸閱讀：<a href=x>東岸的老港口</a></p>",
        "<p>Close</p>",
        "<h2><a href=x>Click here to subscribe to our newsletter</a></h2>",
        "<amp-ad>Buy a boat</amp-ad>",
        "<div class=paywall-offer><h2>Read on</h2><p>Boats for one euro a month.</p></div>",
        "<p>Are you already a subscriber? <a href=x>Log in</a></p>",
        "<p class='post__byline'>By A. Writer</p>",
        "<span class=post-ratings>3 of 5</span>",
        "<div class=relatedlinks__box>The harbour of old</div>",
        "<h2>What others say</h2><div class=comment-respond>Write a comment</div>",
        "<div class='AuthorBox'><p>A. Writer has written about harbours for many years, and lives in one.</p></div>",
    ] {
        assert_eq!(removed(&format!("{text}{gone}")), text, "{gone}");
    }
    for kept in [
        "<p>Read more books, they said.</p>",
        "<p>Follow the coast to the <a href=x>harbour</a>, and take a picture for Instagram.</p>",
        "<p>Follow these steps to connect Instagram and Facebook with <a href=x>Mastodon</a>.</p>",
        "<h2>Loading</h2><p>The boats are loaded in the morning.</p>",
        "<p>The <a href=x>Telegram channel</a> of the harbour was closed.</p>",
        "<p>In der Folge wurde der <a href=y>Telegram-Kanal</a> gesperrt.</p>",
        "<p>Folge war, dass der <a href=y>Telegram-Kanal</a> gesperrt wurde.</p>",
        "<p>El <a href=y>canal de Telegram</a> fue cerrado entre noviembre y diciembre.</p>",
        "<p>Users were asked to join a <a href=y>Telegram channel</a> run by the group.</p>",
        "<p>Follow-up reports on <a href=y>Facebook and Instagram</a> were deleted.</p>",
        "<p>Folge 12 über <a href=y>Facebook und Instagram</a> ist da.</p>",
        "<p>Read:</p><pre>let line = read();</pre>",
        "<h2><a href='#rs'>Recommended settings</a></h2><p><img src=a></p><p>These are the best.</p>",
        "<h2><a href=/x/#more>More on this topic later</a></h2><p><img src=a></p><p>These are the best.</p>",
        "<h2><a href=https://www.a.example/x>Related data structures</a></h2><p><img src=a></p><p>Trees are.</p>",
        "<p>More from the sea than from the land, they lived.</p>",
        "<h3>Related</h3><p>The harbours of the other coast were built in the same years.</p>",
        "<h3>More on this coast</h3><p>There are harbours of all kinds.</p>",
        "<p>Sign up for the boat at the <a href=x>office</a>.</p>",
        "<div class='elementor-widget elementor-widget-text-editor'><p>Words with a <a href=x>link</a>.</p></div>",
        "<div class='views-field views-field-body'><p>Words of a page.</p></div>",
        "<p>Published in 2019 by a house on the coast.</p>",
        "<p>Published 12 papers in 2019 and 2020.</p>",
        "<p>Tagged <a href=x>salmon</a> were found in the river this spring.</p>",
        "<p>Posted in the <a href=x>office</a>, the notice said that the pier was closed.</p>",
        "<p>Subscribe to the event inbox with <a href=x>its method</a>, then send a message to it.</p>",
        "<p>Get the <a href=x>email</a> archive, and unpack it in your home folder.</p>",
        "<p>Related to this is the <a href=x>theory of boats</a>.</p>",
        "<p>Read the full <a href=x>report of the commission</a></p>",
        "<p class=paywall>A paragraph that only subscribers see.</p>",
        "<h2>Print</h2><p>The print command writes a line.</p>",
        "<h2>Recommended nets</h2><p><img src=x></p>",
        "<h2>Related work</h2><ul><li><a href=x>Boats of old, 1999</a></li></ul><p>End of the text.</p>",
        "<div class=teaser><p>The lead of this article.</p></div>",
        "<h2 id=ads>Ads</h2><p>Boats had them on their sails.</p>",
        "<blockquote><p>Words.</p><p class=author>A. Poet</p></blockquote>",
    ] {
        let html = format!("{text}{kept}");
        assert_eq!(removed(&html), html);
    }
}

#[test]
fn removes_by_position() {
    let text = "<p>A paragraph of prose that is long enough for an article, as someone who reads it would say.</p>";
    let page = |start: &str, middle: &str, end: &str| format!("{start}{text}{middle}{text}{text}{end}");
    let nothing = page("", "", "");
    for (start, middle, end) in [
        ("<p>5 May 2026</p>", "", "<div>23.10.2018, 10:00</div>"),
        ("<p>sexta-feira, 22 de outubro de 2010 às 20:13</p>", "", "<p>vendredi 5 février 2021 à 10h30</p>"),
        ("<p>By A. Writer | May 5, 2026 at 2:26 PM HST - Updated May 6 at 4:46 PM</p>", "", ""),
        ("<p>Written by: A. Writer | 5 May 2026</p>", "", ""),
        ("<p>05.05.2026 11:38<br>Kategorie: <a href=/y>Boote</a></p>", "", ""),
        ("", "", "<p><a href=/y>IMPRESSUM</a> | <a href=/z>Datenschutz</a> | © A. Writer</p>"),
        ("", "", "<p>© 2026 The Harbour Times. All rights reserved.</p><p>Copyright ⓒ 항구신문. 무단 전재 금지.</p>"),
        ("", "<p><b><a href=/y>A LONG HISTORY OF THE OLD HARBOUR</a></b></p>", ""),
        ("", "<p><b>Background:</b> <a href=/y>The boats of the old harbour</a></p>", ""),
        ("", "", "<h2>The coast</h2><ul><li><a href=/y><img src=a>Harbours of the east</a></li></ul><h3>Boats</h3>"),
    ] {
        assert_eq!(removed(&page(start, middle, end)), nothing);
    }
    for (start, middle, end) in [
        ("", "", "<h2>Parts by others</h2><p>Copyright 2011 A. Writer. All rights reserved.</p>"),
        (
            "",
            "<p>© 2026 A. Writer. All rights reserved.</p>",
            "<p>Copyright was explained, and all rights reserved for the author, by the court that sat in the harbour for months and months, until the judges had read each of the two hundred letters to the very end.</p>",
        ),
        ("<p>5 May 2026: the boats are in.</p>", "<p>6 May 2026 by A. Writer</p>", "<p>In May, by boat</p>"),
        // An event and a signature, and facts of a painting and a song.
        ("<p>5 May 2026 in <a href=/y>Hamburg</a></p>", "", "<p>By A. Writer, 5 May 2026</p>"),
        ("<p>By train: 2 hours | 12 May 2026, 10:00</p>", "", ""),
        ("<p>By boat, 2 hours | 12 May 2026</p>", "", ""),
        ("<p>5 May 2026 | The old harbour</p>", "", "<p>By A. Writer - 5 May 2026</p>"),
        ("<p><a href=/y>Impressum</a> | <a href=/z>Datenschutz</a></p>", "", "<p>Privacy by <a href=/y>design</a></p>"),
        ("<p>Date: 12 May 2026, 10:00</p>", "", "<p>By A. Painter, 1840–1926</p>"),
        ("<p>Text: A. Writer (1607–1676)</p>", "", "<p>First published in 1816, last updated in 1834.</p>"),
        ("<h3>5 May 2026</h3>", "<p>6 May 2026</p>", "<div>7 May 2026<img src=a></div>"),
        ("<p>Background: <a href=/y>The boats of the old harbour</a></p>", "", ""),
        ("", "<p><a href=https://b.example/>A LONG HISTORY OF THE OLD HARBOUR</a></p>", ""),
        (
            "",
            "<p><a href=/y>A long history of the old harbour</a></p><p>FOUR BOATS AND A LONG NET, SAID <a href=/y>HE</a></p>",
            "",
        ),
        ("", "<h2><a href=/y>A LONG HISTORY OF THE OLD HARBOUR</a></h2>", ""),
        ("", "<p>Source: <a href=https://b.example/>The boats of the old harbour</a></p>", ""),
        ("", "<p>Background: <a href=/y>The boats of the old harbour</a>, which lay there.</p>", ""),
        ("", "<p>Background: <a href=/y>www.boats-of-the-harbour.example</a></p>", ""),
        ("", "", "<ul><li><a href=https://b.example/>The boats of the old harbour</a></li></ul>"),
        ("", "", "<img src=a><h2>Links</h2><ul><li><a href=/y>The harbour</a></li></ul><p>The end.</p>"),
        ("", "", "<p><b>5 May 2026</b></p><p>The first boats came back to the harbour.</p>"),
        ("", "", "<h2>Downloads</h2><ul><li><a href=/plan.pdf>Plan of the harbour (PDF)</a></li></ul>"),
    ] {
        let page = page(start, middle, end);
        assert_eq!(removed(&page), page);
    }
    for dated in [
        "5 de mayo de 1821: por la mañana murió Napoleón.",
        "Le 5 mai 1821 par un temps de tempête, Napoléon mourut.",
        "5 May 2026, by the harbour: the boats are in and the storm has passed.",
        "On 5 May 2026 by boat we left.",
        "12.05.2026 Tags der offenen Tür",
        "Montag, 5. Mai 2026: Kommentare zur Lage von Mira Schreiber",
        "01.05.2026 – Kategorie A: Boote über 5 Tonnen fahren nicht aus.",
    ] {
        let page = page(&format!("<p>{dated}</p>"), "", &format!("<div>{dated}</div>"));
        assert_eq!(removed(&page), page);
    }
    for short in [
        format!("{text}<p>5 May 2026</p>"),
        "<div><p>Boats.</p><p>Already a subscriber? <a href=x>Log in</a></p></div>".to_owned(),
    ] {
        assert_eq!(removed(&short), short);
    }
}

#[test]
fn removes_elements_that_lost_their_names() {
    let text = "<p>Long enough to be read by someone, it is.</p>".repeat(9);
    let lead = "A lead in an element that has the name of a promotion.";
    let page = format!(
        "<div class=article-promo><div><p>{lead}</p></div></div>{text}<div class=postmetadata>Filed by <a href=x>A. Writer</a></div>\
         <p>Boats</p><div class=tags><span>Boats</span></div><div class=post-tags><p>Nets</p></div>"
    );
    let end = "<p>Filed by <a href=x>A. Writer</a></p><p>Boats</p><p>Nets</p>";
    let article = format!("<p>{lead}</p>{text}{end}");
    // A text that is in other elements, too, remains.
    let removed = remove(&article, &page, None, Some(lead));
    assert_eq!(removed, format!("<p>{lead}</p>{text}<p>Boats</p>"));
    assert_eq!(remove(&article, &text, None, None), article);
    // Unless it is a link, next to one that is not.
    let listed = format!("<ul><li><a href=x>A. Writer</a></li></ul>{page}");
    assert_eq!(remove(&article, &listed, None, Some(lead)), removed);
    let listed = listed.replace("<a href=x>A. Writer</a>", "A. Writer");
    assert_eq!(
        remove(&article, &listed, None, Some(lead)),
        removed.replace("<p>Boats", "<p>Filed by <a href=x>A. Writer</a></p><p>Boats")
    );
    // A lead with a link.
    let linked = lead.replace("the name", "<a href=x>the name</a>");
    let (article, page) = (article.replace(lead, &linked), page.replace(lead, &linked));
    assert_eq!(remove(&article, &page, None, Some(lead)), removed.replace(lead, &linked));
}

#[test]
fn removes_boxes_after_the_prose() {
    let text =
        "<p>A paragraph of prose that is long enough for an article, as someone who reads it would say.</p>".repeat(8);
    let card = |link: &str| {
        let of = "The start of another article, which is as long as a paragraph of prose, or nearly as long.";
        format!("<li><a href={link}><img src=a></a><h3><a href={link}>Boats</a></h3><p>{of}</p></li>")
    };
    let row = |link: &str| format!("<ul>{}</ul>", card(link).repeat(3));
    let cards = card("/y").replace("li>", "div>").repeat(3);
    let long = text.repeat(4);
    assert_eq!(removed(&format!("{long}<div><h2>From here</h2>{cards}</div>")), format!("{long}<div></div>"));
    let short = &text[..text.len() / 4];
    assert_eq!(removed(&format!("{short}<h2>Related articles</h2>{}", row("/y"))), format!("{short}<ul></ul>"));
    for kept in [
        format!("{text}{}", row("https://b.example/")),
        format!("{text}{}{text}", row("/y")),
        format!("{text}<ul>{}</ul>", card("/y")),
        format!("{short}{}", row("/y")),
        // A list of what the article is about, or more than an eighth of it.
        format!("{long}<ol>{}</ol>", card("/y").repeat(3)),
        format!("{long}{cards}<ol>{}</ol>", card("/y").repeat(3)),
        format!("{text}{cards}"),
    ] {
        assert_eq!(removed(&kept), kept);
    }
}

#[test]
fn keeps_texts_with_the_name_of_a_label() {
    let text = "<p>Long enough to be read by someone, it is.</p>".repeat(9);
    let post = format!("<div class='post posted-by-mira'>{}</div>", "<p>Long enough as well, it is.</p>".repeat(8));
    assert_eq!(removed(&(text.clone() + &post)), text + &post);
}

#[test]
fn removes_small_boilerplate_and_keeps_large() {
    let text = "<p>Long enough to be read by someone, it is.</p>".repeat(10);
    let html = format!("{text}<div class='post-share x'>Tweet<div>a</div></div><p>End</p>");
    assert_eq!(removed(&html), format!("{text}<p>End</p>"));
    let html = format!("<div class=related>{text}</div>");
    assert_eq!(removed(&html), html);
    let html = format!("{text}<p class=shareholder>Of a company</p>");
    assert_eq!(removed(&html), html);
}

#[test]
fn removes_labels_of_links() {
    let text = "<p>Long enough to be read by someone, it is.</p>".repeat(9);
    let links = "<ul><li><a href=y>The harbour of old</a></li><li><a href=z>Boats of the coast</a></li></ul>";
    let page = |label: &str, links: &str| format!("{text}{label}{links}<p>The end of it.</p>");
    assert_eq!(removed(&page("<p><b>Verwandte Artikel:</b></p>", links)), page("", ""));
    assert_eq!(removed(&page("<div>Related stories</div>", links)), page("", ""));
    let sentences = links.replace("</a>", "</a>, by Anna, who tells how they came there and why they stayed");
    for (label, links) in [
        ("<p>Related articles:</p>", &*sentences),
        ("<p>Related sources:</p>", "<ul><li><a href=https://b.example/x>The history of the harbour</a></li></ul>"),
        (
            "<p>Weitere Informationen zum Hafen:</p>",
            "<ul><li><a href='/y.pdf?download=1'>The plan of the harbour</a></li></ul>",
        ),
        ("<p>See also:</p>", "<ul><li><a href=https://b.example/x>The history of the harbour</a></li></ul>"),
        ("<p>Weitere Informationen</p>", "<ul><li><a href=/y.pdf>The plan of the harbour</a></li></ul>"),
        ("<p>More on this later.</p>", "<p>Text with a <a href=y>link</a>.</p>"),
        (
            "<p>Related work by others is in these lists, which are not complete, and which no one has ordered so far:</p>",
            links,
        ),
        ("<p>These are the harbours:</p>", links),
        ("<p>More on the following boats:</p>", links),
        (
            "<p>More stories:</p>",
            "<ul><li>How the storm came, as those who were there have described it on this <a href=y>page</a></li></ul>",
        ),
    ] {
        assert_eq!(removed(&page(label, links)), page(label, links));
    }
}

#[test]
fn keeps_labels_of_links_that_are_not_other_articles() {
    let text = "<p>Long enough to be read by someone, it is.</p>".repeat(9);
    let links = "<ul><li><a href=/y/1>The harbour of old</a></li><li><a href=/y/2>Boats of the coast</a></li></ul>";
    for label in [
        "Read more in the documentation:",
        "More from this release:",
        "Related commands:",
        "Related standards:",
        "Read the full reports:",
        "Weitere Informationen finden Sie hier:",
        "Recommended reading:",
        "Recommended by Mira:",
        "À lire cet été :",
        "Verwandte Arten:",
        "Mehr zu den Kapiteln:",
        "Related posts in this series:",
        "Most read in January:",
    ] {
        let page = format!("{text}<p>{label}</p>{links}<p>The end of it.</p>");
        assert_eq!(removed(&page), page);
    }
    // A list of links, and a glossary.
    for label in ["Related stories:", "See also:"] {
        let page = format!("<h2>Net</h2><p>It is made of rope.</p><p>{label}</p>{links}").repeat(3);
        assert_eq!(removed(&page), page);
    }
    // Projects of others.
    let links = "<ul><li><a href=https://github.com/a/b>b</a></li><li><a href=https://github.com/c/d>d</a></li></ul>";
    let github = Url::parse("https://github.com/mira/nets").ok();
    for label in ["Related projects:", "See also:", "Related:", "Related posts:"] {
        let page = format!("{text}<p>{label}</p>{links}<p>The end of it.</p>");
        assert_eq!(remove(&page, &page, github.as_ref(), None), page);
    }
    // Sources under a heading.
    let page = format!("{text}<h2>See also</h2>{}", links.replace("github.com", "b.example"));
    assert_eq!(removed(&page), page);
}

#[test]
fn removes_navigation_and_keeps_contents() {
    let text = "<p>Long enough to be read by someone, it is.</p>".repeat(9);
    let nav = |links: &str| format!("<nav><ul>{links}</ul></nav>{text}");
    assert_eq!(removed(&nav("<li>Boats</li><li><a href=/nets>Nets</a></li>")), text);
    for kept in [
        nav("<li><a href='#boats'>Boats</a></li><li><a href='https://a.example/x#nets'>Nets</a></li>"),
        nav("<li>Boats</li>"),
        format!(
            "<nav>{}</nav>{text}",
            "<li><a href=/y>A chapter of the handbook on boats and nets</a></li>".repeat(20)
        ),
    ] {
        assert_eq!(removed(&kept), kept);
    }
}

#[test]
fn removes_headings_of_missing_sections() {
    let text = "<p>Long enough to be read by someone, it is.</p>".repeat(9);
    let of = |article: &str, page: &str| {
        let end = format!("<h2>The end</h2>{text}");
        let all = |part: &str| format!("{text}{part}{end}");
        let removed = remove(&all(article), &all(page), None, None);
        removed[text.len()..removed.len() - end.len()].to_owned()
    };
    let more = "<h2>More on nets</h2>";
    let form = "<form>Write to us about your nets, and send a picture of the boat</form>";
    for page in [form, "<h3><a href=y>Nets</a></h3>"] {
        assert_eq!(of(more, &format!("{more}{page}")), "", "{page}");
    }
    let question = |of: &str| format!("<h2>What is a {of}?</h2>");
    let questions: String = ["net", "boat", "pier"].map(question).concat();
    let answers: String = ["net", "boat", "pier"].map(|of| question(of) + "<p>It is.</p>").concat();
    for (article, page) in [
        // The page has nothing either, or the article has it.
        (more, more.to_owned()),
        ("<h2>More on nets</h2><p>Text.</p>", format!("{more}{form}<p>Text.</p>")),
        ("<h2>More on nets</h2><img src=a>", format!("{more}{form}")),
        ("<h2>More on nets</h2><pre>a</pre>", format!("{more}{form}")),
        // An item of a list with images, or of links.
        (more, format!("{more}<div><img src=a></div>")),
        ("<h2><a href=y>Nets</a></h2>", format!("<h2><a href=y>Nets</a></h2>{form}")),
        // It is the heading of what follows.
        ("<h1>More on nets</h1>", format!("<h1>More on nets</h1>{form}")),
        // A reader opens them.
        (more, format!("{more}<p hidden>Text.</p>")),
        (more, format!("{more}<div style='display: none'><div>Text.</div><p>More.</p></div>")),
        // Parts of the article that begin with a heading of their own.
        (more, format!("{more}<a href=/edit>编辑</a>")),
        (more, format!("{more}<p class=share>Share</p>")),
        (more, format!("{more}<p class=share>Share this with your friends on all of the networks of this world</p>")),
        (more, format!("{more}<button>Expand</button>")),
        (more, format!("{more}<button>Closed</button>")),
        (&*questions, answers),
        (more, format!("{more}{form}{more}")),
    ] {
        assert_eq!(of(article, &page), article, "{page}");
    }
}

#[test]
fn removes_notices_of_the_site() {
    let text = "<p>Long enough to be read by someone, it is.</p>".repeat(9);
    for gone in [
        "<p>Zurück zur Startseite</p>",
        "<div><span>Lade weitere Inhalte …</span></div>",
        "<h3><span>Keine Kommentare</span><br><em>Kommentare sind geschlossen</em>.</h3>",
        "<p>Image 1 of 5</p>",
        "<p>Foto 3/12</p>",
        "<p>5 min read</p>",
        "<p>Lesezeit: 2 Minuten</p>",
        "<p>≈ 12 minutes de lecture</p>",
        "<p>Your browser does not support the audio element.</p>",
        "<div>Tu navegador no soporta los elementos de audio</div>",
        "<p>Your browser doesn’t support HTML5 audio</p>",
        "<p>War dieser Artikel hilfreich?</p>",
        "<p>Was this helpful? Yes No</p>",
        "<p>Never miss the latest news by signing up to our newsletter today!</p>",
        "<span class='entry-meta__posted-on'>Posted on April 22, 2022</span>",
        "<span class=tags-links>Boats</span>",
        "<p>Über die Autorin:</p><div class=saboxplugin-wrap><p>Mira Schreiber lebt an der Küste.</p></div>",
    ] {
        assert_eq!(removed(&format!("{text}{gone}")), text, "{gone}");
    }
    for kept in [
        "<ul><li>Print</li><li>Radio</li><li>Comments</li></ul>",
        "<table><tr><td>Print</td><td>Share</td></tr></table>",
        "<h2>Subscribe</h2><p>The command adds a feed.</p>",
        "<h2>Show more</h2><p>The option lists all boats.</p>",
        "<ul><li><p>Subscribe</p></li><li><div><p>Back to top</p></div></li><li><p>Share</p></li></ul>",
        "<ul><li>Mehr anzeigen</li><li>Jetzt abonnieren</li></ul>",
        "<table><tr><td><p>Subscribe</p></td><td><p>Calls it</p></td></tr></table>",
        "<p>The menu has the entries</p><p>Show more</p><p>Load more</p><p>and closes.</p>",
        "<p>Was this helpful? I asked her that question again.</p>",
        "<p>Your browser does not support WebGL? Update it, and install the driver of your graphics card.</p>",
        "<p>Your browser does not support WebGL 2.</p>",
        "<p>Loading<br>the boats</p>",
        "<p>12 minutes</p>",
        "<p>Image 1</p>",
        "<p>Slide 1 of 3</p>",
        "<p>About the author</p><p>Mira Writer lives on the coast.</p>",
        "<p>Image 1 of 5 shows the harbour.</p>",
        "<p>1 of 5</p>",
        "<p>Reading time</p>",
        "<p>Lesezeit ist die schönste Zeit des Tages, sagt sie.</p>",
        "<p>It was a 5 min read for the harbour master.</p>",
        "<p>Your browser does not support the audio element if it is older than ten years, and then it shows what is between the \
         tags instead, which is often a link to the file, or a hint such as this one, which most readers will never see.</p>",
        "<p>Sign up for the ferry, and read what our newsletters have said about it.</p>",
        "<p>The harbour has closed our newsletter.</p>",
    ] {
        let html = format!("{text}{kept}");
        assert_eq!(removed(&html), html);
    }
}

#[test]
fn keeps_short_articles_that_are_named_after_their_author() {
    let text = "The boats were in the harbour, and no one was about to repair a net before the sun was up.";
    let page = format!(
        "<title>Harbour</title><main><article class='post author-anna'><h1>Harbour</h1><p>{text}</p><h2>Nets</h2><p>They are dry. {text}</p>\
         <h2>Sources</h2><ul><li>The old book of the harbour</li></ul></article></main>"
    );
    let found = crate::extract(&page, "https://a.example/x").map(|found| found.content_text).unwrap_or_default();
    assert!(found.contains("Nets") && found.contains("Sources") && found.contains("old book"), "{found}");
}
