//! `glean share`: services that articles are saved in. Passwords and tokens are never printed.

use crate::{
    access::{described, read_password},
    args::{ClientOptions, NewShareService, Share as Args, ShareCommand},
    find::check_articles,
    messages::{Failure, stored_error},
    output::{count, json},
};
use gleaner_app::{App, NewService};
use gleaner_contract::{ErrorCode, IpcError, ShareKind, ShareService};
use gleaner_share::Kind;
use serde::Serialize;
use std::{path, process::ExitCode};

/// The question for a secret, on a terminal.
const PROMPT: &str = "Password or token: ";

/// A service in the output of `glean share list --json`; a public contract.
#[derive(Serialize)]
struct Listed<'a> {
    id: i64,
    name: &'a str,
    address: &'a str,
    user: &'a str,
    /// Number of articles to send, and of refused ones.
    waiting: i64,
    refused: i64,
    error: Option<ErrorCode>,
}

pub async fn run(app: &App, args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        ShareCommand::Add(new) => add(app, new).await,
        ShareCommand::List { json } => list(app, json).await,
        ShareCommand::Save { service, articles } => save(app, &service, &articles).await,
        ShareCommand::Send { service } => send(app, &find(app, &service).await?, true).await,
        ShareCommand::Password { service, address, user, password_file, client, password_in_library } => {
            let service = find(app, &service).await?;
            if matches!(service.kind, ShareKind::Zotero | ShareKind::Folder) {
                return Err(format!("{} needs no password", service.name).into());
            }
            let password = read_password(password_file.as_deref(), PROMPT)?;
            let (client_id, client_secret) = client_of(client)?;
            let change = NewService {
                address: address.unwrap_or_default(),
                user: user.unwrap_or_default(),
                password,
                client_id,
                client_secret,
                in_library: password_in_library,
                ..NewService::default()
            };
            gleaner_app::set_service_login(app, service.id, change).await.map_err(described)?;
            println!("Saved the password of {}.", service.name);
            send(app, &service, service.waiting + service.refused > 0).await
        }
        ShareCommand::Remove { service } => {
            let service = find(app, &service).await?;
            gleaner_app::remove_service(app, service.id).await?;
            println!("Removed {}.", service.name);
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Sends everything that waits for a service. `say_none`: also says so if nothing was sent.
async fn send(app: &App, service: &ShareService, say_none: bool) -> Result<ExitCode, Failure> {
    let (sent, left) = gleaner_app::send_again(app, service.id).await?;
    if sent > 0 || say_none {
        println!("{}: {} sent.", service.name, count(sent, "article"));
    }
    let error = find(app, &service.id.to_string()).await?.error;
    report(left.waiting, left.refused, error.as_ref())
}

/// Returns the id and the secret of an API client; empty if there is none.
fn client_of(client: ClientOptions) -> Result<(String, String), Failure> {
    match (client.client_id, client.client_secret_file) {
        (Some(id), Some(file)) => Ok((id, read_password(Some(&file), "")?)),
        _ => Ok(Default::default()),
    }
}

async fn add(app: &App, new: NewShareService) -> Result<ExitCode, Failure> {
    let kind = new.kind.kind();
    if kind == Kind::Wallabag && new.client.client_id.is_none() {
        return Err(Failure::usage("Wallabag needs --client-id and --client-secret-file"));
    }
    if kind == Kind::Folder && new.address.as_ref().is_some_and(String::is_empty) {
        return Err(Failure::usage("the path of the folder is empty"));
    }
    let mut address = match (new.address, kind.address()) {
        (Some(address), _) => address,
        (None, Some(_)) => String::new(),
        (None, None) => return Err(Failure::usage("the ADDRESS of the service is missing")),
    };
    let needs = kind.needs_secret() || new.password_file.is_some();
    let password = if needs { read_password(new.password_file.as_deref(), PROMPT)? } else { String::new() };
    let (client_id, client_secret) = client_of(new.client)?;
    if kind == Kind::Folder {
        address = path::absolute(&address)?.display().to_string();
    }
    let service = NewService {
        address,
        name: new.name,
        user: new.user.unwrap_or_default(),
        password,
        client_id,
        client_secret,
        in_library: new.password_in_library,
    };
    let service = gleaner_app::add_service(app, kind, service).await.map_err(described)?;
    println!("Added {} ({})", service.name, service.address);
    Ok(ExitCode::SUCCESS)
}

async fn save(app: &App, service: &str, articles: &[i64]) -> Result<ExitCode, Failure> {
    let service = find(app, service).await?;
    let library = app.core().await?.library;
    check_articles(&library, articles).await?;
    let shared = gleaner_app::save_in_service(app, service.id, articles).await?;
    println!("{}: {} saved.", service.name, count(shared.saved, "article"));
    report(shared.waiting, shared.refused, shared.error.as_ref())
}

/// Prints how many articles a service has not received, and why.
fn report(waiting: i64, refused: i64, error: Option<&IpcError>) -> Result<ExitCode, Failure> {
    if waiting + refused == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    if waiting > 0 {
        eprintln!("glean: {} waiting; `glean share send SERVICE` tries again", count(waiting, "article"));
    }
    if refused > 0 {
        eprintln!("glean: {} refused", count(refused, "article"));
    }
    if let Some(error) = error {
        eprintln!("glean: {}", words(error)?);
    }
    Ok(ExitCode::from(1))
}

fn words(error: &IpcError) -> Result<String, Failure> {
    let code = serde_json::to_value(error.code)?;
    Ok(stored_error(code.as_str().unwrap_or_default(), &error.params))
}

/// Finds a service by its number or name.
async fn find(app: &App, wanted: &str) -> Result<ShareService, Failure> {
    let mut services = gleaner_app::list_services(app).await?;
    let name = wanted.to_lowercase();
    let is = |service: &ShareService| service.id.to_string() == wanted || service.name.to_lowercase() == name;
    services.retain(is);
    match services.len() {
        1 => Ok(services.swap_remove(0)),
        0 => Err(format!(
            "there is no service {}; `glean share list` lists them",
            gleaner_address::without_password(wanted)
        )
        .into()),
        _ => Err(format!(
            "several services match {}; use the number that `glean share list` shows",
            gleaner_address::without_password(wanted)
        )
        .into()),
    }
}

async fn list(app: &App, as_json: bool) -> Result<ExitCode, Failure> {
    let services = gleaner_app::list_services(app).await?;
    if as_json {
        let listed = services.iter().map(|service| Listed {
            id: service.id,
            name: &service.name,
            address: &service.address,
            user: &service.user_name,
            waiting: service.waiting,
            refused: service.refused,
            error: service.error.as_ref().map(|error| error.code),
        });
        json(&listed.collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    if services.is_empty() {
        println!("No services. `glean share add KIND ADDRESS` adds one.");
    }
    for service in services {
        println!("{:>3}  {}  {}", service.id, service.name, service.address);
        if service.waiting + service.refused > 0 {
            println!("     {} waiting, {} refused", count(service.waiting, "article"), service.refused);
        }
        if let Some(error) = &service.error {
            println!("     {}", words(error)?);
        }
    }
    Ok(ExitCode::SUCCESS)
}
