//! Passwords and tokens of feeds, in the platform's keyring: the Secret Service on Linux, the Keychain, the Credential Manager.
//! Where there is none, a secret is kept in the library, if the user says so, and never otherwise.

use gleaner_library::{Access, Library, LibraryError};
use std::time::Duration;
use tokio::{sync::oneshot, time::timeout};

/// What Gleaner's entries go by in the keyring.
const SERVICE: &str = "net.gleaner.Gleaner";
/// A locked keyring asks its user for a password, who may be away: then polling goes on without.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why a secret cannot be had, kept or forgotten.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// No keyring, a locked one, or one that fails.
    #[error("this computer's keyring cannot be used ({0})")]
    Keyring(String),
    /// The entry is not there any more.
    #[error("this computer's keyring does not have it any more")]
    Gone,
}

/// Keeps a secret under a name ([`Library::keyring_entry`]).
///
/// # Errors
/// [`SecretError::Keyring`]; then it is nowhere.
pub async fn keep(entry: &str, secret: String) -> Result<(), SecretError> {
    with(entry, move |entry| entry.set_password(&secret)).await
}

/// The secret of a feed, wherever it is; `None` where it has none.
///
/// # Errors
/// [`SecretError`].
pub async fn read(access: &Access) -> Result<Option<String>, SecretError> {
    match (&access.keyring_entry, &access.secret) {
        (Some(entry), _) => with(entry, keyring::Entry::get_password).await.map(Some),
        (None, secret) => Ok(secret.as_ref().map(|secret| secret.0.clone())),
    }
}

/// Has the keyring forget what nothing needs any more. What it does not forget now is tried again the next time.
///
/// # Errors
/// When the library cannot be read or written.
pub async fn forget_left(library: &Library) -> Result<(), LibraryError> {
    for entry in library.secrets_left().await? {
        match with(&entry, keyring::Entry::delete_credential).await {
            Ok(()) | Err(SecretError::Gone) => library.secret_forgotten(&entry).await?,
            // Without a keyring the others cannot be forgotten either.
            Err(SecretError::Keyring(_)) => break,
        }
    }
    Ok(())
}

/// On a thread of its own, since the keyring blocks, and one that a program need not wait for at its end.
async fn with<T: Send + 'static>(
    entry: &str,
    act: impl FnOnce(&keyring::Entry) -> keyring::Result<T> + Send + 'static,
) -> Result<T, SecretError> {
    let entry = entry.to_owned();
    let (sender, receiver) = oneshot::channel();
    let acting = std::thread::Builder::new().name("keyring".to_owned()).spawn(move || {
        // Nobody waits any more where this fails.
        let _ = sender.send(on_entry(&entry, act));
    });
    acting.map_err(|error| SecretError::Keyring(error.to_string()))?;
    match timeout(PATIENCE, receiver).await {
        Ok(Ok(done)) => done,
        Ok(Err(_)) => Err(SecretError::Keyring("it broke down".to_owned())),
        Err(_) => Err(SecretError::Keyring("it did not answer".to_owned())),
    }
}

fn on_entry<T>(entry: &str, act: impl FnOnce(&keyring::Entry) -> keyring::Result<T>) -> Result<T, SecretError> {
    if let Err(error) = keyring::Entry::store_status() {
        return Err(SecretError::Keyring(error.to_string()));
    }
    let done = keyring::Entry::new(SERVICE, entry).and_then(|entry| act(&entry));
    done.map_err(|error| match error {
        keyring::Error::NoEntry => SecretError::Gone,
        // Its other words would hold the secret itself.
        keyring::Error::BadEncoding(_) => SecretError::Keyring("what it holds is no text".to_owned()),
        error => SecretError::Keyring(error.to_string()),
    })
}
