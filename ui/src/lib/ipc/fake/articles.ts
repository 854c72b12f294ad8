/** The fake's articles: enough shapes to show what the pane must bear. */
import type { Article, ArticleRow, Enclosure } from '../generated';
import { EVERYTHING } from './everything';
import { picture, SENTENCES, TITLES } from './words';

export type FakeArticle = ArticleRow & { feed_title: string; host: string; received: number } & Pick<
    Article,
    'hidden' | 'kept' | 'tags' | 'progress'
  >;

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

export function makeArticle(
  id: number,
  feed: { id: number; title: string; url: string },
  at: number,
  now: number,
): FakeArticle {
  const podcast = feed.url.includes('ninety') || feed.url.includes('owntime');
  const bare = feed.url.includes('script.example');
  const arabic = feed.url.includes('yawmiyat');
  const japanese = feed.url.includes('tsukue');
  let title = pick(TITLES, id * 7 + feed.id);
  if (arabic) title = 'ملاحظات عن القراءة البطيئة';
  if (japanese) title = '静かな朝と、読みかけの本について';
  if (id % 53 === 0) title = '';
  return {
    id,
    feed_id: feed.id,
    feed_title: feed.title,
    host: new URL(feed.url).host,
    title,
    excerpt: bare ? '' : `${pick(SENTENCES, id)} ${pick(SENTENCES, id + 3)}`.slice(0, 200),
    author: id % 3 === 0 ? null : pick(['Ada Moss', 'J. Tidewell', 'The editors', 'Inés Prado'], id),
    published: id % 41 === 0 ? null : at,
    sort_at: at,
    read: now - at > 5 * 86_400_000 || id % 4 === 0,
    starred: id % 31 === 0,
    reading_minutes: 1 + (id % 14),
    words: (1 + (id % 14)) * 230,
    thumbnail: id % 5 === 1 ? picture(id, 128, 128) : null,
    media: podcast ? 'audio' : id % 97 === 0 ? 'video' : null,
    thumbnail_kept: null,
    updated: id % 9 === 0,
    received: at,
    hidden: false,
    kept: false,
    tags: [],
    progress: null,
  };
}

const paragraph = (n: number, count: number) =>
  `<p>${Array.from({ length: count }, (_, i) => pick(SENTENCES, n * 3 + i)).join(' ')}</p>`;

const TABLE = `<table><caption>Requests in a week</caption><thead><tr><th>Reader</th><th>Asked</th><th>Not modified</th><th>Bytes</th><th>Errors</th><th>Politeness</th></tr></thead><tbody>${[
  ['Gleaner', '2,016', '1,994', '1.2 MB', '0', 'kept to every header'],
  ['Another', '40,320', '0', '3.9 GB', '211', 'asked every fifteen seconds'],
  ['A third', '10,080', '9,800', '44 MB', '3', 'mostly'],
]
  .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  .join('')}</tbody></table>`;

const CODE = `<pre><code>fn decide(before: &amp;State, came: &amp;Answer, now: Timestamp) -&gt; Vec&lt;Intent&gt; {
    match came.status {
        304 =&gt; vec![Intent::Checked { at: now }],
        410 =&gt; vec![Intent::GiveUp { since: now, words: "the publisher said so, and a publisher who says so means it" }],
        _ =&gt; compare(before, &amp;came.items, now),
    }
}</code></pre>`;

function html(row: FakeArticle): string {
  if (row.host === 'script.example') return row.id % 2 ? paragraph(row.id, 1) : '';
  if (row.host === 'yawmiyat.example')
    return '<p>القراءة البطيئة ليست ترفاً، بل طريقة لسماع ما يقوله النص حين لا يستعجله أحد.</p><blockquote><p>من يقرأ ببطء يقرأ مرتين.</p></blockquote>'.repeat(
      4,
    );
  if (row.host === 'tsukue.example')
    return '<p>朝の光が机の上に落ちて、まだ読み終えていない本の頁を照らしている。急ぐ理由はどこにもない。</p>'.repeat(
      8,
    );
  if (row.id % 13 === 5) return EVERYTHING;
  const long =
    row.id % 11 === 0
      ? Array.from(
          { length: 120 },
          (_, i) =>
            `${i % 8 === 0 ? `<h2>Part ${i / 8 + 1}</h2>` : ''}${paragraph(row.id + i, 4)}${i % 6 === 2 ? `<p><img src="${picture(i)}" width="960" height="420" alt="Bands of colour"></p>` : ''}`,
        ).join('')
      : '';
  return [
    paragraph(row.id, 4),
    `<figure><img src="${picture(row.id)}" width="960" height="420" alt="Hills in bands of one colour, and a pale sun"><figcaption>The four ways to write one title, by share of feeds.</figcaption></figure>`,
    '<h2>Be liberal in what you accept</h2>',
    `<p>${pick(SENTENCES, row.id + 1)} <a href="https://threshold.example/corpus">The corpus</a> has four thousand of these, among them <code>AT&amp;amp;T</code> and <code>a_very_long_identifier_that_does_not_wrap_anywhere_because_it_is_one_word_and_code</code>.</p>`,
    '<blockquote><p>An implementation must be conservative in its sending behaviour, and liberal in its receiving behaviour.</p></blockquote>',
    '<ul><li>feeds that put every element in an undocumented namespace,</li><li>feeds with no titles at all,<ul><li>or with one for all items,</li></ul></li><li>feeds whose dates were written by hand.</li></ul>',
    CODE,
    '<h3>In figures</h3>',
    TABLE,
    '<p class="embed"><a href="https://video.example/watch?v=1">Video on video.example</a></p>',
    paragraph(row.id + 2, 5),
    '<hr>',
    `<p>${pick(SENTENCES, row.id + 5)}<sup><a href="#fn1">1</a></sup></p>`,
    '<ol><li id="fn1">A footnote, in small.</li></ol>',
    // Links that deceive: by their words, a user's name, letters of another script, and a scheme that is no page's.
    '<p><a href="https://elsewhere.example/login">https://threshold.example/login</a>, <a href="https://threshold.example@elsewhere.example/">a site</a>, <a href="https://xn--80ak6aa92e.com/">another</a>, <a href="magnet:?xt=urn:btih:c0ffee">a file</a></p>',
    long,
  ].join('\n');
}

function enclosures(row: FakeArticle): Enclosure[] {
  if (row.media === 'audio') {
    return [
      {
        url: `https://${row.host}/episodes/${row.id}.mp3`,
        mime_type: 'audio/mpeg',
        length: 38_400_000,
        duration: 2_712,
        title: 'Episode',
      },
      {
        url: `https://${row.host}/episodes/${row.id}.pdf`,
        mime_type: 'application/pdf',
        length: 210_000,
        duration: null,
        title: 'Transcript',
      },
    ];
  }
  if (row.media === 'video')
    return [
      { url: `https://${row.host}/${row.id}.mp4`, mime_type: 'video/mp4', length: null, duration: null, title: null },
    ];
  return [];
}

export function openArticle(row: FakeArticle): Article {
  const body = html(row);
  return {
    id: row.id,
    feed_id: row.feed_id,
    feed_title: row.feed_title,
    feed_home_url: `https://${row.host}/`,
    title: row.title,
    author: row.author,
    published: row.published,
    updated: row.id % 9 === 0 && row.published ? row.published + 7_200_000 : null,
    url: row.id % 37 === 0 ? null : `https://${row.host}/${row.id}`,
    html: body,
    language:
      row.host === 'yawmiyat.example' ? 'ar' : row.host === 'tsukue.example' ? 'ja' : row.id % 6 === 0 ? null : 'en',
    read: row.read,
    starred: row.starred,
    hidden: row.hidden,
    kept: row.kept,
    tags: row.tags.toSorted((a, b) => a.localeCompare(b)),
    progress: row.progress,
    playback: [],
    word_count: row.reading_minutes * 230,
    reading_minutes: row.reading_minutes,
    enclosures: enclosures(row),
    comments_url: row.id % 7 === 0 ? `https://${row.host}/${row.id}#comments` : null,
    comments_count: row.id % 3 === 0 ? 12 : null,
    has_comments_feed: row.id % 3 === 0,
    has_chapters: row.media === 'audio',
    source: row.id % 4 === 1 ? { title: 'The Corpus', url: 'https://corpus.example/feed' } : null,
    via: row.id % 4 === 1 ? [{ title: 'linklog.example', url: 'https://linklog.example/7' }] : [],
    categories: row.id % 4 === 1 ? ['Feeds', 'News / Regional', 'history'] : [],
    elsewhere:
      row.id % 4 === 1 ? [{ article_id: row.id + 1, feed_id: row.feed_id, feed_title: 'Planet of Feeds' }] : [],
    full: false,
    has_full_text: false,
    offer_text: row.host === 'script.example',
    fetch_text: false,
    full_text_trouble: row.id % 29 === 0 ? 'The server answered 403 (Forbidden)' : null,
    kept_pictures: [],
    versions: row.id % 3 === 0 ? [row.sort_at + 7_200_000, row.sort_at + 3_600_000] : [],
  };
}
