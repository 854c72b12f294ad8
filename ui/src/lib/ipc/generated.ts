// Made by `cargo run -p gleaner-contract` from src-tauri/crates/gleaner-contract. Not to be edited.

export type ErrorCode = "invalid_address" | "no_feed" | "not_a_feed" | "parked" | "host_not_found" | "host_unreachable" | "tls" | "timeout" | "http_status" | "too_large" | "broken_answer" | "offline" | "asked_to_wait" | "secret" | "no_keyring" | "bad_access" | "proxy" | "already_subscribed" | "not_opml" | "file" | "not_found" | "invalid_input" | "busy" | "library_read_only" | "library_newer" | "library_damaged" | "disk_full" | "internal";
export type IpcError = { code: ErrorCode, 
/**
 * The core's own words, in English: shown as the details beneath the catalogue's words.
 */
message: string, 
/**
 * What the catalogue's words name: a host, a path, a status.
 */
detail: string | null, };
export type Source = { "kind": "today" } | { "kind": "unread" } | { "kind": "starred" } | { "kind": "all" } | { "kind": "feed", id: number, } | { "kind": "folder", id: number, };
export type Cursor = { 
/**
 * Unix milliseconds.
 */
sort_at: number, id: number, };
export type ListQuery = { source: Source, 
/**
 * Leave out what is read. Implied by `Source::Unread`.
 */
unread_only: boolean, oldest_first: boolean, 
/**
 * Rows that come after this one in the list's order.
 */
after: Cursor | null, 
/**
 * Rows that come before this one (nearest first in the answer's order reversed, so that the answer is in list order):
 * what is new since the list was loaded.
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
sort_at: number, read: boolean, starred: boolean, reading_minutes: number, 
/**
 * An https or http URL of a small picture.
 */
thumbnail: string | null, 
/**
 * The first enclosure's kind: "audio", "video" or null.
 */
media: string | null, };
export type ArticlePage = { rows: Array<ArticleRow>, 
/**
 * True when the list goes on beyond the last (with `before`: the first) row.
 */
more: boolean, };
export type OpenArticle = { id: number, };
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
waiting: number, } | { "kind": "not_understood", 
/**
 * What is wrong, with what was written in backticks.
 */
message: string, 
/**
 * The part of the query that is.
 */
part: TextRange, 
/**
 * The whole query as it was probably meant.
 */
suggestion: string | null, };
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
html: string, language: string | null, read: boolean, starred: boolean, word_count: number, reading_minutes: number, enclosures: Array<Enclosure>, comments_url: string | null, categories: Array<string>, 
/**
 * The same story in other feeds.
 */
elsewhere: Array<Elsewhere>, };
export type Enclosure = { url: string, mime_type: string | null, 
/**
 * Bytes.
 */
length: number | null, title: string | null, };
export type Elsewhere = { article_id: number, feed_id: number, feed_title: string, };
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
first_run: boolean, refresh: RefreshProgress | null, };
export type Folder = { id: number, parent_id: number | null, name: string, open: boolean, };
export type Feed = { id: number, folder_id: number | null, 
/**
 * The user's own name for it, else the feed's, else the host.
 */
title: string, url: string, home_url: string | null, 
/**
 * A `data:` URL, from the site itself.
 */
icon: string | null, 
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
read: boolean | null, starred: boolean | null, };
export type MarkScope = { "kind": "all" } | { "kind": "above", cursor: Cursor, } | { "kind": "below", cursor: Cursor, };
export type MarkAll = { source: Source, oldest_first: boolean, scope: MarkScope, 
/**
 * Only what had come in by then (Unix milliseconds, the moment the list was loaded): what nobody has seen stays unread.
 */
received_before: number | null, };
export type Marked = { count: number, undo: number, };
export type UndoStep = { undo: number, };
export type Unsubscribe = { feed_id: number, };
export type RenameFeed = { feed_id: number, 
/**
 * Empty: the feed's own title again.
 */
title: string, };
export type MoveFeed = { feed_id: number, 
/**
 * `null`: out of all folders.
 */
folder_id: number | null, };
export type CreateFolder = { name: string, parent_id: number | null, };
export type RenameFolder = { folder_id: number, name: string, };
export type MoveFolder = { folder_id: number, parent_id: number | null, };
export type SetFolderOpen = { folder_id: number, open: boolean, };
export type FolderId = { folder_id: number, };
export type RefreshScope = { "kind": "all" } | { "kind": "feed", id: number, } | { "kind": "folder", id: number, };
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
export type SetRefreshInterval = { feed_id: number, 
/**
 * 0: never by itself; `null`: as Gleaner thinks best.
 */
minutes: number | null, };
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
export type ImportPhase = "reading" | "subscribing";
export type ImportProgress = { file: string, phase: ImportPhase, done: number, total: number, };
export type ImportSummary = { file: string, added: number, folders_added: number, 
/**
 * Titles of feeds that were there already.
 */
already: Array<string>, 
/**
 * Outlines that could not be read, and why.
 */
skipped: Array<ImportTrouble>, 
/**
 * What had to be forgiven, in words.
 */
repairs: Array<string>, cancelled: boolean, 
/**
 * The whole file could not be read: nothing was changed.
 */
error: IpcError | null, };
export type ImportTrouble = { outline: string, reason: string, };
export type Theme = "system" | "light" | "dark";
export type Settings = { theme: Theme, 
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
list_width: number, unread_only: boolean, oldest_first: boolean, 
/**
 * Remote pictures in articles.
 */
load_images: boolean, 
/**
 * The same story in several feeds is one: shown once in lists of several feeds, read everywhere when it is read once.
 */
one_story: boolean, 
/**
 * Articles dated in the future are held back until their date.
 */
hold_future: boolean, 
/**
 * Poll by itself while the window is open.
 */
refresh_automatically: boolean, };
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
  overview: { args: null; result: Overview };
  counts: { args: null; result: Counts };
  leave_welcome: { args: null; result: null };
  articles: { args: ListQuery; result: ArticlePage };
  search: { args: Search; result: SearchAnswer };
  open_article: { args: OpenArticle; result: Article };
  open_in_browser: { args: OpenArticle; result: null };
  mark: { args: Mark; result: Marked };
  mark_all_read: { args: MarkAll; result: Marked };
  undo: { args: UndoStep; result: null };
  discover: { args: Discover; result: Discovered };
  cancel_discover: { args: null; result: null };
  pick_feed_file: { args: null; result: Candidate | null };
  subscribe: { args: Subscribe; result: Subscribed };
  starter_feeds: { args: null; result: Array<StarterSubject> };
  subscribe_many: { args: SubscribeMany; result: Array<Subscribed> };
  rename_feed: { args: RenameFeed; result: null };
  move_feed: { args: MoveFeed; result: null };
  unsubscribe: { args: Unsubscribe; result: UndoStep };
  create_folder: { args: CreateFolder; result: FolderId };
  rename_folder: { args: RenameFolder; result: null };
  move_folder: { args: MoveFolder; result: null };
  set_folder_open: { args: SetFolderOpen; result: null };
  delete_folder: { args: FolderId; result: UndoStep };
  refresh: { args: RefreshScope; result: null };
  cancel_refresh: { args: null; result: null };
  feed_record: { args: FeedId; result: FeedRecord };
  traffic: { args: null; result: Traffic };
  set_refresh_interval: { args: SetRefreshInterval; result: null };
  change_feed_address: { args: ChangeFeedAddress; result: UndoStep };
  merge_feeds: { args: MergeFeeds; result: UndoStep };
  feed_access: { args: FeedId; result: FeedAccess };
  set_access: { args: SetAccess; result: UndoStep };
  feed_certificate: { args: FeedId; result: Certificate | null };
  accept_certificate: { args: AcceptCertificate; result: UndoStep };
  backfill: { args: StartBackfill; result: null };
  cancel_backfill: { args: FeedId; result: null };
  look_for_feed: { args: FeedId; result: null };
  keep_silent_feed: { args: FeedId; result: UndoStep };
  import_opml: { args: null; result: boolean };
  cancel_import: { args: null; result: null };
  export_opml: { args: null; result: string | null };
  backups: { args: null; result: Backups };
  back_up: { args: null; result: Backup };
  restore_backup: { args: RestoreBackup; result: Renewed };
  recover_library: { args: null; result: Renewed };
  show_library_folder: { args: null; result: null };
  settings: { args: null; result: Settings };
  save_settings: { args: Settings; result: null };
};

export type Events = {
  library_changed: LibraryChanged;
  refresh_progress: RefreshProgress;
  backfill_progress: BackfillProgress;
  index_progress: number;
  import_progress: ImportProgress;
  import_finished: ImportSummary;
  files_over: boolean;
  link_refused: string;
};
