//! Stores passwords and tokens of feeds in the platform's keyring: the Secret Service on Linux, the Keychain, the Credential Manager. Without
//! a keyring they are stored in the library, but only if the user agrees.

use gleaner_library::{Access, Library, LibraryError};
use keyring_core::Entry;
#[cfg(target_os = "linux")]
use keyring_core::api::CredentialStoreApi as _;
use parking_lot::Mutex;
use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::{sync::oneshot, time::timeout};
#[cfg(target_os = "linux")]
use zbus::{blocking::Proxy, zvariant::OwnedObjectPath};

/// Name of Gleaner's entries in the keyring.
const SERVICE: &str = "net.gleaner.Gleaner";
/// Time limit: a locked keyring asks for a password, and the user may be away. Only the first calls wait that long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why a secret cannot be read, stored or deleted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// There is no keyring, or it is locked or fails.
    #[error("this computer's keyring cannot be used ({0})")]
    Keyring(String),
    /// The entry no longer exists.
    #[error("it is no longer in this computer's keyring")]
    Gone,
}

/// Stores a secret that the user entered under a name (`Access::keyring_entry` of the library).
///
/// # Errors
/// [`SecretError::Keyring`]; then it is stored nowhere.
pub async fn store(entry: &str, secret: String) -> Result<(), SecretError> {
    ask_again();
    write(entry, secret).await
}

async fn write(entry: &str, secret: String) -> Result<(), SecretError> {
    with(entry, move |entry| entry.set_password(&secret)).await
}

/// Returns the secret of a feed; `None` if it has none.
///
/// # Errors
/// [`SecretError`].
pub async fn read(access: &Access) -> Result<Option<String>, SecretError> {
    match (&access.keyring_entry, &access.secret) {
        (Some(entry), _) => with(entry, Entry::get_password).await.map(Some),
        (None, secret) => Ok(secret.as_ref().map(|secret| secret.0.clone())),
    }
}

/// Moves the passwords that were part of addresses from the library to the keyring. Without a keyring they stay, and the next process tries
/// again.
///
/// # Errors
/// When the library cannot be read or written.
pub async fn move_from_addresses(library: &Library) -> Result<(), LibraryError> {
    for (feed, access) in library.connections().list().await? {
        let (true, Some(secret)) = (access.from_address, access.secret) else { continue };
        let entry = library.connections().new_keyring_entry(feed).await?;
        if let Err(error) = write(&entry, secret.0.clone()).await {
            tracing::info!(%error, "passwords of addresses stay in the library");
            break;
        }
        library.connections().secret_moved(feed, &entry, &secret).await?;
    }
    Ok(())
}

/// Deletes secrets that are no longer needed from the keyring. Failures are tried again the next time.
///
/// # Errors
/// When the library cannot be read or written.
pub async fn delete_unused(library: &Library) -> Result<(), LibraryError> {
    for entry in library.connections().unused_secrets().await? {
        match with(&entry, Entry::delete_credential).await {
            Ok(()) | Err(SecretError::Gone) => library.connections().forget_secret(&entry).await?,
            // Without a keyring the others cannot be deleted either.
            Err(SecretError::Keyring(_)) => break,
        }
    }
    Ok(())
}

/// Allows a locked keyring to ask for its password again after the user has dismissed the dialog. Used for actions that the user starts.
pub fn ask_again() {
    KEYRING.dismissed.store(false, Ordering::Relaxed);
}

/// Runs an action on an entry of the keyring.
async fn with<T: Send + 'static>(
    name: &str,
    act: impl FnOnce(&Entry) -> keyring_core::Result<T> + Send + 'static,
) -> Result<T, SecretError> {
    let name = name.to_owned();
    let act = move || KEYRING.in_turn(is_locked, || entry(&name).and_then(|entry| act(&entry)));
    KEYRING.call(PATIENCE, act).await
}

static KEYRING: Keyring = Keyring::new();

/// The platform's keyring, which may take any time to respond to a call.
struct Keyring {
    /// The calls without a response in time. Each is removed when its thread ends, whether it responded or failed.
    abandoned: Mutex<Vec<Weak<()>>>,
    /// Held during a call: each call to a locked keyring would open a dialog.
    turn: Mutex<()>,
    /// Whether the user dismissed the last dialog.
    dismissed: AtomicBool,
}

impl Keyring {
    const fn new() -> Self {
        Self { abandoned: Mutex::new(Vec::new()), turn: Mutex::new(()), dismissed: AtomicBool::new(false) }
    }

    /// Runs an action after those before it. While the keyring is locked and the user has dismissed its dialog, this fails at once.
    fn in_turn<T>(
        &self,
        is_locked: impl Fn() -> bool,
        act: impl FnOnce() -> keyring_core::Result<T>,
    ) -> Result<T, SecretError> {
        let locked = || SecretError::Keyring("it is locked".to_owned());
        let _turn = self.turn.lock();
        if self.dismissed.load(Ordering::Relaxed) && is_locked() {
            return Err(locked());
        }
        let done = act();
        // The error differs: KeePassXC finds no entry after its dialog was dismissed.
        let stays_locked = done.is_err() && is_locked();
        self.dismissed.store(stays_locked, Ordering::Relaxed);
        done.map_err(|error| match error {
            keyring_core::Error::NoEntry if stays_locked => locked(),
            keyring_core::Error::NoEntry => SecretError::Gone,
            // The error's message would contain the secret.
            keyring_core::Error::BadEncoding(_) => SecretError::Keyring("its content is not text".to_owned()),
            error => SecretError::Keyring(error.to_string()),
        })
    }

    /// Runs an action on a separate thread: the keyring blocks, and the program must not wait for it when it exits. While an earlier call
    /// has not returned within `patience`, this one fails at once.
    async fn call<T: Send + 'static>(
        &'static self,
        patience: Duration,
        act: impl FnOnce() -> Result<T, SecretError> + Send + 'static,
    ) -> Result<T, SecretError> {
        let silent = || SecretError::Keyring("it did not answer".to_owned());
        if self.is_silent() {
            return Err(silent());
        }
        let call = Arc::new(());
        let this_call = Arc::downgrade(&call);
        let (sender, receiver) = oneshot::channel();
        let acting = std::thread::Builder::new().name("keyring".to_owned()).spawn(move || {
            let _call = call;
            // The receiver no longer exists if the response came too late.
            let _late = sender.send(act());
        });
        acting.map_err(|error| SecretError::Keyring(error.to_string()))?;
        match timeout(patience, receiver).await {
            Ok(answer) => answer.unwrap_or_else(|_| Err(SecretError::Keyring("it failed".to_owned()))),
            Err(_) => {
                self.abandoned.lock().push(this_call);
                Err(silent())
            }
        }
    }

    /// Whether a call without an answer in time still waits.
    fn is_silent(&self) -> bool {
        let mut abandoned = self.abandoned.lock();
        abandoned.retain(|call| call.strong_count() > 0);
        !abandoned.is_empty()
    }
}

/// Connects to the keyring each time: its service may start after Gleaner, or be restarted.
#[cfg(target_os = "linux")]
fn entry(name: &str) -> keyring_core::Result<Entry> {
    zbus_secret_service_keyring_store::Store::new()?.build(SERVICE, name, None)
}

/// Returns whether the collection in which entries are stored is locked, without a dialog (Secret Service API, "Lock and Unlock").
#[cfg(target_os = "linux")]
fn is_locked() -> bool {
    const SERVICE: &str = "org.freedesktop.secrets";
    let locked = || -> zbus::Result<bool> {
        let bus = zbus::blocking::Connection::session()?;
        let service = Proxy::new(&bus, SERVICE, "/org/freedesktop/secrets", "org.freedesktop.Secret.Service")?;
        let collection: OwnedObjectPath = service.call("ReadAlias", &("default",))?;
        Proxy::new(&bus, SERVICE, collection, "org.freedesktop.Secret.Collection")?.get_property("Locked")
    };
    locked().unwrap_or_default()
}

#[cfg(not(target_os = "linux"))]
fn is_locked() -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
fn entry(name: &str) -> keyring_core::Result<Entry> {
    // The first call connects to the keyring of the platform.
    if let Err(error) = keyring::Entry::store_status() {
        return Err(keyring_core::Error::NoStorageAccess(error.to_string().into()));
    }
    Entry::new(SERVICE, name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::{cell::Cell, sync::mpsc};

    fn silent<T>() -> Result<T, SecretError> {
        Err(SecretError::Keyring("it did not answer".to_owned()))
    }

    async fn answers_again(keyring: &'static Keyring) {
        while keyring.is_silent() {
            tokio::task::yield_now().await;
        }
        assert_eq!(keyring.call(PATIENCE, || Ok(7)).await, Ok(7));
    }

    #[tokio::test]
    async fn a_keyring_that_does_not_answer_keeps_only_the_first_call_waiting() {
        static SILENT: Keyring = Keyring::new();
        let (release, released) = mpsc::channel::<()>();
        let waiting = move || {
            released.recv().unwrap();
            Ok(())
        };
        assert_eq!(SILENT.call(Duration::from_millis(1), waiting).await, silent());
        assert_eq!(SILENT.call(PATIENCE, || Ok(())).await, silent(), "it is not called again");
        // The user unlocks it.
        release.send(()).unwrap();
        answers_again(&SILENT).await;
    }

    #[test]
    fn a_locked_keyring_asks_once_until_the_user_acts_or_unlocks_it() {
        asks_once(|| keyring_core::Error::NoStorageAccess("dismissed".into()));
        asks_once(|| keyring_core::Error::NoEntry);
    }

    /// `dismissed`: what a keyring returns after its dialog was dismissed.
    fn asks_once(dismissed: fn() -> keyring_core::Error) {
        let (keyring, locked, dialogs) = (Keyring::new(), Cell::new(true), Cell::new(0));
        let read = || {
            keyring.in_turn(
                || locked.get(),
                || {
                    if !locked.get() {
                        return Ok("sesame");
                    }
                    dialogs.set(dialogs.get() + 1);
                    Err(dismissed())
                },
            )
        };
        for _ in 0..3 {
            assert!(matches!(read(), Err(SecretError::Keyring(_))));
        }
        assert_eq!(dialogs.get(), 1);
        keyring.dismissed.store(false, Ordering::Relaxed);
        read().unwrap_err();
        assert_eq!(dialogs.get(), 2, "the user refreshes by hand");
        locked.set(false);
        assert_eq!(read(), Ok("sesame"));
        locked.set(true);
        read().unwrap_err();
        assert_eq!(dialogs.get(), 3, "it was locked again");
    }

    #[test]
    fn an_entry_not_found_in_a_locked_keyring_is_not_treated_as_deleted() {
        let find = |locked| Keyring::new().in_turn(|| locked, || Err::<(), _>(keyring_core::Error::NoEntry));
        assert!(matches!(find(true), Err(SecretError::Keyring(_))));
        assert_eq!(find(false), Err(SecretError::Gone));
    }

    #[tokio::test]
    async fn a_keyring_that_fails_late_is_called_again() {
        static FAILING: Keyring = Keyring::new();
        let (release, released) = mpsc::channel::<()>();
        let failing = move || {
            released.recv().unwrap();
            panic!("the service of the keyring ended");
        };
        assert_eq!(FAILING.call::<()>(Duration::from_millis(1), failing).await, silent());
        release.send(()).unwrap();
        answers_again(&FAILING).await;
        let failed = Err(SecretError::Keyring("it failed".to_owned()));
        assert_eq!(FAILING.call::<()>(PATIENCE, || panic!("the service of the keyring ended")).await, failed);
        assert_eq!(FAILING.call(PATIENCE, || Ok(7)).await, Ok(7));
    }
}
