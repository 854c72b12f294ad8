// Made by `cargo run -p gleaner-contract` from src-tauri/crates/gleaner-contract. Not to be edited.

export type ErrorCode = "invalid_address" | "no_feed" | "not_a_feed" | "parked" | "host_not_found" | "host_unreachable" | "tls" | "timeout" | "http_status" | "too_large" | "broken_answer" | "offline" | "asked_to_wait" | "secret" | "no_keyring" | "bad_access" | "proxy" | "already_subscribed" | "not_opml" | "file" | "no_full_text" | "not_found" | "invalid_input" | "busy" | "library_read_only" | "library_newer" | "library_damaged" | "disk_full" | "internal";
export type IpcError = { code: ErrorCode, 
/**
 * The core's own words, in English: shown as the details beneath the catalogue's words.
 */
message: string, 
/**
 * What the catalogue's words name: a host, a path, a status.
 */
detail: string | null, };
export type Source = { "kind": "today" } | { "kind": "unread" } | { "kind": "starred" } | { "kind": "all" } | { "kind": "feed", id: number, } | { "kind": "folder", id: number, } | { "kind": "tag", id: number, } | { "kind": "noted" } | { "kind": "hidden" };
export type Cursor = { 
/**
 * Unix milliseconds.
 */
sort_at: number, id: number, feed_id: number, words: number, };
export type ListOrder = "newest" | "oldest" | "by_feed" | "rare_first" | "longest" | "shortest";
export type Grouping = "none" | "day" | "feed";
export type View = { source: Source, order: ListOrder, group: Grouping, 
/**
 * Its place is remembered, and nothing of it is counted.
 */
river: boolean, 
/**
 * The row that was at its top edge.
 */
place: Cursor | null, };
export type ListQuery = { source: Source, 
/**
 * Leave out what is read. Implied by `Source::Unread`.
 */
unread_only: boolean, order: ListOrder, 
/**
 * Rows that come after this one in the list's order.
 */
after: Cursor | null, 
/**
 * Rows that come before this one (nearest first in the answer's order reversed, so that the answer is in list order):
 * what is above where a list began. In orders by date only.
 */
before: Cursor | null, 
/**
 * At most this many rows, 1 to 500.
 */
limit: number, };
export type ArticleRow = { id: number, feed_id: number, title: string, 
/**
 * Plain text, some 200 characters.
 */
excerpt: string, author: string | null, 
/**
 * Unix milliseconds; `None` where the feed gives no date.
 */
published: number | null, 
/**
 * Unix milliseconds: what the list is sorted by.
 */
sort_at: number, read: boolean, starred: boolean, reading_minutes: number, words: number, 
/**
 * An https or http URL of a small picture.
 */
thumbnail: string | null, 
/**
 * Where the window has that picture from without a network.
 */
thumbnail_kept: string | null, 
/**
 * The first enclosure's kind: "audio", "video" or null.
 */
media: string | null, 
/**
 * It said something else before.
 */
updated: boolean, };
export type ArticlePage = { rows: Array<ArticleRow>, 
/**
 * True when the list goes on beyond the last (with `before`: the first) row.
 */
more: boolean, };
export type OpenArticle = { id: number, };
export type Articles = { ids: Array<number>, };
export type DoubtLinks = { addresses: Array<string>, };
export type OpenDoubted = { 
/**
 * One of those that were doubted.
 */
address: string, };
export type Search = { 
/**
 * As it was written, in the language of `gleaner-query`.
 */
query: string, order: SearchOrder, 
/**
 * Where the page before ended: its `next`.
 */
after: string | null, 
/**
 * At most this many, 1 to 500.
 */
limit: number, };
export type SearchOrder = "date" | "relevance";
export type SearchAnswer = { "kind": "found", hits: Array<SearchHit>, 
/**
 * What `after` takes for the next page; null where these are the last.
 */
next: string | null, 
/**
 * Articles that cannot be found yet as they are now.
 */
waiting: number, } | { "kind": "not_understood", problem: QueryProblem, 
/**
 * The part of the query that is.
 */
part: TextRange, 
/**
 * The whole query as it was probably meant.
 */
suggestion: string | null, };
export type QueryField = "title" | "author" | "text" | "tag" | "note" | "url" | "feed" | "folder" | "category" | "lang" | "is" | "has" | "after" | "before" | "during" | "words";
export type QueryState = "unread" | "read" | "starred" | "updated" | "hidden" | "kept" | "tagged" | "highlighted" | "noted";
export type QueryMedia = "audio" | "video" | "image" | "enclosure";
export type QueryProblem = { "kind": "unknown_field", name: string, meant: string, } | { "kind": "no_value", field: string, } | { "kind": "not_one_of", field: string, takes: Array<string>, 
/**
 * The one that is nearest, where one is near.
 */
meant: string | null, } | { "kind": "no_date", field: string, } | { "kind": "no_number" } | { "kind": "no_language" } | { "kind": "unclosed_quote" } | { "kind": "unclosed_parenthesis" } | { "kind": "unopened_parenthesis" } | { "kind": "empty_parentheses" } | { "kind": "too_deep" } | { "kind": "too_long", 
/**
 * Bytes.
 */
most: number, };
export type SearchHit = { row: ArticleRow, 
/**
 * Of the row's title.
 */
title_marks: Array<TextRange>, 
/**
 * The piece of its text that says most about why it was found.
 */
snippet: string, snippet_marks: Array<TextRange>, };
export type TextRange = { from: number, until: number, };
export type Article = { id: number, feed_id: number, feed_title: string, feed_home_url: string | null, title: string, author: string | null, published: number | null, updated: number | null, 
/**
 * The address that `open_in_browser` opens.
 */
url: string | null, 
/**
 * Sanitised by the core, links absolute. Empty when the feed gives no text.
 */
html: string, language: string | null, read: boolean, starred: boolean, hidden: boolean, kept: boolean, 
/**
 * The reader's own, by name.
 */
tags: Array<string>, 
/**
 * How far it was read, where it was left part-read: 0 its beginning, 1 its end.
 */
progress: number | null, playback: Array<Playback>, word_count: number, reading_minutes: number, enclosures: Array<Enclosure>, comments_url: string | null, 
/**
 * How many there were when it came in.
 */
comments_count: number | null, 
/**
 * `comments` can fetch them.
 */
has_comments_feed: boolean, 
/**
 * `chapters` gives the chapters of its recording.
 */
has_chapters: boolean, 
/**
 * The feed that it was copied from.
 */
source: Credit | null, 
/**
 * Where it was found, and what it is about.
 */
via: Array<Credit>, categories: Array<string>, 
/**
 * The same story in other feeds.
 */
elsewhere: Array<Elsewhere>, 
/**
 * `html` is the full text, from the article's own page.
 */
full: boolean, 
/**
 * The full text is there.
 */
has_full_text: boolean, 
/**
 * The feed gives only a beginning, as far as can be told, and the reader has not said yet what is to be done about that.
 */
offer_text: boolean, 
/**
 * The full text is not there, and is wished to be fetched now that the article is opened.
 */
fetch_text: boolean, 
/**
 * Why fetching the full text ahead was given up, in the core's words.
 */
full_text_trouble: string | null, 
/**
 * Pictures that need no network.
 */
kept_pictures: Array<KeptPicture>, 
/**
 * Its former versions, by when each gave way to the next (Unix milliseconds), newest first.
 */
versions: Array<number>, };
export type Enclosure = { url: string, mime_type: string | null, 
/**
 * Bytes.
 */
length: number | null, 
/**
 * Seconds.
 */
duration: number | null, title: string | null, };
export type Elsewhere = { article_id: number, feed_id: number, feed_title: string, };
export type Credit = { 
/**
 * Plain text; where the feed gives none, the host of the address.
 */
title: string, 
/**
 * http or https.
 */
url: string | null, };
export type Chapter = { 
/**
 * Seconds from the beginning.
 */
start: number, title: string | null, };
export type Comments = { list: Array<Comment>, 
/**
 * There are more on their page.
 */
more: boolean, };
export type Comment = { author: string | null, 
/**
 * Unix milliseconds.
 */
at: number | null, 
/**
 * Where it stands by itself.
 */
url: string | null, 
/**
 * Sanitised by the core, links absolute.
 */
html: string, };
export type FeedHead = { feed_id: number, description: string | null, image: FeedImage | null, text_input: TextInput | null, };
export type FeedImage = { 
/**
 * http or https.
 */
url: string, title: string | null, 
/**
 * Where it leads: http or https.
 */
link: string | null, 
/**
 * In pixels, within the limits of RSS; `null`: as there is room for it.
 */
width: number | null, height: number | null, };
export type TextInput = { 
/**
 * What its button says.
 */
title: string | null, description: string | null, };
export type SearchSite = { feed_id: number, 
/**
 * At most a thousand characters.
 */
text: string, };
export type Collections = { 
/**
 * In the reader's order.
 */
searches: Array<SavedSearch>, 
/**
 * By name.
 */
tags: Array<Tag>, 
/**
 * Articles with notes.
 */
noted: number, 
/**
 * Hidden articles.
 */
hidden: number, 
/**
 * Those that articles are in, those of most articles first; none where there is only one.
 */
languages: Array<LanguageView>, };
export type LanguageView = { 
/**
 * A primary subtag, such as `en`.
 */
tag: string, 
/**
 * Unread ones.
 */
unread: number, 
/**
 * There are more than these.
 */
more: boolean, };
export type SavedSearch = { id: number, name: string, 
/**
 * As it was written, in the language of `gleaner-query`.
 */
query: string, 
/**
 * Unread articles that it finds; `None` until they were counted.
 */
unread: number | null, 
/**
 * There are more than these.
 */
more: boolean, };
export type Tag = { id: number, name: string, items: number, unread: number, };
export type SaveSearch = { name: string, query: string, };
export type SearchId = { search_id: number, };
export type ChangeSearch = { search_id: number, 
/**
 * `null`: leave as it is.
 */
name: string | null, query: string | null, };
export type MoveSearch = { search_id: number, 
/**
 * Its place among the others; 0 is the first.
 */
to: number, };
export type DeleteSearch = { search_id: number, };
export type TagArticles = { ids: Array<number>, name: string, on: boolean, };
export type RenameTag = { tag_id: number, name: string, };
export type DeleteTag = { tag_id: number, };
export type Quote = { exact: string, prefix: string, suffix: string, start: number, };
export type NoteColor = "yellow" | "green" | "blue" | "pink";
export type Note = { id: number, 
/**
 * `None`: it is on the whole article.
 */
quote: Quote | null, color: NoteColor, 
/**
 * Plain or Markdown; empty where the passage is only marked.
 */
text: string, 
/**
 * Unix milliseconds.
 */
created: number, 
/**
 * When its text was written last, Unix milliseconds.
 */
changed: number, };
export type AddNote = { article_id: number, quote: Quote | null, color: NoteColor, text: string, };
export type AddedNote = { note: Note, undo: number, };
export type ChangeNote = { note_id: number, 
/**
 * `null`: leave as it is.
 */
color: NoteColor | null, text: string | null, };
export type NoteId = { note_id: number, };
export type NotesOf = { article_ids: Array<number>, };
export type KeepProgress = { id: number, position: number, };
export type Playback = { 
/**
 * The enclosure's.
 */
url: string, seconds: number, duration: number | null, 
/**
 * It was heard to its end.
 */
finished: boolean, };
export type KeepPlayback = { id: number, playback: Playback, };
export type Categories = { 
/**
 * Those above before those below.
 */
facets: Array<Facet>, synonyms: Array<Synonym>, };
export type Facet = { 
/**
 * Its path, parted by `/`, without regard to case: what `category:` takes.
 */
key: string, 
/**
 * Its last step, as feeds write it.
 */
name: string, 
/**
 * Articles about it or about what lies below it.
 */
articles: number, };
export type Synonym = { key: string, means: string, };
export type SetSynonym = { category: string, 
/**
 * `null`: it means itself again.
 */
means: string | null, };
export type Overview = { 
/**
 * Parents before children, in the order they are shown in.
 */
folders: Array<Folder>, 
/**
 * In the order they are shown in.
 */
feeds: Array<Feed>, counts: Counts, 
/**
 * True until the user has subscribed to anything or has closed the welcome view: show the welcome view.
 */
first_run: boolean, };
export type Folder = { id: number, parent_id: number | null, name: string, open: boolean, };
export type Feed = { id: number, folder_id: number | null, 
/**
 * The user's own name for it, else the feed's, else the host.
 */
title: string, url: string, home_url: string | null, 
/**
 * Where the window has it from: the protocol of kept pictures. It came from the site itself.
 */
icon: string | null, 
/**
 * Whether its remote pictures are shown, as it or its folders say; `null`: as in the settings.
 */
load_images: boolean | null, 
/**
 * True for the bundled welcome feed, which is never polled.
 */
local: boolean, trouble: Trouble | null, 
/**
 * What can be done about it, if anything.
 */
remedies: Array<Remedy>, 
/**
 * Unix milliseconds of the last answer.
 */
checked: number | null, };
export type Trouble = { error: IpcError, 
/**
 * Unix milliseconds.
 */
since: number, 
/**
 * When it is asked again; `None` when it is not.
 */
next: number | null, };
export type Counts = { smart: SmartCounts, 
/**
 * Feeds that have unread articles; all others have none.
 */
unread: Array<FeedUnread>, };
export type SmartCounts = { 
/**
 * Unread ones of today.
 */
today: number, unread: number, 
/**
 * All starred ones.
 */
starred: number, 
/**
 * All articles there are.
 */
all: number, };
export type FeedUnread = { feed_id: number, unread: number, };
export type Mark = { ids: Array<number>, 
/**
 * `null`: leave as it is.
 */
read: boolean | null, starred: boolean | null, 
/**
 * In no list but that of hidden ones.
 */
hidden: boolean | null, 
/**
 * No rule of retention lets it go.
 */
kept: boolean | null, };
export type MarkScope = { "kind": "all" } | { "kind": "above", cursor: Cursor, } | { "kind": "below", cursor: Cursor, };
export type MarkAll = { source: Source, order: ListOrder, scope: MarkScope, 
/**
 * Only what had come in by then (Unix milliseconds, the moment the list was loaded): what nobody has seen stays unread.
 */
received_before: number | null, };
export type Marked = { count: number, undo: number, };
export type UndoStep = { undo: number, };
export type Unsubscribe = { 
/**
 * All of them or none.
 */
feed_ids: Array<number>, };
export type RenameFeed = { feed_id: number, 
/**
 * Empty: the feed's own title again.
 */
title: string, };
export type Arrange = { 
/**
 * In the order that they are to have.
 */
feeds: Array<number>, 
/**
 * The same, each with all that is in it.
 */
folders: Array<number>, 
/**
 * The folder that they are put into; `null`: at the top.
 */
parent_id: number | null, 
/**
 * The feed there that the feeds come before; `null`: they are the last.
 */
before_feed: number | null, 
/**
 * The folder there that the folders come before; `null`: they are the last.
 */
before_folder: number | null, };
export type CreateFolder = { name: string, parent_id: number | null, };
export type RenameFolder = { folder_id: number, name: string, };
export type SetFolderOpen = { folder_id: number, open: boolean, };
export type FolderId = { folder_id: number, };
export type RefreshScope = { "kind": "all" } | { "kind": "feed", id: number, } | { "kind": "feeds", ids: Array<number>, } | { "kind": "folder", id: number, };
export type RefreshProgress = { running: boolean, done: number, total: number, new_articles: number, failed: number, 
/**
 * Feeds that were not asked since their server wants to be left alone for now.
 */
waiting: number, 
/**
 * Feeds that were not asked since they were refreshed by hand too often just now, and when the first may be again.
 */
limited: number, limited_until: number | null, 
/**
 * True when the user stopped it.
 */
cancelled: boolean, 
/**
 * True when another process (a `glean refresh`, a second window) is polling this library: nothing was asked here.
 */
elsewhere: boolean, };
export type LibraryChanged = { 
/**
 * Feeds, folders, titles, troubles: ask for `overview`.
 */
structure: boolean, 
/**
 * Articles came or changed: ask for `counts`, and for what is new in the list.
 */
articles: boolean, };
export type FeedId = { feed_id: number, };
export type PollReason = "first" | "hand" | "usual" | "rhythm" | "wish" | "bare" | "fresh" | "ttl" | "period" | "skipped" | "failed" | "retry_after";
export type PollWishes = { 
/**
 * max-age or Expires.
 */
fresh_seconds: number | null, ttl_minutes: number | null, period_minutes: number | null, 
/**
 * Hours of the day, GMT.
 */
skip_hours: Array<number>, 
/**
 * 0 is Monday.
 */
skip_days: Array<number>, };
export type PollLine = { at: number, why: PollReason | null, 
/**
 * Asked whether anything had changed, not for the whole.
 */
conditional: boolean, 
/**
 * `null`: there was no answer.
 */
status: number | null, trouble: IpcError | null, 
/**
 * Redirects: "301 https://example.com/feed".
 */
hops: Array<string>, took_ms: number, bytes: number, new_articles: number, changed_articles: number, next: number | null, next_reason: PollReason | null, };
export type Remedy = { "kind": "follow", to: string, answers: number, } | { "kind": "merge", feed_id: number, title: string, } | { "kind": "switch", to: string, title: string | null, } | { "kind": "parked" } | { "kind": "gone" } | { "kind": "not_a_feed" } | { "kind": "certificate" } | { "kind": "attention" } | { "kind": "silent", since: number, } | { "kind": "moved", from: string, };
export type FeedRecord = { feed_id: number, title: string, url: string, 
/**
 * Where it was before it moved.
 */
former_url: string | null, 
/**
 * The user's wish: minutes between polls; 0: never by itself; `null`: as Gleaner thinks best.
 */
refresh_minutes: number | null, 
/**
 * Unix milliseconds, as all moments here.
 */
checked: number | null, succeeded: number | null, 
/**
 * When something new last came.
 */
changed: number | null, next: number | null, next_reason: PollReason | null, trouble: IpcError | null, 
/**
 * Minutes from one posting to the next, on the average.
 */
rhythm_minutes: number | null, 
/**
 * When its newest article was published.
 */
newest: number | null, asks: PollWishes, requests: number, not_modified: number, bytes: number, 
/**
 * Bytes that "not modified" spared.
 */
bytes_saved: number, remedies: Array<Remedy>, 
/**
 * The last requests, newest first.
 */
polls: Array<PollLine>, };
export type Traffic = { 
/**
 * Requests sent.
 */
requests: number, 
/**
 * Answers that said "not modified".
 */
not_modified: number, 
/**
 * Bytes received.
 */
bytes: number, 
/**
 * Bytes that "not modified" spared.
 */
bytes_saved: number, };
export type ReportField = { name: string, 
/**
 * `null`: the feed says nothing of it.
 */
value: string | null, };
export type ReportRepair = { 
/**
 * In the words of the report: "bare-ampersand".
 */
kind: string, line: number, column: number, detail: string, 
/**
 * The line as the document has it, or what of a long one stands around the place.
 */
text: string, 
/**
 * So many characters of `text` stand before the place.
 */
at: number, };
export type ReportItem = { title: string | null, fields: Array<ReportField>, };
export type FeedReport = { 
/**
 * When it came.
 */
at: number, 
/**
 * "rss-2.0".
 */
format: string, encoding: string, 
/**
 * http, bom, xml, detected, default.
 */
encoding_from: string, well_formed: boolean, 
/**
 * The first ones.
 */
repairs: Array<ReportRepair>, repairs_total: number, feed: Array<ReportField>, 
/**
 * Those of a document that was just fetched, the first ones; what is kept has none.
 */
items: Array<ReportItem>, items_total: number, };
export type Inspection = { 
/**
 * As it was kept; `null` until a document has come.
 */
report: FeedReport | null, 
/**
 * When its newest articles were published, the newest first.
 */
postings: Array<number>, 
/**
 * When the first of the weeks began that are counted.
 */
weeks_from: number, 
/**
 * Articles a week.
 */
weeks: Array<number>, };
export type SetPreferences = { scope: FeedScope, 
/**
 * All of them: what is `null` is as further out from then on.
 */
preferences: Preferences, };
export type Preferences = { 
/**
 * Minutes between polls; 0: never by itself; -1, and where nobody says anything: as Gleaner thinks best.
 */
refresh_minutes: number | null, 
/**
 * What is fetched ahead.
 */
ahead: AheadWish | null, 
/**
 * When full texts are fetched as articles are opened.
 */
full_text_when: FullTextWhen | null, 
/**
 * Articles open with their full text where that is there.
 */
full_text_first: boolean | null, 
/**
 * Remote pictures are shown.
 */
load_images: boolean | null, 
/**
 * The desktop is told of new articles.
 */
notify: boolean | null, };
export type PreferencesFrom = { refresh_minutes: string | null, ahead: string | null, full_text_when: string | null, full_text_first: string | null, load_images: string | null, notify: string | null, };
export type PreferencesSaid = { own: Preferences, 
/**
 * Whole, but for `refresh_minutes`, which may be as Gleaner thinks best.
 */
inherited: Preferences, from: PreferencesFrom, };
export type ChangeFeedAddress = { feed_id: number, url: string, };
export type MergeFeeds = { 
/**
 * The one that goes.
 */
feed_id: number, 
/**
 * The one that gets its articles.
 */
into: number, };
export type Secret = string;
export type FeedAccess = { feed_id: number, 
/**
 * Scheme, host and port of the feed: what is secret goes there only.
 */
origin: string, 
/**
 * Where login, headers and certificate were for another origin: they are not used any more.
 */
former_origin: string | null, login: LoginKind, user_name: string | null, 
/**
 * Where the password or token is; `null`: there is none.
 */
kept: SecretPlace | null, user_agent: string | null, 
/**
 * "direct", or a proxy's address; `null`: as the system says.
 */
proxy: string | null, 
/**
 * Their names. Their values may well be secrets.
 */
headers: Array<string>, 
/**
 * The SHA-256 of the certificate that is accepted whatever is wrong with it.
 */
certificate: string | null, };
export type LoginKind = "none" | "basic" | "bearer";
export type SecretPlace = "keyring" | "library";
export type Login = { "kind": "none" } | { "kind": "basic", user: string, password: Secret, } | { "kind": "bearer", token: Secret, };
export type Header = { name: string, 
/**
 * `null`: the one that it has.
 */
value: Secret | null, };
export type SetAccess = { feed_id: number, 
/**
 * `null`: as before.
 */
login: Login | null, 
/**
 * Empty: Gleaner's own.
 */
user_agent: string, 
/**
 * "direct", or a proxy's address; empty: as the system says.
 */
proxy: string, headers: Array<Header>, in_library: boolean, };
export type AcceptCertificate = { feed_id: number, 
/**
 * As [`Certificate`] has it; `null`: none is accepted any more.
 */
fingerprint: string | null, };
export type Reach = { 
/**
 * What it is for: it goes nowhere else.
 */
origin: string, login: Login | null, 
/**
 * The fingerprint of the certificate that the user accepts.
 */
certificate: string | null, 
/**
 * The library may hold the password or token.
 */
in_library: boolean, };
export type Certificate = { 
/**
 * The host that showed it.
 */
host: string, 
/**
 * SHA-256, such as `3A:0F:…`.
 */
fingerprint: string, subject: string, issuer: string, 
/**
 * The hosts that it is for.
 */
names: Array<string>, 
/**
 * Unix milliseconds.
 */
not_before: number | null, not_after: number | null, 
/**
 * What is wrong with it. Never empty.
 */
faults: Array<CertificateFault>, };
export type CertificateFault = "expired" | "not_yet_valid" | "wrong_name" | "self_signed" | "untrusted";
export type StartBackfill = { feed_id: number, 
/**
 * At most so many pages of its archive.
 */
pages: number, };
export type BackfillProgress = { feed_id: number, pages: number, 
/**
 * Articles that were not there.
 */
articles: number, 
/**
 * `null` while it runs.
 */
ended: BackfillEnd | null, };
export type BackfillEnd = { "kind": "whole" } | { "kind": "nothing_offered" } | { "kind": "limit" } | { "kind": "cancelled" } | { "kind": "wait", until: number, } | { "kind": "elsewhere" } | { "kind": "failed", message: string, };
export type AheadWish = { 
/**
 * The full text, from the article's own page.
 */
text: boolean, pictures: boolean, };
export type AheadSettings = { 
/**
 * Of feeds that say nothing of their own.
 */
all: AheadWish, 
/**
 * Of starred articles, whatever their feed.
 */
starred: AheadWish, 
/**
 * Bytes of all pictures together.
 */
room: number, 
/**
 * Bytes of one picture.
 */
largest: number, 
/**
 * Nothing is fetched for now.
 */
paused: boolean, };
export type AheadState = { settings: AheadSettings, 
/**
 * Texts and articles' pictures that are to be fetched.
 */
waiting: number, 
/**
 * Those that were given up.
 */
failed: number, texts: number, pictures: number, 
/**
 * Of the pictures.
 */
bytes: number, running: boolean, };
export type FullTextWhen = "never" | "short" | "always";
export type AheadProgress = { running: boolean, texts: number, pictures: number, failed: number, 
/**
 * Still to be fetched now.
 */
left: number, 
/**
 * This machine is off the network: the rest waits.
 */
offline: boolean, 
/**
 * Another process is polling: nothing was done.
 */
elsewhere: boolean, };
export type ShowText = { id: number, full: boolean, };
export type KeptPicture = { 
/**
 * As the article names it.
 */
url: string, 
/**
 * Where the window has it from.
 */
here: string, };
export type Backups = { 
/**
 * The library's folder.
 */
folder: string, 
/**
 * The folder in which a library is set aside when another takes its place.
 */
aside: string, 
/**
 * Newest first.
 */
backups: Array<Backup>, };
export type Backup = { 
/**
 * Its file's name, without a folder.
 */
name: string, 
/**
 * Unix milliseconds.
 */
at: number, bytes: number, occasion: BackupOccasion, };
export type BackupOccasion = "daily" | "upgrade" | "by_hand";
export type RestoreBackup = { 
/**
 * As [`Backup`] has it: only what is in the library's own folder of backups is restored.
 */
name: string, };
export type Renewed = { feeds: number, articles: number, 
/**
 * What could not be read of the damaged one; nothing where a backup was restored.
 */
lost: Array<LostPart>, 
/**
 * The backup that was restored, or that filled the gaps.
 */
from: Backup | null, 
/**
 * The folder in which the one before it is now.
 */
aside: string, };
export type LostPart = { 
/**
 * A table, or what the system said.
 */
what: string, pieces: number, };
export type CompareVersions = { id: number, 
/**
 * As [`crate::Article`] names it in `versions`.
 */
older: number, 
/**
 * The same; `null`: the article as it is now.
 */
newer: number | null, };
export type Comparison = { 
/**
 * HTML.
 */
title: string, 
/**
 * Sanitised by the core, links absolute. What came stands in `ins.gl-ins`, what went in `del.gl-del`; blocks that came or went
 * as a whole have the class `gl-in` or `gl-out`; the first mark of each change has the attribute `data-change`.
 */
html: string, 
/**
 * Words.
 */
inserted: number, deleted: number, };
export type FeedScope = { "kind": "all" } | { "kind": "folder", id: number, } | { "kind": "feed", id: number, };
export type Keep = { days: number | null, articles: number | null, bytes: number | null, 
/**
 * What is unread stays.
 */
keep_unread: boolean, };
export type Keeping = { 
/**
 * `null`: as further out.
 */
own: Keep | null, 
/**
 * What holds where nothing is said here.
 */
inherited: Keep, 
/**
 * The folder that says so; `null`: it is said of all.
 */
inherited_from: string | null, 
/**
 * Articles that were let go and can still be brought back.
 */
going: number, 
/**
 * Unix milliseconds: when the first of them is deleted for good.
 */
going_until: number | null, library_bytes: number, };
export type SetKeep = { scope: FeedScope, 
/**
 * `null`: as further out.
 */
keep: Keep | null, };
export type KeepPreview = { articles: number, 
/**
 * Of their texts, as they are stored.
 */
bytes: number, 
/**
 * Of which feeds how many, the most first.
 */
feeds: Array<FeedGoing>, oldest: ArticleGoing | null, newest: ArticleGoing | null, };
export type FeedGoing = { title: string, articles: number, };
export type ArticleGoing = { 
/**
 * Unix milliseconds.
 */
at: number, title: string, };
export type AskStatistics = { 
/**
 * 1 to 366.
 */
days: number, };
export type OpenedHour = { 
/**
 * When it began.
 */
at: number, articles: number, };
export type FeedStatistics = { feed_id: number, 
/**
 * Articles that came.
 */
articles: number, 
/**
 * Those of them that are unread.
 */
unread: number, 
/**
 * Articles that were opened while they were unread.
 */
opened: number, 
/**
 * Articles that are starred, of all times.
 */
starred: number, newest: number | null, };
export type Statistics = { 
/**
 * The beginning of the time that was asked for.
 */
from: number, 
/**
 * Since when it is counted what is opened; `null`: nothing was opened yet.
 */
since: number | null, 
/**
 * Those in which something was opened, the first first.
 */
hours: Array<OpenedHour>, feeds: Array<FeedStatistics>, };
export type ImportPhase = "reading" | "subscribing" | "articles";
export type ImportProgress = { file: string, phase: ImportPhase, done: number, total: number, };
export type ImportSummary = { file: string, added: number, 
/**
 * New feeds that are not asked for news by themselves.
 */
unasked: number, folders_added: number, 
/**
 * Titles of feeds that were there already.
 */
already: Array<string>, 
/**
 * New articles, from another reader's file.
 */
articles: number, 
/**
 * Those of them that have a star.
 */
starred: number, 
/**
 * Articles that were there already.
 */
known: number, 
/**
 * Outlines that could not be read, and why.
 */
skipped: Array<ImportTrouble>, 
/**
 * What had to be forgiven, in words.
 */
repairs: Array<string>, cancelled: boolean, 
/**
 * What else came where it is an archive.
 */
archive: ArchiveCounts | null, 
/**
 * The whole file could not be read: nothing was changed.
 */
error: IpcError | null, };
export type ArchiveCounts = { feeds_there: number, articles_added: number, articles_there: number, 
/**
 * Articles that were marked as they are in the archive.
 */
marked: number, rules_added: number, searches_added: number, pictures: number, 
/**
 * All that could not be taken in; `skipped` holds the first of it.
 */
left_out: number, };
export type ExportProgress = { file: string, done: number, total: number, };
export type Exported = { path: string, feeds: number, articles: number, bytes: number, 
/**
 * Feeds whose logins, headers and proxies were left out.
 */
without_access: number, };
export type DocumentForm = "markdown" | "html" | "epub" | "notes";
export type SaveArticles = { 
/**
 * These, …
 */
ids: Array<number>, 
/**
 * … or else what this search finds; without both, as notes: all that have some.
 */
query: string | null, 
/**
 * What the document is called.
 */
title: string, form: DocumentForm, };
export type SavedDocument = { path: string, articles: number, };
export type ImportTrouble = { outline: string, reason: string, };
export type RuleAction = { "kind": "read" } | { "kind": "star" } | { "kind": "tag", name: string, } | { "kind": "hide" } | { "kind": "notify" } | { "kind": "keep" } | { "kind": "full_text" };
export type RuleScope = { "kind": "everywhere" } | { "kind": "feed", id: number, } | { "kind": "folder", id: number, };
export type Rule = { id: number, name: string, query: string, scope: RuleScope, actions: Array<RuleAction>, enabled: boolean, 
/**
 * Articles that it did something with.
 */
touched: number, 
/**
 * Why it is skipped: a newer Gleaner wrote it.
 */
broken: BrokenRule | null, };
export type BrokenRule = { "kind": "query", problem: QueryProblem, } | { "kind": "actions" };
export type SaveRule = { 
/**
 * The rule to change; null adds one.
 */
id: number | null, 
/**
 * Its query where it is empty.
 */
name: string, query: string, scope: RuleScope, actions: Array<RuleAction>, };
export type SavedRule = { id: number, undo: number, };
export type RuleId = { rule_id: number, };
export type EnableRule = { rule_id: number, enabled: boolean, };
export type OrderRules = { 
/**
 * All of them, the first one first.
 */
ids: Array<number>, };
export type PreviewRule = { query: string, scope: RuleScope, actions: Array<RuleAction>, 
/**
 * Of more articles than this it is only said that there are more; null counts all.
 */
most: number | null, };
export type RuleChange = { action: RuleAction, articles: number, };
export type RulePreview = { "kind": "found", 
/**
 * Articles that the rule is for.
 */
articles: number, 
/**
 * There are more.
 */
more: boolean, 
/**
 * The newest of them, a few.
 */
newest: Array<ArticleRow>, changes: Array<RuleChange>, } | { "kind": "not_understood", problem: QueryProblem, part: TextRange, suggestion: string | null, };
export type ApplyProgress = { done: number, 
/**
 * 0 while they are looked for.
 */
total: number, };
export type RuleTouch = { rule_id: number, name: string, 
/**
 * It is not there any more.
 */
deleted: boolean, did: Array<RuleAction>, 
/**
 * Unix milliseconds.
 */
at: number, };
export type Notice = { 
/**
 * How many there are.
 */
articles: number, 
/**
 * Of the newest of them, at most four; the window names those that have none.
 */
titles: Array<string>, 
/**
 * Empty until the window has said it.
 */
summary: string, };
export type Theme = "system" | "light" | "dark" | "sepia" | "contrast";
export type Language = "system" | "en" | "de" | "fr" | "es" | "zh" | "ja" | "ar";
export type ArticleFont = "serif" | "sans" | "system";
export type ArticleLook = { font: ArticleFont, 
/**
 * Of the text size of the window; 1 is as it is meant; 0.7 to 2.
 */
size: number, 
/**
 * Characters in a line, about; 40 to 120.
 */
width: number, 
/**
 * Of the letters' height, from one line to the next; 1.2 to 2.2.
 */
leading: number, 
/**
 * Words are divided where the article's language is known.
 */
hyphens: boolean, 
/**
 * The reader's own style sheet, over Gleaner's; at most 100,000 bytes.
 */
css: string, };
export type KeyPreset = "gleaner" | "vim" | "net_news_wire" | "reader";
export type ListLayout = "panes" | "magazine" | "compact";
export type Settings = { theme: Theme, language: Language, 
/**
 * 1 is 100 %; 0.8 to 3.
 */
text_scale: number, 
/**
 * CSS pixels at 100 %.
 */
sidebar_width: number, 
/**
 * CSS pixels at 100 %.
 */
list_width: number, list_layout: ListLayout, unread_only: boolean, 
/**
 * Lists that are not looked at in a way of their own.
 */
oldest_first: boolean, 
/**
 * Feeds and folders without unread articles are not shown in the sidebar.
 */
hide_read: boolean, 
/**
 * The languages that articles are in are folded away in the sidebar.
 */
fold_languages: boolean, 
/**
 * Icons of feeds, from their own sites.
 */
feed_icons: boolean, 
/**
 * What was scrolled past is read.
 */
read_on_scroll: boolean, 
/**
 * Remote pictures in articles and lists.
 */
load_images: boolean, 
/**
 * Small pictures in lists.
 */
thumbnails: boolean, 
/**
 * The full text of articles is fetched as they are opened, of feeds that say nothing of their own.
 */
full_text: FullTextWhen, 
/**
 * Of sound and film; 1 is as it was recorded; 0.5 to 3.
 */
playback_speed: number, 
/**
 * The same story in several feeds is one: shown once in lists of several feeds, read everywhere when it is read once.
 */
one_story: boolean, 
/**
 * Articles dated in the future are held back until their date.
 */
hold_future: boolean, 
/**
 * So many former versions of an article are kept; `null`: all.
 */
versions_kept: number | null, 
/**
 * Poll by itself while the window is open.
 */
refresh_automatically: boolean, article: ArticleLook, key_preset: KeyPreset, 
/**
 * The reader's own keys by the name of an action; an empty list: none. What is not named here is as in the preset.
 */
keys: { [key in string]: Array<string> }, };
export type Discover = { 
/**
 * Whatever the user pasted.
 */
address: string, reach: Reach | null, };
export type Discovered = { "kind": "feeds", candidates: Array<Candidate>, } | { "kind": "login", 
/**
 * It.
 */
origin: string, 
/**
 * It refused the login that it was given.
 */
refused: boolean, } | { "kind": "certificate", origin: string, certificate: Certificate, };
export type Candidate = { url: string, title: string, 
/**
 * "RSS 2.0", "Atom 1.0", "JSON Feed 1.1"; `None` where it was not read.
 */
kind: string | null, description: string | null, home_url: string | null, 
/**
 * The newest few; empty where it was not read.
 */
latest: Array<CandidateItem>, 
/**
 * The id of the subscription where there is one already.
 */
subscribed: number | null, };
export type CandidateItem = { title: string, published: number | null, };
export type FolderChoice = { "kind": "none" } | { "kind": "existing", id: number, } | { "kind": "new", name: string, };
export type Subscribe = { 
/**
 * A candidate's URL; a file's only where the user picked that file last.
 */
url: string, 
/**
 * The user's own name for it; empty or `null`: the feed's.
 */
title: string | null, folder: FolderChoice, 
/**
 * How it is reached, where it was found that way. Fails with `no_keyring` as [`crate::SetAccess`] does; then nothing is
 * subscribed to.
 */
reach: Reach | null, };
export type Subscribed = { feed_id: number, };
export type SubscribeMany = { urls: Array<string>, };
export type StarterSubject = { name: string, feeds: Array<StarterFeed>, };
export type StarterFeed = { title: string, url: string, home_url: string, description: string, };

export type Commands = {
  hear: { args: null; result: RefreshProgress | null };
  overview: { args: null; result: Overview };
  counts: { args: null; result: Counts };
  leave_welcome: { args: null; result: null };
  articles: { args: ListQuery; result: ArticlePage };
  views: { args: null; result: Array<View> };
  save_view: { args: View; result: null };
  article_addresses: { args: Articles; result: Array<string> };
  search: { args: Search; result: SearchAnswer };
  open_article: { args: OpenArticle; result: Article };
  compare_versions: { args: CompareVersions; result: Comparison };
  open_in_browser: { args: OpenArticle; result: null };
  comments: { args: OpenArticle; result: Comments };
  chapters: { args: OpenArticle; result: Array<Chapter> };
  cancel_comments: { args: null; result: null };
  feed_head: { args: FeedId; result: FeedHead };
  search_site: { args: SearchSite; result: null };
  open_in_background: { args: OpenArticle; result: null };
  article_markdown: { args: OpenArticle; result: string };
  doubt_links: { args: DoubtLinks; result: null };
  open_doubted: { args: OpenDoubted; result: null };
  mark: { args: Mark; result: Marked };
  mark_all_read: { args: MarkAll; result: Marked };
  keep_progress: { args: KeepProgress; result: null };
  keep_playback: { args: KeepPlayback; result: null };
  collections: { args: null; result: Collections };
  save_search: { args: SaveSearch; result: SearchId };
  change_saved_search: { args: ChangeSearch; result: UndoStep };
  move_saved_search: { args: MoveSearch; result: null };
  delete_saved_search: { args: DeleteSearch; result: UndoStep };
  tag: { args: TagArticles; result: Marked };
  rename_tag: { args: RenameTag; result: UndoStep };
  delete_tag: { args: DeleteTag; result: UndoStep };
  categories: { args: null; result: Categories };
  set_category_synonym: { args: SetSynonym; result: UndoStep };
  notes: { args: OpenArticle; result: Array<Note> };
  add_note: { args: AddNote; result: AddedNote };
  change_note: { args: ChangeNote; result: UndoStep };
  delete_note: { args: NoteId; result: UndoStep };
  notes_markdown: { args: NotesOf; result: string };
  noted_in_feed: { args: FeedId; result: number };
  undo: { args: UndoStep; result: null };
  discover: { args: Discover; result: Discovered };
  cancel_discover: { args: null; result: null };
  pick_feed_file: { args: null; result: Candidate | null };
  subscribe: { args: Subscribe; result: Subscribed };
  starter_feeds: { args: null; result: Array<StarterSubject> };
  subscribe_many: { args: SubscribeMany; result: Array<Subscribed> };
  rename_feed: { args: RenameFeed; result: null };
  arrange: { args: Arrange; result: UndoStep };
  unsubscribe: { args: Unsubscribe; result: UndoStep };
  create_folder: { args: CreateFolder; result: FolderId };
  rename_folder: { args: RenameFolder; result: null };
  set_folder_open: { args: SetFolderOpen; result: null };
  delete_folder: { args: FolderId; result: UndoStep };
  refresh: { args: RefreshScope; result: null };
  cancel_refresh: { args: null; result: null };
  feed_record: { args: FeedId; result: FeedRecord };
  inspection: { args: FeedId; result: Inspection };
  inspect_feed: { args: FeedId; result: FeedReport | null };
  traffic: { args: null; result: Traffic };
  preferences: { args: FeedScope; result: PreferencesSaid };
  set_preferences: { args: SetPreferences; result: null };
  change_feed_address: { args: ChangeFeedAddress; result: UndoStep };
  merge_feeds: { args: MergeFeeds; result: UndoStep };
  feed_access: { args: FeedId; result: FeedAccess };
  set_access: { args: SetAccess; result: UndoStep };
  feed_certificate: { args: FeedId; result: Certificate | null };
  accept_certificate: { args: AcceptCertificate; result: UndoStep };
  backfill: { args: StartBackfill; result: null };
  cancel_backfill: { args: FeedId; result: null };
  ahead: { args: null; result: AheadState };
  save_ahead: { args: AheadSettings; result: null };
  run_ahead: { args: null; result: null };
  cancel_ahead: { args: null; result: null };
  fetch_full_text: { args: OpenArticle; result: Article };
  cancel_full_text: { args: null; result: null };
  show_text: { args: ShowText; result: Article };
  look_for_feed: { args: FeedId; result: null };
  keep_silent_feed: { args: FeedId; result: UndoStep };
  import_opml: { args: null; result: boolean };
  cancel_import: { args: null; result: null };
  export_opml: { args: null; result: string | null };
  export_everything: { args: null; result: Exported | null };
  save_articles: { args: SaveArticles; result: SavedDocument | null };
  cancel_export: { args: null; result: null };
  backups: { args: null; result: Backups };
  back_up: { args: null; result: Backup };
  restore_backup: { args: RestoreBackup; result: Renewed };
  recover_library: { args: null; result: Renewed };
  show_library_folder: { args: null; result: null };
  rules: { args: null; result: Array<Rule> };
  save_rule: { args: SaveRule; result: SavedRule };
  enable_rule: { args: EnableRule; result: UndoStep };
  order_rules: { args: OrderRules; result: UndoStep };
  delete_rule: { args: RuleId; result: UndoStep };
  preview_rule: { args: PreviewRule; result: RulePreview };
  apply_rule: { args: RuleId; result: Marked | null };
  cancel_apply: { args: null; result: null };
  rule_touches: { args: OpenArticle; result: Array<RuleTouch> };
  notify: { args: Notice; result: null };
  keeping: { args: FeedScope; result: Keeping };
  preview_keep: { args: SetKeep; result: KeepPreview };
  set_keep: { args: SetKeep; result: Marked };
  cancel_keep: { args: null; result: null };
  bring_back: { args: null; result: number };
  statistics: { args: AskStatistics; result: Statistics };
  settings: { args: null; result: Settings };
  save_settings: { args: Settings; result: null };
};

export type Events = {
  library_changed: LibraryChanged;
  collections: Collections;
  refresh_progress: RefreshProgress;
  backfill_progress: BackfillProgress;
  ahead_progress: AheadProgress;
  index_progress: number;
  notice: Notice;
  apply_progress: ApplyProgress;
  import_progress: ImportProgress;
  import_finished: ImportSummary;
  export_progress: ExportProgress | null;
  files_over: boolean;
  link_refused: string;
  article_act: string;
  link_doubted: string;
};
