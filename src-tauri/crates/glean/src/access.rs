//! `glean access`: how a feed is reached. Secrets go in, and never out.

use crate::{
    args::{Access as Args, Reach},
    live::Failure,
    why,
};
use gleaner_fetch::Fingerprint;
use gleaner_library::{Access, Auth, FeedRow, Library};
use gleaner_polling::{
    secrets,
    wish::{Login, Wish, WishError},
};
use std::{
    io::{IsTerminal as _, stdin},
    process::ExitCode,
};
use url::Url;

pub async fn run(library: &Library, args: Args) -> Result<ExitCode, Failure> {
    let feed = why::find(library, &args.feed).await?;
    if args.forget {
        library.delete_access(feed.id).await?;
        secrets::forget_left(library).await?;
        println!("{} is reached like any other feed.", feed.shown_title());
        return Ok(ExitCode::SUCCESS);
    }
    let access = match wish(&args.reach)? {
        Some(wish) => keep(library, &feed, wish).await?,
        None => library.accesses().await?.remove(&feed.id),
    };
    tell(&feed, access.as_ref());
    Ok(ExitCode::SUCCESS)
}

/// What was said on the command line, and is good; `None` where nothing was said. Asks for the password.
pub fn wish(reach: &Reach) -> Result<Option<Wish>, Failure> {
    let headers = reach.header.iter().filter(|header| !header.is_empty()).map(|header| {
        let (name, value) = header.split_once(':').ok_or_else(|| format!("{header}: a header is NAME: VALUE"))?;
        Ok((name.trim().to_owned(), Some(value.trim().to_owned())))
    });
    let headers = headers.collect::<Result<Vec<_>, String>>()?;
    let certificate = reach.accept_certificate.as_deref().map(|text| match text {
        "" => Ok(None),
        text => text.parse::<Fingerprint>().map(Some),
    });
    let mut wish = Wish {
        login: None,
        user_agent: reach.user_agent.clone(),
        proxy: reach.proxy.clone(),
        headers: Some(headers).filter(|_| !reach.header.is_empty()),
        certificate: certificate.transpose()?,
        in_library: false,
    };
    // Before the password is asked for.
    wish.check()?;
    wish.login = match reach.user.as_deref() {
        Some("") => Some(Login::None),
        Some(user) => Some(Login::Basic { user: user.to_owned(), password: password(reach)? }),
        None if reach.bearer => Some(Login::Bearer { token: password(reach)? }),
        None => None,
    };
    if wish == Wish::default() {
        return match reach.password_file.is_some() || reach.password_in_library {
            true => Err("a password needs a --user, a token --bearer".into()),
            false => Ok(None),
        };
    }
    wish.check()?;
    Ok(Some(Wish { in_library: reach.password_in_library, ..wish }))
}

/// Keeps it, the secret in the keyring or, where that was wished, in the library. `None`: it is reached like any other feed.
pub async fn keep(library: &Library, feed: &FeedRow, wish: Wish) -> Result<Option<Access>, Failure> {
    let before = library.accesses().await?.remove(&feed.id);
    let access = match wish.kept(library, feed.id, &Url::parse(&feed.url)?, before).await {
        Err(WishError::Keyring(error)) => {
            let words = format!("{error}; --password-in-library keeps the password in the library's own file");
            return Err(words.into());
        }
        access => access?,
    };
    match &access {
        Some(access) => library.set_access(access).await?,
        None => library.delete_access(feed.id).await?,
    }
    secrets::forget_left(library).await?;
    Ok(access)
}

fn password(reach: &Reach) -> Result<String, Failure> {
    let text = match &reach.password_file {
        Some(file) => std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?,
        None if stdin().is_terminal() => {
            rpassword::prompt_password(if reach.bearer { "Token: " } else { "Password: " })?
        }
        None => return Err("there is no terminal to ask for the password on: give --password-file FILE".into()),
    };
    let line = text.lines().next().unwrap_or_default();
    if line.is_empty() { Err("the password is empty".into()) } else { Ok(line.to_owned()) }
}

fn tell(feed: &FeedRow, access: Option<&Access>) {
    println!("{}, {}", feed.shown_title(), feed.url);
    let Some(access) = access else {
        println!("It is reached like any other feed.");
        return;
    };
    let place = if access.secret.is_some() { "the library" } else { "the keyring" };
    match (access.auth, &access.user_name) {
        (Some(Auth::Bearer), _) => println!("Token: kept in {place}, for {}", access.origin),
        (Some(Auth::Basic), user) => {
            let user = user.as_deref().unwrap_or_default();
            println!("Name: {user}; password: kept in {place}, for {}", access.origin);
        }
        (None, _) => {}
    }
    // Their values may well be secrets.
    for (name, _) in &access.headers.0 {
        println!("Header: {name}, for {}", access.origin);
    }
    if let Some(agent) = &access.user_agent {
        println!("User-Agent: {agent}");
    }
    if let Some(proxy) = &access.proxy {
        println!("Proxy: {proxy}");
    }
    if let Some(bytes) = access.certificate.as_deref().and_then(|bytes| bytes.try_into().ok()) {
        println!("Accepted certificate: {}, at {}", Fingerprint(bytes), access.origin);
    }
}
