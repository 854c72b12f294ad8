//! The messages of `glean`: errors, refused queries, and what an import left out. No other module words an error.

mod codes;

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

use crate::output::count;
use codes::describe;

/// An error to print on standard error.
#[derive(Debug)]
pub struct Failure {
    message: String,
    /// Whether the arguments are wrong, which is exit status 2.
    is_usage: bool,
}

/// The error of a command that can't run because of another process.
pub const OTHER_PROCESS: &str = "another Gleaner process is refreshing this library; try again when it has finished";

impl Failure {
    /// Returns the error of arguments that cannot be used.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_usage: true }
    }

    /// Whether the arguments are wrong.
    pub fn is_usage(&self) -> bool {
        self.is_usage
    }

    /// Prints the error and returns its exit status.
    pub fn report(&self) -> ExitCode {
        eprintln!("glean: {self}");
        ExitCode::from(if self.is_usage { 2 } else { 1 })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self { message, is_usage: false }
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        let message = describe(&error.ipc);
        // For these errors, only the cause tells the user what to do or to report, since glean writes no log.
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
            return message.into();
        }
        // The cause of the error of a file or folder names it, too.
        let cause = error.to_string();
        let param = |name: &str| error.ipc.params.get(name).map(String::as_str).filter(|value| !value.is_empty());
        let named = cause.strip_prefix(&format!("{message}: ")).or_else(|| {
            let place = param("file").or(param("folder"))?;
            cause.split_once(&format!("{place}: ")).map(|(_, rest)| rest)
        });
        format!("{message} ({})", named.unwrap_or(&cause)).into()
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
        error.to_string().into()
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        format!("the result couldn't be written as JSON: {error}").into()
    }
}

/// A template of a progress bar is wrong, which is a bug.
impl From<indicatif::style::TemplateError> for Failure {
    fn from(error: indicatif::style::TemplateError) -> Self {
        error.to_string().into()
    }
}

impl From<gleaner_fetch::NoFingerprint> for Failure {
    fn from(_: gleaner_fetch::NoFingerprint) -> Self {
        Self::usage("a SHA-256 fingerprint has 64 hexadecimal digits")
    }
}

/// Words an error of any crate.
pub fn message(error: impl Into<Failure>) -> String {
    error.into().message
}

/// Prints the error of something that the user named. The errors of files name them already.
pub fn print_error(named: &str, error: &str) {
    let is_named = error.strip_prefix(named).is_some_and(|rest| rest.starts_with(' '));
    if named.is_empty() || is_named { eprintln!("glean: {error}") } else { eprintln!("glean: {named}: {error}") }
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
        Problem::NoWords => "only words, numbers and most emoji can be searched for".to_owned(),
        Problem::TooDeep => "parentheses are nested too deeply".to_owned(),
        Problem::TooLong => format!("the query is too long (at most {} bytes)", gleaner_query::MAX_QUERY),
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

/// Says that the database of another reader could not be read to its end.
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
        Fault::InvalidTexts => "texts with damaged characters",
        Fault::DamagedDictionaries => "damaged copies of compression dictionaries",
        Fault::LostDictionaries => "lost compression dictionaries",
        Fault::MissingTexts => "articles without their text",
        Fault::UnreadableTexts => "articles with an unreadable text",
        Fault::UnreadableVersions => "earlier versions with an unreadable text",
        Fault::LostImages => "images with a missing or damaged file, to be downloaded again",
        Fault::UnknownImageFiles => "image files of no article",
        Fault::FileDamage(detail) => return format!("damage in the file: {detail}").into(),
    };
    words.into()
}
