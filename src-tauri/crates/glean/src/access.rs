//! `glean access`: shows and changes the connection settings of a feed. Secrets are never printed.

use crate::{
    args::{Access as Args, ConnectionOptions},
    find::find_feed,
    messages::{Failure, message, unreadable},
    web::contents,
};
use gleaner_app::{App, AppError};
use gleaner_contract::ErrorCode;
use gleaner_fetch::Fingerprint;
use gleaner_library::{Access, Auth, FeedRow, Library};
use gleaner_polling::connection::{ConnectionChange, InvalidConnection, Login};
use gleaner_polling::file::FeedFileError;
use std::{
    io::{IsTerminal as _, stdin},
    path::Path,
    process::ExitCode,
};

pub async fn run(app: &App, library: &Library, args: Args) -> Result<ExitCode, Failure> {
    let feed = find_feed(library, &args.feed).await?;
    if args.forget {
        gleaner_app::reset_connection(app, feed.id).await?;
        println!("{} uses the default connection.", feed.shown_title());
        return Ok(ExitCode::SUCCESS);
    }
    if args.allow_private_network {
        library.polls().allow_private_network(feed.id).await?;
        println!("{} may use a private network.", feed.shown_title());
    }
    let change = request(&args.connection)?;
    if change.is_some() && feed.url.starts_with("file:") {
        return Err(format!("{} is a local file and needs no connection settings", feed.shown_title()).into());
    }
    let access = match change {
        Some(request) => gleaner_app::save_connection(app, feed.id, request).await.map_err(described)?,
        None => library.connections().list().await?.remove(&feed.id),
    };
    print(&feed, access.as_ref());
    Ok(ExitCode::SUCCESS)
}

/// Returns the settings given on the command line, or `None` without any. Prompts for the password.
pub fn request(options: &ConnectionOptions) -> Result<Option<ConnectionChange>, Failure> {
    let headers = options.header.iter().filter(|header| !header.is_empty()).map(|header| {
        // The value may be a secret, so it is not printed.
        let (name, value) = header
            .split_once(':')
            .ok_or_else(|| Failure::usage("--header needs the form NAME: VALUE; one of them has no colon"))?;
        Ok((name.trim().to_owned(), Some(value.trim().to_owned())))
    });
    let headers = headers.collect::<Result<Vec<_>, Failure>>()?;
    let certificate = options.accept_certificate.as_deref().map(|text| match text {
        "" => Ok(None),
        text => text.parse::<Fingerprint>().map(Some),
    });
    let mut request = ConnectionChange {
        login: None,
        user_agent: options.user_agent.clone(),
        proxy: options.proxy.clone(),
        headers: Some(headers).filter(|_| !options.header.is_empty()),
        certificate: certificate.transpose()?,
        in_library: false,
    };
    // Report errors before prompting for the password.
    check(&request)?;
    request.login = match options.user.as_deref() {
        Some("") => Some(Login::None),
        Some(user) => Some(Login::Basic { user: user.to_owned(), password: password(options)? }),
        None if options.bearer => Some(Login::Bearer { token: password(options)? }),
        None => None,
    };
    if request == ConnectionChange::default() {
        return Ok(None);
    }
    check(&request)?;
    Ok(Some(ConnectionChange { in_library: options.password_in_library, ..request }))
}

fn check(request: &ConnectionChange) -> Result<(), Failure> {
    request.check().map_err(|error| match error {
        // The password is not an argument: it is read from a file or entered.
        InvalidConnection::Password => message(error).into(),
        _ => Failure::usage(message(error)),
    })
}

/// Adds what the user can do to an error of saving connection settings.
pub fn described(error: AppError) -> Failure {
    match error.code() {
        ErrorCode::NoKeyring => {
            format!("{}; --password-in-library saves the password in the library file", message(error)).into()
        }
        _ => error.into(),
    }
}

/// Maximum size of a file with a password, in bytes.
const MAX_PASSWORD_FILE: u64 = 64 << 10;

fn password(options: &ConnectionOptions) -> Result<String, Failure> {
    read_password(options.password_file.as_deref(), if options.bearer { "Token: " } else { "Password: " })
}

/// Returns the first line of a file (`-` is the standard input), or the text that the user enters on the terminal.
pub fn read_password(password_file: Option<&Path>, prompt: &str) -> Result<String, Failure> {
    let text = match password_file {
        Some(path) => {
            let bytes = contents(path, MAX_PASSWORD_FILE).map_err(|error| match error {
                FeedFileError::TooLarge { path, .. } => format!("{} is too large to be a password", path.display()),
                error => message(error),
            })?;
            String::from_utf8(bytes)
                .map_err(|error| unreadable(path, std::io::Error::new(std::io::ErrorKind::InvalidData, error)))?
        }
        None if stdin().is_terminal() => match rpassword::prompt_password(prompt) {
            // Ctrl-D
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => String::new(),
            entered => entered?,
        },
        None => return Err("there is no terminal to prompt for the password; use --password-file FILE".into()),
    };
    let line = text.lines().next().unwrap_or_default();
    if line.is_empty() { Err("the password is empty".into()) } else { Ok(line.to_owned()) }
}

fn print(feed: &FeedRow, access: Option<&Access>) {
    println!("{}, {}", feed.shown_title(), feed.url);
    let Some(access) = access else {
        println!("Default connection: no login, system proxy.");
        return;
    };
    let place = if access.secret.is_some() { "the library file" } else { "the system keyring" };
    match (access.auth, &access.user_name) {
        (Some(Auth::Bearer), _) => println!("Token: saved in {place}, sent only to {}", access.origin),
        (Some(Auth::Basic), user) => {
            let user = user.as_deref().unwrap_or_default();
            println!("User name: {user}; password: saved in {place}, sent only to {}", access.origin);
        }
        (None, _) => {}
    }
    // The values may be secrets.
    for (name, _) in &access.headers.0 {
        println!("Header: {name}, sent only to {}", access.origin);
    }
    if let Some(agent) = &access.user_agent {
        println!("User-Agent: {agent}");
    }
    if let Some(proxy) = &access.proxy {
        println!("Proxy: {proxy}");
    }
    if let Some(bytes) = access.certificate.as_deref().and_then(|bytes| bytes.try_into().ok()) {
        println!("Accepted certificate: {}, only for {}", Fingerprint(bytes), access.origin);
    }
}
