//! The login for servers that also require the keys of an app (Inoreader), stored as one secret.

use serde::{Deserialize, Serialize};

/// A password with the keys of an app, which the user creates on the server.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppLogin {
    /// The password of the account.
    pub password: String,
    /// The app's id, a number.
    pub app_id: String,
    /// The app's key, which is secret.
    pub app_key: String,
}

/// Without its secrets.
impl std::fmt::Debug for AppLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AppLogin").field("app_id", &self.app_id).finish_non_exhaustive()
    }
}

impl AppLogin {
    /// Returns the secret to store, and to pass to [`crate::find()`] and [`crate::Client::new`] as the password.
    #[must_use]
    pub fn to_secret(&self) -> String {
        serde_json::json!(self).to_string()
    }

    /// Returns the login of a secret; `None` if it is a plain password.
    #[must_use]
    pub fn from_secret(secret: &str) -> Option<Self> {
        serde_json::from_str(secret).ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_secret_is_read_as_it_was_written_and_a_password_is_no_login_of_an_app() {
        let login =
            AppLogin { password: "{\"a\": 1}".to_owned(), app_id: "1000".to_owned(), app_key: "k\"".to_owned() };
        let read = AppLogin::from_secret(&login.to_secret()).unwrap();
        assert_eq!((read.password, read.app_id, read.app_key), (login.password.clone(), login.app_id, login.app_key));
        for password in ["sesame", "", "{}", &login.password, "{\"password\":\"x\"}"] {
            assert!(AppLogin::from_secret(password).is_none(), "{password}");
        }
    }
}
