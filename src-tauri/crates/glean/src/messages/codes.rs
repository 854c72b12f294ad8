//! The messages of the error codes.

use crate::output::{count, moment};
use gleaner_address::without_password;
use gleaner_contract::{ErrorCode, IpcError};
use std::collections::BTreeMap;

/// Words an error: what failed and, if possible, what the user can do.
pub fn describe(IpcError { code, params }: &IpcError) -> String {
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
        ErrorCode::AddressWithoutSite => "this address names no site; a web address looks like example.com".to_owned(),
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
        ErrorCode::PrivateAddress => format!("a public page refers to {host}, which is on a private network"),
        ErrorCode::RedirectToPrivateAddress => {
            format!("the server redirects to {host}, which is on a private network")
        }
        ErrorCode::HostNotFound => format!("{host} could not be found; check the spelling"),
        ErrorCode::LookupFailed => format!("the address of {host} could not be looked up; try again later"),
        ErrorCode::ProxyNotFound => format!("the proxy {proxy} could not be found"),
        ErrorCode::InvalidProxy => {
            format!("{proxy} is not a proxy; use \"direct\" for none, or an address such as socks5://127.0.0.1:9050")
        }
        ErrorCode::ProxyRefused => format!("the proxy {proxy} refused the connection"),
        ErrorCode::ProxyUnreachable => format!("the proxy {proxy} does not respond"),
        ErrorCode::ProxyLogin => format!("the proxy {proxy} requires a login, or rejected the one it received"),
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
            "the server redirects to {}, where a login is required (401) and that of the old address is not sent; follow it with `glean feed FEED --address URL`, and enter the login again with `glean access`",
            p("location")
        ),
        ErrorCode::Unauthorized => "the site requires a login (401); enter it with `glean access`".to_owned(),
        ErrorCode::LoginRefused => {
            format!("the site rejected the user name or password ({}); enter them again with `glean access`", p("status"))
        }
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
        ErrorCode::SecretUnreadable => "the password could not be read; unlock the keyring".to_owned(),
        ErrorCode::SecretGone => {
            "the password is no longer in the keyring; enter it again with `glean access`, `glean account password` or `glean share password`"
                .to_owned()
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
        ErrorCode::ServerApiOff => "the server's API is turned off; turn it on in the server's settings".to_owned(),
        ErrorCode::ServerTooOld => "the version of this server is too old for Gleaner; update the server".to_owned(),
        ErrorCode::ServerLogin => {
            "the server rejected the user name or password; some servers have a separate password for their API".to_owned()
        }
        ErrorCode::AppKeysMissing => "Inoreader needs an app ID and an app key; create them in its preferences, under Developer, and add --app-id and --app-key-file".to_owned(),
        ErrorCode::ServerChangesWait => {
            let until = p("until").parse().map_or_else(|_| p("until").to_owned(), moment);
            format!("the server accepts no more changes until {until}; they will be sent then")
        }
        ErrorCode::InvalidServerResponse => "the server's response can't be read; try again later".to_owned(),
        ErrorCode::ServerFeedsMissing => format!(
            "{} of this account, more than half, are missing on the server; they stay here (`glean account sync --accept-missing` unsubscribes from them)",
            count(p("count").parse::<u64>().unwrap_or_default(), "feed")
        ),
        ErrorCode::ServerRefusedFeed => format!("the server can't subscribe to {}", p("url")),
        ErrorCode::FeedOfServer => "this isn't possible for a feed of an account on a server".to_owned(),
        ErrorCode::FolderOfOtherAccount => {
            "a feed can only be in the folders of its own account; `glean account move` moves it to another one".to_owned()
        }
        ErrorCode::ServiceExists => "this service has been added already, or another one has this name".to_owned(),
        ErrorCode::AccountExists => "this account has been added already".to_owned(),
        ErrorCode::ZoteroNotRunning => "Zotero is not running; start it, then try again".to_owned(),
        ErrorCode::ServiceRefusedArticle => "the service refused this article".to_owned(),
        ErrorCode::MailTooLong => "there are too many articles for one e-mail".to_owned(),
        ErrorCode::FileNotFound => format!("{file} does not exist"),
        ErrorCode::FileNotPermitted => format!("you don't have permission to use {file}"),
        ErrorCode::FileUnreadable => format!("{file} could not be read"),
        ErrorCode::FileUnwritable => format!("{file} could not be written"),
        ErrorCode::NotAFile => format!("{file} is not a regular file"),
        ErrorCode::FileNotPicked => format!("{file} is read only if you add it yourself with `glean add FILE`"),
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
        ErrorCode::ImportDamaged => format!("the file from {} is damaged", p("program")),
        ErrorCode::NotAnArchive => format!("{file} is a ZIP file, but not a Gleaner archive"),
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
            "the library is damaged, or not a library; `glean recover` recovers the readable data, and `glean backup --list` lists the backups for `glean restore`"
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
        ErrorCode::PlayQueueFull => "the play queue is full: it can contain 1,000 files".to_owned(),
        ErrorCode::CategoryName => "a category needs a name of at most 120 characters".to_owned(),
        ErrorCode::CircularSynonym => {
            format!("\"{}\" contains this category, or is a synonym of it", p("means"))
        }
        ErrorCode::RuleActions => "a rule needs an action".to_owned(),
        ErrorCode::RuleName => "a rule needs a name".to_owned(),
        ErrorCode::RuleQuery => "the query of a rule needs a word to search for".to_owned(),
        ErrorCode::RuleFolderDeleted => "the folder of this rule was deleted".to_owned(),
        ErrorCode::HighlightTooLong => "the highlighted text is too long".to_owned(),
        ErrorCode::NoteEmpty => "a note needs text".to_owned(),
        ErrorCode::NoteTooLong => "the note is too long".to_owned(),
        ErrorCode::TooManyNotes => "this article has the maximum number of notes".to_owned(),
        ErrorCode::NotAnImage => "this is not an image".to_owned(),
        ErrorCode::Busy | ErrorCode::LibraryInUse => {
            "another Gleaner is using this library; try again when it is done".to_owned()
        }
        ErrorCode::Cancelled => "cancelled".to_owned(),
        ErrorCode::NoHomeFolder => "this system has no home folder: use --library DIR".to_owned(),
        ErrorCode::InvalidInput => "a value is not valid".to_owned(),
        ErrorCode::Unknown => "an unknown error occurred; try again".to_owned(),
        ErrorCode::Internal => "an internal error occurred; please report it".to_owned(),
    }
}
