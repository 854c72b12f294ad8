//! Calls a command by its name, with JSON in and out.

use crate::{App, AppError, error::invalid_input};
use gleaner_contract::*;
use serde_json::Value;

macro_rules! dispatch_commands {
    ($($module:ident { $($(#[doc = $doc:literal])* $name:ident($request:ty) -> $response:ty;)* })*) => {
        /// Calls the command `name` with a JSON request and returns its JSON response. The log has the cause of an error.
        ///
        /// # Errors
        /// The error of the command; `invalid_input` if there is no such command or the request does not fit it.
        pub async fn dispatch(app: &App, name: &str, request: Value) -> Result<Value, AppError> {
            let done = call(app, name, request).await;
            if let Err(error) = &done {
                tracing::info!(command = name, code = ?error.code(), error = %error.without_names(), "a command failed");
            }
            done
        }

        async fn call(app: &App, name: &str, request: Value) -> Result<Value, AppError> {
            match name {
                $($(stringify!($name) => {
                    let request: $request = serde_json::from_value(request).map_err(invalid_input)?;
                    // Boxed, so that the future of this function is not as large as that of the largest command.
                    let response: $response = Box::pin(crate::$module::$name(app, request)).await?;
                    serde_json::to_value(response).map_err(invalid_input)
                })*)*
                _ => Err(invalid_input(format_args!("no command {name}"))),
            }
        }
    };
}
gleaner_contract::commands!(dispatch_commands);
