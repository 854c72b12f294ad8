//! The messages of `glean`: errors, refused queries, and what an import left out. No other module words an error.
// long: one list of messages.

use gleaner_address::without_password;
use gleaner_app::AppError;
use gleaner_contract::{ErrorCode, IpcError};
use gleaner_exchange::{
    archive::Problem as ArchiveProblem,
    readers::{ImportError, SkipReason},
};
use gleaner_feed::{Repair, opml};
use gleaner_library::Fault;
use gleaner_polling::{FeedError, FullTextError};
use gleaner_query::Problem;
use std::{borrow::Cow, collections::BTreeMap, fmt, io, path::Path, process::ExitCode};

use crate::output::{count, moment};

/// An error to print on standard error.
#[derive(Debug)]
pub struct Failure(String);

/// The error of a command that another process is in the way of.
pub const OTHER_PROCESS: &str = "another Gleaner process is refreshing this library; try again when it has finished";

impl Failure {
    /// Prints the error and returns exit status 1.
    pub fn report(&self) -> ExitCode {
        eprintln!("glean: {self}");
        ExitCode::from(1)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self(message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        let message = describe(&error.ipc);
        // Of these only the cause says what to do or to report, and glean writes no log.
        let cause = matches!(
            error.code(),
            ErrorCode::FileUnreadable
                | ErrorCode::FileUnwritable
                | ErrorCode::DiskFailed
                | ErrorCode::TlsFailed
                | ErrorCode::TlsSetupFailed
                | ErrorCode::LibraryReadOnly
                | ErrorCode::LibraryDamaged
                | ErrorCode::InvalidInput
                | ErrorCode::Internal
        );
        if !cause {
            return Self(message);
        }
        // The cause of the error of a file or folder names it, too.
        let cause = error.to_string();
        let param = |name: &str| error.ipc.params.get(name).map(String::as_str).filter(|value| !value.is_empty());
        let named = cause.strip_prefix(&message).or_else(|| {
            let place = param("file").or(param("folder"))?;
            cause.split_once(place).map(|(_, rest)| rest)
        });
        Self(format!("{message} ({})", named.and_then(|cause| cause.strip_prefix(": ")).unwrap_or(&cause)))
    }
}

/// Words errors of the crates as those of the application.
macro_rules! worded {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                AppError::from(error).into()
            }
        })+
    };
}

worded!(
    FeedError,
    FullTextError,
    gleaner_discovery::AddressProblem,
    gleaner_discovery::DiscoveryError,
    gleaner_exchange::archive::ArchiveError,
    ImportError,
    gleaner_fetch::FetchError,
    gleaner_library::LibraryError,
    gleaner_polling::PollError,
    gleaner_polling::file::FeedFileError,
    gleaner_polling::connection::InvalidConnection,
    gleaner_polling::connection::ConnectionError,
    gleaner_search::SearchError,
    tokio::task::JoinError,
);

/// The system's own message, about no file.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self(format!("the result couldn't be written as JSON: {error}"))
    }
}

/// A template of a progress bar is wrong, which is a bug.
impl From<indicatif::style::TemplateError> for Failure {
    fn from(error: indicatif::style::TemplateError) -> Self {
        Self(error.to_string())
    }
}

impl From<gleaner_fetch::NoFingerprint> for Failure {
    fn from(_: gleaner_fetch::NoFingerprint) -> Self {
        Self::from("a SHA-256 fingerprint has 64 hexadecimal digits")
    }
}

/// Words an error of any crate.
pub fn message(error: impl Into<Failure>) -> String {
    error.into().0
}

/// Words the error of several feeds, without the name of a host.
pub fn reason(error: &FeedError) -> String {
    let mut error = AppError::from(error.clone());
    match error.code() {
        ErrorCode::CertificateWrongHost => return "the server's certificate is for another host".to_owned(),
        ErrorCode::Parked => return "the domain appears to have expired or been parked".to_owned(),
        ErrorCode::RedirectToOtherSite => return "the server redirects to another site".to_owned(),
        ErrorCode::PrivateAddress => return "a public page refers to a private network".to_owned(),
        ErrorCode::RedirectToPrivateAddress => return "the server redirects into a private network".to_owned(),
        _ => {}
    }
    if let Some(host) = error.ipc.params.get_mut("host") {
        "the server".clone_into(host);
    }
    message(error)
}

/// Words the failure to read a file.
pub fn unreadable(file: &Path, error: io::Error) -> String {
    message(ImportError::Unreadable { path: file.to_owned(), why: error })
}

/// Words an error that is stored as its code and parameters.
pub fn stored_error(code: &str, parameters: &BTreeMap<String, String>) -> String {
    let code = serde_json::from_value(code.into()).unwrap_or(ErrorCode::Unknown);
    describe(&IpcError { code, params: parameters.clone() })
}

/// Words an error: what failed and, where the user can do something, what.
fn describe(IpcError { code, params }: &IpcError) -> String {
    let params: BTreeMap<&str, String> =
        params.iter().map(|(name, value)| (name.as_str(), without_password(value))).collect();
    let p = |name: &str| params.get(name).map(String::as_str).unwrap_or_default();
    let (host, file, proxy) = (p("host"), p("file"), p("proxy"));
    let certificate = |what: String| match params.get("fingerprint") {
        Some(fingerprint) => format!("{what} (its SHA-256 fingerprint is {fingerprint})"),
        None => what,
    };
    match code {
        ErrorCode::InvalidAddress => "this isn't a valid web address".to_owned(),
        ErrorCode::AddressMissing => "no web address was given".to_owned(),
        ErrorCode::AddressWithSpaces => "a web address can't contain spaces".to_owned(),
        ErrorCode::AddressWithoutSite => "a web address names a site, such as example.com".to_owned(),
        ErrorCode::UnsupportedScheme => {
            format!("addresses that start with {}: are not supported; use http: or https:", p("scheme"))
        }
        ErrorCode::Offline => "this computer seems to be offline".to_owned(),
        ErrorCode::NetworkLogin => {
            "the network requires a login; open any page in the browser to log in".to_owned()
        }
        ErrorCode::RedirectToUnsupportedScheme => {
            format!("the server redirects to an address that starts with {}:, which is not supported", p("scheme"))
        }
        ErrorCode::InvalidRedirect => format!("the server redirects to an invalid address, {}", p("location")),
        ErrorCode::RedirectLoop => "the server redirects in a loop".to_owned(),
        ErrorCode::TooManyRedirects => format!("the server redirects more than {} times", p("limit")),
        ErrorCode::RedirectToOtherSite => format!("the server redirects to another site, {host}"),
        ErrorCode::PrivateAddress => format!("a public page refers to {host}, which is in a private network"),
        ErrorCode::RedirectToPrivateAddress => {
            format!("the server redirects to {host}, which is in a private network")
        }
        ErrorCode::HostNotFound => format!("{host} could not be found; check the spelling"),
        ErrorCode::LookupFailed => format!("the address of {host} could not be looked up; try again later"),
        ErrorCode::ProxyNotFound => format!("the proxy {proxy} could not be found"),
        ErrorCode::InvalidProxy => {
            format!("{proxy} is not a proxy; use \"direct\" for none, or an address such as socks5://127.0.0.1:9050")
        }
        ErrorCode::ProxyRefused => format!("the proxy {proxy} refused the connection"),
        ErrorCode::ProxyUnreachable => format!("the proxy {proxy} does not respond"),
        ErrorCode::ProxyLogin => format!("the proxy {proxy} requires a user name and password, or other ones"),
        ErrorCode::ProxyFailed => format!("the server could not be reached through the proxy {proxy}"),
        ErrorCode::ConnectionRefused => format!("{host} refused the connection; try again later"),
        ErrorCode::HostUnreachable => format!("{host} can't be reached; try again later"),
        ErrorCode::ConnectionFailed => format!("the connection to {host} failed; try again later"),
        ErrorCode::ConnectionReset => format!("{host} closed the connection; try again later"),
        ErrorCode::Timeout => format!("{host} took too long to respond; try again later"),
        ErrorCode::IncompleteResponse => format!("{host} took too long to send the whole response; try again later"),
        ErrorCode::HttpStatus => match p("status") {
            "206" => "the server sent only a part of the document (206)".to_owned(),
            status if status.starts_with('2') => format!("the server sent no document ({status})"),
            status => format!("the server returned error {status}"),
        },
        ErrorCode::Unauthorized if !p("location").is_empty() => format!(
            "the server redirects to {}, where a login is required (401) and that of the old address is not sent; follow it with `glean feed FEED --address`, and enter the login again with `glean access`",
            p("location")
        ),
        ErrorCode::Unauthorized => "the site requires a login (401); enter it with `glean access`".to_owned(),
        ErrorCode::Forbidden => "the site refused access (403)".to_owned(),
        ErrorCode::HttpNotFound => "nothing exists at this address (404)".to_owned(),
        ErrorCode::Gone => "the publisher has removed this feed (410)".to_owned(),
        ErrorCode::TooManyRequests => "the site says it received too many requests (429)".to_owned(),
        ErrorCode::RetryAfter => "the site asked Gleaner to wait before the next request".to_owned(),
        ErrorCode::RetryAfterUntil => {
            let until = p("until").parse().map_or_else(|_| p("until").to_owned(), moment);
            format!("the site asked Gleaner to wait until {until}")
        }
        ErrorCode::TooLarge => "the document is too large to be a feed".to_owned(),
        ErrorCode::DamagedCompression => "the compressed response is damaged".to_owned(),
        ErrorCode::ConnectionLost => "the connection ended before the response was complete".to_owned(),
        ErrorCode::InvalidResponse => "the response is not valid HTTP".to_owned(),
        ErrorCode::InvalidHeader => format!("the request header {} is not valid", p("name")),
        ErrorCode::NotTls => "the server doesn't offer a secure connection on this port".to_owned(),
        ErrorCode::TlsIncompatible => "the server's encryption is too old or not supported".to_owned(),
        ErrorCode::TlsFailed => "a secure connection couldn't be established".to_owned(),
        ErrorCode::TlsSetupFailed => "secure connections can't be set up on this computer".to_owned(),
        ErrorCode::CertificateExpired => certificate(format!("the server's certificate expired on {}", p("date"))),
        ErrorCode::CertificateNotYetValid => {
            certificate(format!("the server's certificate is not valid until {}", p("date")))
        }
        ErrorCode::CertificateWrongHost => certificate(format!("the server's certificate is not for {host}")),
        ErrorCode::CertificateUntrusted => {
            certificate("the server's certificate is self-signed or from an untrusted authority".to_owned())
        }
        ErrorCode::CertificateRevoked => "the server's certificate was revoked".to_owned(),
        ErrorCode::CertificateInvalid => certificate("the server's certificate is not valid".to_owned()),
        ErrorCode::SecretUnreadable => "the password of this feed could not be read; unlock the keyring".to_owned(),
        ErrorCode::SecretGone => {
            "the password of this feed is no longer in the keyring; enter it again with `glean access`".to_owned()
        }
        ErrorCode::NoFeed => format!("no feed was found at {}", p("url")),
        ErrorCode::Parked => format!("the domain {host} appears to have expired or been parked"),
        ErrorCode::NotAFeed => "the address does not return a feed".to_owned(),
        ErrorCode::NotAFeedEmpty => "the address returns an empty document, not a feed".to_owned(),
        ErrorCode::NotAFeedWebPage => "the address returns a web page, not a feed".to_owned(),
        ErrorCode::NotAFeedOpml => "the address returns a list of feeds (OPML), not a feed".to_owned(),
        ErrorCode::NotAFeedSitemap => "the address returns a sitemap, not a feed".to_owned(),
        ErrorCode::NotAFeedXml => format!("the address returns other XML (<{}>), not a feed", p("root")),
        ErrorCode::NotAFeedJson => "the address returns other JSON, not a feed".to_owned(),
        ErrorCode::NotAFeedText => "the address returns plain text, not a feed".to_owned(),
        ErrorCode::NotAFeedImage => "the address returns an image, not a feed".to_owned(),
        ErrorCode::NotAFeedMedia => "the address returns a media file, not a feed".to_owned(),
        ErrorCode::NotAFeedPdf => "the address returns a PDF document, not a feed".to_owned(),
        ErrorCode::NotAFeedArchive => "the address returns a compressed file, not a feed".to_owned(),
        ErrorCode::FeedMoved => format!("the feed has moved to {}", p("location")),
        ErrorCode::NoPage => "the feed gives no link for this article".to_owned(),
        ErrorCode::NotAPage => "the link of the article does not lead to a web page".to_owned(),
        ErrorCode::NotMedia => "the server returns a web page in place of the audio or video file".to_owned(),
        ErrorCode::NoArticle => "no article was found on the page; it may require JavaScript or a login".to_owned(),
        ErrorCode::LessText => {
            "the page contains less text than the feed; it may require JavaScript or a login".to_owned()
        }
        ErrorCode::NoKeyring => "this computer's keyring cannot be used".to_owned(),
        ErrorCode::UserNameWithColon => "a user name can't contain a colon".to_owned(),
        ErrorCode::UserNameMissing => "a password needs a user name".to_owned(),
        ErrorCode::PasswordMissing => "the password is empty".to_owned(),
        ErrorCode::InvalidPassword => "a password or token must be one line".to_owned(),
        ErrorCode::InvalidUserAgent => "a User-Agent must be one line".to_owned(),
        ErrorCode::ProxyWithPassword => "proxies with a password are not supported".to_owned(),
        ErrorCode::NoServer => "no feed reader server was found at this address; Gleaner supports Miniflux, Nextcloud News, Tiny Tiny RSS, Feedbin, and the Google Reader and Fever APIs (FreshRSS and others)".to_owned(),
        ErrorCode::ServerApiOff => "the API of this server is switched off; enable it in the server's settings".to_owned(),
        ErrorCode::ServerTooOld => "the version of this server is too old for Gleaner; update the server".to_owned(),
        ErrorCode::ServerLogin => {
            "the server refuses the user name or the password; some servers have a separate password for their API".to_owned()
        }
        ErrorCode::AppKeysMissing => "Inoreader needs an app ID and an app key; create them in its preferences, under Developer, and add --app-id and --app-key-file".to_owned(),
        ErrorCode::ServerChangesWait => {
            let until = p("until").parse().map_or_else(|_| p("until").to_owned(), moment);
            format!("the server accepts more changes only after {until}; they wait here until then")
        }
        ErrorCode::InvalidServerResponse => "the server's response can't be read; try again later".to_owned(),
        ErrorCode::ServerFeedsMissing => format!(
            "{} of this account, more than half, are missing at the server; they stay here (`glean account sync --accept-missing` unsubscribes from them)",
            count(p("count").parse::<u64>().unwrap_or_default(), "feed")
        ),
        ErrorCode::ServerRefusedFeed => format!("the server can't subscribe to {}", p("url")),
        ErrorCode::FeedOfServer => "a server checks this feed, so Gleaner can't change how".to_owned(),
        ErrorCode::AccountExists => "this account has been added already".to_owned(),
        ErrorCode::ServiceRefusedArticle => "the service refuses this article".to_owned(),
        ErrorCode::MailTooLong => "there are too many articles for one e-mail".to_owned(),
        ErrorCode::FileNotFound => format!("{file} does not exist"),
        ErrorCode::FileNotPermitted => format!("you don't have permission to use {file}"),
        ErrorCode::FileUnreadable => format!("{file} could not be read"),
        ErrorCode::FileUnwritable => format!("{file} could not be written"),
        ErrorCode::NotAFile => format!("{file} is not a regular file"),
        ErrorCode::FileNotPicked => format!("{file} is read only after you have added the file yourself"),
        ErrorCode::FileDiskFull => format!("there is not enough space to write {file}; free some or use another disk"),
        ErrorCode::FileInUse => format!("another program is writing to {file}; close it and try again"),
        ErrorCode::NotOpml => "this file is not an OPML list of feeds".to_owned(),
        ErrorCode::NotOpmlEmpty => "this file is empty".to_owned(),
        ErrorCode::NotOpmlFeed => "this file is a feed, not an OPML list of feeds".to_owned(),
        ErrorCode::NotOpmlWebPage => "this file is a web page, not an OPML list of feeds".to_owned(),
        ErrorCode::ImportTooLarge => {
            format!("this file is too large to import: it is larger than {} MB", p("limit"))
        }
        ErrorCode::ImportTooMany => {
            format!("this file has too many entries to import: there are more than {}", p("limit"))
        }
        ErrorCode::ImportEmptyFolder => "this folder contains nothing that Gleaner can import".to_owned(),
        ErrorCode::ImportEmptyZip => "this ZIP file contains nothing that Gleaner can import".to_owned(),
        ErrorCode::ImportDamagedZip => {
            "this ZIP file is damaged or incomplete; if it was copied, copy it again".to_owned()
        }
        ErrorCode::ImportJsonFeed => "this file is a JSON Feed; subscribe to it with `glean add`".to_owned(),
        ErrorCode::ImportOtherJson => "this JSON file contains no articles of a feed reader".to_owned(),
        ErrorCode::ImportDamagedJson => "this JSON file is damaged or incomplete".to_owned(),
        ErrorCode::ImportDamagedDatabase => "this database is damaged".to_owned(),
        ErrorCode::ImportUnknownDatabase => {
            "this is the database of a program that Gleaner does not support; export an OPML list from it".to_owned()
        }
        ErrorCode::ImportLibrary => "this file is a Gleaner library; `glean --library DIR` opens it".to_owned(),
        ErrorCode::ImportUnknownVersion => {
            format!("this database is from a version of {} that Gleaner does not support", p("program"))
        }
        ErrorCode::ImportDamaged => format!("the file of {} is damaged", p("program")),
        ErrorCode::NotAnArchive => format!("{file} is a ZIP file, but not an archive of Gleaner"),
        ErrorCode::ArchiveDamaged => format!("{file} is damaged or incomplete; if it was copied, copy it again"),
        ErrorCode::ArchiveNewer => {
            format!("{file} was written by a newer Gleaner; install the latest version to read it")
        }
        ErrorCode::LibraryReadOnly => format!("the library in {} can't be written", p("folder")),
        ErrorCode::LibraryNewer => {
            format!("the library in {} was written by a newer Gleaner; install the latest version", p("folder"))
        }
        ErrorCode::LibraryOlderInUse => {
            "an older Gleaner has the library open; quit it, then run this again".to_owned()
        }
        ErrorCode::UpdatedBySystem => "this program is updated by the system".to_owned(),
        ErrorCode::UpdateUnreachable => "the latest version could not be downloaded".to_owned(),
        ErrorCode::UpdateUntrusted => "the update is not signed by the Gleaner project".to_owned(),
        ErrorCode::UpdateFailed => "the program could not be replaced".to_owned(),
        ErrorCode::LibraryDamaged => {
            "the library is damaged or not a library; `glean recover` rescues what is readable, and `glean backup --list` names the backups that `glean restore` takes"
                .to_owned()
        }
        ErrorCode::DiskFull => "the library's disk is full; free some space and try again".to_owned(),
        ErrorCode::EpisodesFull => "the space for downloaded episodes is used up; remove some or allow more".to_owned(),
        ErrorCode::DiskFailed => "the library's disk could not be read or written".to_owned(),
        ErrorCode::NotFound => "there is no such feed, folder, article or saved item".to_owned(),
        ErrorCode::AlreadySubscribed => "you are already subscribed to this feed".to_owned(),
        ErrorCode::FolderName => "a folder needs a name".to_owned(),
        ErrorCode::FolderNameTaken => "another folder in this place has this name".to_owned(),
        ErrorCode::SubfolderNameTaken => "a subfolder has the name of a folder one level up".to_owned(),
        ErrorCode::FolderInItself => "a folder can't be moved into itself".to_owned(),
        ErrorCode::SameFeed => "a feed can't be merged with itself".to_owned(),
        ErrorCode::FeedUnsubscribed => "the article's feed is unsubscribed".to_owned(),
        ErrorCode::InvalidQuery => "the search query is not valid".to_owned(),
        ErrorCode::SearchName => "a saved search needs a name".to_owned(),
        ErrorCode::SearchNameTaken => format!("another saved search has this name: {}", p("name")),
        ErrorCode::SearchQuery => "a saved search needs a query".to_owned(),
        ErrorCode::TagName => "a tag needs a name".to_owned(),
        ErrorCode::PlayQueueFull => "the play queue is full: it can have 1000 files".to_owned(),
        ErrorCode::CategoryName => "a category needs a name of at most 120 characters".to_owned(),
        ErrorCode::CircularSynonym => {
            format!("\"{}\" contains this category, or is a synonym of it", p("means"))
        }
        ErrorCode::RuleActions => "a rule needs an action".to_owned(),
        ErrorCode::RuleName => "a rule needs a name".to_owned(),
        ErrorCode::HighlightTooLong => "the highlighted text is too long".to_owned(),
        ErrorCode::NoteEmpty => "a note needs a text".to_owned(),
        ErrorCode::NoteTooLong => "the note is too long".to_owned(),
        ErrorCode::TooManyNotes => "this article has the maximum number of notes".to_owned(),
        ErrorCode::NotAnImage => "this is not an image".to_owned(),
        ErrorCode::Busy => "another Gleaner is using this library; try again when it is done".to_owned(),
        ErrorCode::Cancelled => "cancelled".to_owned(),
        ErrorCode::NoHomeFolder => "this system has no home folder: use --library DIR".to_owned(),
        ErrorCode::InvalidInput => "a value is not valid".to_owned(),
        ErrorCode::Unknown => "an error of an earlier version; try again".to_owned(),
        ErrorCode::Internal => "an internal error occurred; please report it".to_owned(),
    }
}

/// Words what is wrong with a query.
pub fn query_problem(problem: &Problem) -> String {
    match problem {
        Problem::UnknownField { name, meant } => {
            format!("unknown field `{name}:`; did you mean `{meant}:`? (Put it in quotes to search for the text.)")
        }
        Problem::NoValue(field) => format!("`{field}:` needs a word directly after it, or several words in quotes"),
        Problem::NotOneOf { field, takes, meant } => {
            let meant = meant.map(|meant| format!("; did you mean {meant}?")).unwrap_or_default();
            format!("`{field}:` needs one of {}{meant}", takes.join(", "))
        }
        Problem::NoDate(field) => format!(
            "`{field}:` needs a date such as 2026, 2026-01, 2026-01-05, today, yesterday, \"last week\", 7d, 3w, 2m or 1y"
        ),
        Problem::NoNumber => "`words:` needs a number or a range such as >1000, <500 or 500..1000".to_owned(),
        Problem::NoLanguage => "`lang:` needs a language such as en or pt-br".to_owned(),
        Problem::UnclosedQuote => "this quotation mark is never closed".to_owned(),
        Problem::UnclosedParenthesis => "this parenthesis is never closed".to_owned(),
        Problem::UnopenedParenthesis => "this parenthesis was never opened".to_owned(),
        Problem::EmptyParentheses => "these parentheses are empty".to_owned(),
        Problem::TooDeep => "parentheses are nested too deeply".to_owned(),
        Problem::TooLong => format!("the query is too long (at most {} bytes)", gleaner_query::LONGEST),
    }
}

/// Words why an import left something out.
pub fn skip_reason(reason: &SkipReason) -> String {
    match reason {
        SkipReason::Outline(opml::SkipReason::UnsafeUrl) => "unsafe address".to_owned(),
        SkipReason::Outline(opml::SkipReason::NoUrl) => "no feed address".to_owned(),
        SkipReason::Outline(opml::SkipReason::OtherType(name)) => format!("of type {name}"),
        SkipReason::Outline(opml::SkipReason::Link) => "a link, not a feed".to_owned(),
        SkipReason::Outline(opml::SkipReason::Empty) => "empty".to_owned(),
        SkipReason::NewsboatSearch => "a newsboat search: create a saved search instead".to_owned(),
        SkipReason::NoFeed => "it names neither its feed nor its address".to_owned(),
        SkipReason::MoreWithoutFeed { count: more } => {
            format!("{} that name neither their feed nor their address", count(*more, "more article"))
        }
        SkipReason::NoAddress => "it belongs to an account of a service that gives no address".to_owned(),
        SkipReason::FeedsGone { count: gone } => format!("{} of feeds that no longer exist", count(*gone, "article")),
    }
}

/// Words what could not be imported from an archive.
pub fn archive_problem(problem: ArchiveProblem) -> String {
    match problem {
        ArchiveProblem::Missing => "the file is missing".to_owned(),
        ArchiveProblem::TooLong => "the file is too large".to_owned(),
        ArchiveProblem::Unreadable => "the file can't be read".to_owned(),
        ArchiveProblem::Damaged => "the file is damaged; what could be read was imported".to_owned(),
        ArchiveProblem::RestUnreadable => "nothing after this can be read".to_owned(),
        ArchiveProblem::InvalidRecord => "the entry is not valid".to_owned(),
        ArchiveProblem::TooMany { count: more } => format!("the limit is exceeded by {more}"),
        ArchiveProblem::InvalidAddresses { count: feeds } => {
            format!("{} with an invalid address", count(feeds, "feed"))
        }
        ArchiveProblem::UnknownFeeds { count: articles } => {
            format!("{} of feeds that the archive does not contain", count(articles, "article"))
        }
        ArchiveProblem::InvalidImage => "the image does not match its entry".to_owned(),
        ArchiveProblem::ImagesTooLarge => "the images are far larger than the archive".to_owned(),
        ArchiveProblem::UnusedImages { count: images } => {
            format!("{} that no article shows", count(images, "image"))
        }
    }
}

/// Words that a database of another reader could not be read to its end.
pub fn damaged(program: &str) -> String {
    format!("the file of {program} is damaged; what could be read was imported")
}

/// Words a repair of an imported file, as the report of `glean inspect` does.
pub fn repair(repair: &Repair) -> String {
    repair.to_string()
}

/// Words what a check found, after its number.
pub fn fault(fault: &Fault) -> Cow<'static, str> {
    let words = match fault {
        Fault::FoldersInThemselves => "folders inside of themselves",
        Fault::FeedsInMissingFolders => "feeds in missing folders",
        Fault::FeedsWithoutPolls => "feeds without a polling state",
        Fault::ArticlesWithoutState => "articles without a state",
        Fault::ScheduledArticlesShown => "scheduled articles that lists show",
        Fault::ContradictoryPositions => "articles with contradictory positions",
        Fault::ExpiredWithoutDate => "expired articles without a date",
        Fault::ExpiredArticlesShown => "expired articles that lists show",
        Fault::PoliciesOfMissingScopes => "retention policies of missing feeds or folders",
        Fault::OrphanedData => "data of missing articles or feeds",
        Fault::WrongNoteMarks => "articles with a wrong mark for notes",
        Fault::OrphanedDownloads => "downloads of missing articles",
        Fault::FeedsWithoutCounts => "feeds without counts",
        Fault::WrongCounts => "feeds with wrong counts",
        Fault::OrphanedRuleHistory => "records of missing rules or articles",
        Fault::UnindexedArticles => "articles missing from the search index and its queue",
        Fault::OrphanedIndexRows => "missing articles in the search index",
        Fault::DamagedDictionaries => "damaged copies of compression dictionaries",
        Fault::LostDictionaries => "lost compression dictionaries",
        Fault::MissingTexts => "articles without their text",
        Fault::UnreadableTexts => "articles with an unreadable text",
        Fault::UnreadableVersions => "former versions with an unreadable text",
        Fault::LostImages => "images with a missing or damaged file, to be downloaded again",
        Fault::UnknownImageFiles => "image files of no article",
        Fault::FileDamage(detail) => return format!("damage in the file: {detail}").into(),
    };
    words.into()
}
