//! The lists of commands and events, made from their declaration in `commands.rs`.

use crate::*;
use serde::Serialize;
use ts_rs::{Config, TS, TypeVisitor};

/// A command: its name, its documentation, and the TypeScript names of its request and response.
pub struct Command {
    /// Name by which the window calls the command.
    pub name: &'static str,
    pub(crate) docs: &'static [&'static str],
    pub(crate) request: fn(&Config) -> String,
    pub(crate) response: fn(&Config) -> String,
    pub(crate) types: fn(&mut Types<'_>),
}

/// An event: its name and the TypeScript name of its payload.
pub struct EventType {
    /// Name by which the window subscribes to the event.
    pub name: &'static str,
    pub(crate) payload: fn(&Config) -> String,
    pub(crate) types: fn(&mut Types<'_>),
}

/// Collects the declarations of all types that commands and events use.
pub(crate) struct Types<'a> {
    pub(crate) config: &'a Config,
    /// Declarations by name, so that the output is sorted.
    pub(crate) declared: std::collections::BTreeMap<String, String>,
}

impl TypeVisitor for Types<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types without a file of their own are built in: numbers, lists, options.
        let own = T::output_path().is_some();
        if own {
            let name = T::ident(self.config);
            if self.declared.contains_key(&name) {
                return;
            }
            self.declared.insert(name, T::decl(self.config));
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

fn types_of<A: TS + 'static, B: TS + 'static>(types: &mut Types<'_>) {
    types.visit::<A>();
    types.visit::<B>();
}

macro_rules! list_commands {
    ($($module:ident { $($(#[doc = $doc:literal])* $name:ident($request:ty) -> $response:ty;)* })*) => {
        /// Every command that the window may call.
        pub const COMMANDS: &[Command] = &[$($(
            Command {
                name: stringify!($name),
                docs: &[$($doc),*],
                request: <$request as TS>::name,
                response: <$response as TS>::name,
                types: types_of::<$request, $response>,
            },
        )*)*];
    };
}
commands!(list_commands);

macro_rules! list_events {
    ($($(#[doc = $doc:literal])* $variant:ident($payload:ty) = $name:literal;)*) => {
        /// A message from the core to the window.
        #[derive(Debug, Clone, Serialize)]
        #[serde(untagged)]
        pub enum Event {
            $($(#[doc = $doc])* $variant($payload),)*
        }

        impl Event {
            /// Name by which the window subscribes to the event.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$variant(_) => $name,)* }
            }
        }

        /// Every event.
        pub const EVENTS: &[EventType] = &[$(
            EventType { name: $name, payload: <$payload as TS>::name, types: types_of::<$payload, ()> },
        )*];
    };
}
events!(list_events);
