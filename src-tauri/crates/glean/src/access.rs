//! `glean access`: how a feed is reached. Secrets go in, and never out.

use crate::{
    args::{Access as Args, Reach},
    live::Failure,
    why,
};
use gleaner_fetch::{Fingerprint, Route};
use gleaner_library::{Access, Auth, FeedRow, Headers, Library, Secret};
use gleaner_polling::secrets;
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
    let mut access = library.accesses().await?.remove(&feed.id);
    if let Some(asked) = Asked::of(&args.reach)? {
        access = Some(asked.keep(library, &feed, access.take()).await?);
    }
    tell(&feed, access.as_ref());
    Ok(ExitCode::SUCCESS)
}

/// What was said on the command line, and is good.
pub struct Asked<'a> {
    reach: &'a Reach,
    /// The password or token, where there is to be one.
    pub secret: Option<String>,
    headers: Vec<(String, String)>,
}

impl<'a> Asked<'a> {
    /// `None` where nothing was said. Asks for the password.
    pub fn of(reach: &'a Reach) -> Result<Option<Self>, Failure> {
        let said = |text: &'a Option<String>| text.as_deref().filter(|text| !text.is_empty());
        let nothing = reach.user.is_none()
            && !reach.bearer
            && reach.header.is_empty()
            && reach.user_agent.is_none()
            && reach.proxy.is_none()
            && reach.accept_certificate.is_none();
        if nothing {
            return match reach.password_file.is_some() || reach.password_in_library {
                true => Err("a password needs a --user, a token --bearer".into()),
                false => Ok(None),
            };
        }
        if let Some(proxy) = said(&reach.proxy)
            && let Route::Proxy(url) = proxy.parse()?
            && url.password().is_some()
        {
            return Err("a proxy's password cannot be kept safely yet".into());
        }
        said(&reach.accept_certificate).map(str::parse::<Fingerprint>).transpose()?;
        let headers = reach.header.iter().filter(|header| !header.is_empty()).map(|header| {
            let (name, value) = header.split_once(':').ok_or_else(|| format!("{header}: a header is NAME: VALUE"))?;
            let (name, value) = (name.trim(), value.trim());
            if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_graphic()) || value.contains(char::is_control)
            {
                return Err(format!("{header}: that cannot be a header"));
            }
            Ok((name.to_owned(), value.to_owned()))
        });
        let headers = headers.collect::<Result<Vec<_>, String>>()?;
        let secret = (said(&reach.user).is_some() || reach.bearer).then(|| password(reach)).transpose()?;
        Ok(Some(Self { reach, secret, headers }))
    }

    /// As it would be kept, but for the secret. What was not said stays as it was.
    pub fn access(&self, feed_id: i64, url: &Url, before: Option<Access>) -> Result<Access, Failure> {
        let reach = self.reach;
        let mut access = before.unwrap_or_default();
        let origin = url.origin().ascii_serialization();
        if !access.origin.is_empty() && access.origin != origin {
            // What was for another server is not for this one.
            access = Access { user_agent: access.user_agent, proxy: access.proxy, ..Access::default() };
        }
        (access.feed_id, access.origin) = (feed_id, origin);
        let filled = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        if let Some(agent) = &reach.user_agent {
            access.user_agent = filled(agent);
        }
        if let Some(proxy) = &reach.proxy {
            access.proxy = filled(proxy);
        }
        if let Some(certificate) = &reach.accept_certificate {
            let fingerprint = filled(certificate).map(|text| text.parse::<Fingerprint>()).transpose()?;
            access.certificate = fingerprint.map(|Fingerprint(bytes)| bytes.to_vec());
        }
        if !reach.header.is_empty() {
            access.headers = Headers(self.headers.clone());
        }
        if reach.user.is_some() || reach.bearer {
            access.user_name = reach.user.as_ref().and_then(filled);
            access.auth =
                if reach.bearer { Some(Auth::Bearer) } else { access.user_name.as_ref().map(|_| Auth::Basic) };
            (access.keyring_entry, access.secret) = (None, None);
        }
        Ok(access)
    }

    /// Keeps it, the secret in the keyring or, where that was wished, in the library.
    pub async fn keep(self, library: &Library, feed: &FeedRow, before: Option<Access>) -> Result<Access, Failure> {
        let mut access = self.access(feed.id, &Url::parse(&feed.url)?, before)?;
        match self.secret {
            Some(secret) if self.reach.password_in_library => access.secret = Some(Secret(secret)),
            Some(secret) => {
                let entry = library.keyring_entry(feed.id).await?;
                secrets::keep(&entry, secret).await.map_err(|error| {
                    format!("{error}; --password-in-library keeps the password in the library's own file")
                })?;
                access.keyring_entry = Some(entry);
            }
            None => {}
        }
        library.set_access(&access).await?;
        secrets::forget_left(library).await?;
        Ok(access)
    }
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
