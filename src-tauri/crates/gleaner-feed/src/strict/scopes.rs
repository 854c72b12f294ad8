//! Resolves prefixes in place of the `xml` crate, which copies all namespaces in force for each element.

use crate::namespace::{Namespaces, Ns};
use std::{borrow::Cow, collections::BTreeMap};
use xml::namespace::{NS_NO_PREFIX, NS_XML_PREFIX, NS_XML_URI, NS_XMLNS_PREFIX, NS_XMLNS_URI};

/// Maximum number of declarations in force, since they are searched one by one.
pub(super) const MAX_IN_FORCE: usize = 64;

/// Maximum length of a prefix and its URI, since they are compared for each element.
const MAX_LENGTH: usize = 256;

/// A declared namespace. The prefix of the default one is empty.
#[derive(Debug)]
pub(super) struct Declaration<'a> {
    pub(super) prefix: &'a str,
    pub(super) uri: Cow<'a, str>,
}

impl Declaration<'_> {
    /// Whether it is certain that Namespaces in XML allows it.
    fn is_allowed(&self) -> bool {
        match (self.prefix, &*self.uri) {
            (NS_XML_PREFIX | NS_XMLNS_PREFIX, _) => false,
            (NS_NO_PREFIX, uri) => ![NS_XML_PREFIX, NS_XML_URI, NS_XMLNS_PREFIX, NS_XMLNS_URI].contains(&uri),
            (_, uri) => !uri.is_empty(),
        }
    }
}

/// A name with its namespace.
pub(super) struct Resolved<'s, 'a> {
    pub(super) ns: Ns,
    pub(super) uri: &'s str,
    pub(super) prefix: Option<&'a str>,
    pub(super) local: &'a str,
}

/// The declarations in force, innermost last, each with the depth of its element.
#[derive(Debug, Default)]
pub(super) struct Scopes<'a>(Vec<(usize, Declaration<'a>)>);

impl<'a> Scopes<'a> {
    /// Enters an element at a depth; `None` for declarations that may not be allowed, are too long or too many.
    pub(super) fn enter(&mut self, depth: usize, declarations: Vec<Declaration<'a>>) -> Option<()> {
        while self.0.last().is_some_and(|(of, _)| *of >= depth) {
            self.0.pop();
        }
        for new in declarations {
            let is_repeated = self.0.iter().any(|(of, known)| *of == depth && known.prefix == new.prefix);
            let is_long = new.prefix.len() + new.uri.len() > MAX_LENGTH;
            if is_repeated || is_long || !new.is_allowed() || self.0.len() == MAX_IN_FORCE {
                return None;
            }
            self.0.push((depth, new));
        }
        Some(())
    }

    /// Returns the namespaces in force, by prefix.
    pub(super) fn in_force(&self, namespaces: &mut Namespaces) -> Vec<Ns> {
        let given = [(NS_NO_PREFIX, ""), (NS_XML_PREFIX, NS_XML_URI), (NS_XMLNS_PREFIX, NS_XMLNS_URI)];
        let declared = self.0.iter().map(|(_, declared)| (declared.prefix, &*declared.uri));
        let by_prefix: BTreeMap<&str, &str> = given.into_iter().chain(declared).collect();
        by_prefix.values().map(|uri| namespaces.resolve(uri)).collect()
    }

    /// Resolves a name; `None` if it may not be well-formed, or its prefix is not declared.
    pub(super) fn resolve<'n>(
        &self,
        name: &'n str,
        is_attribute: bool,
        namespaces: &mut Namespaces,
    ) -> Option<Resolved<'_, 'n>> {
        let (prefix, local) = match name.split_once(':') {
            Some((prefix, local)) if !local.is_empty() && !local.contains(':') => (Some(prefix), local),
            Some(_) => return None,
            None => (None, name),
        };
        let uri = match prefix {
            None if is_attribute => "",
            Some(NS_XML_PREFIX) if is_attribute => NS_XML_URI,
            Some(NS_NO_PREFIX | NS_XML_PREFIX | NS_XMLNS_PREFIX) => return None,
            prefix => {
                let prefix = prefix.unwrap_or(NS_NO_PREFIX);
                match self.0.iter().rev().find(|(_, declared)| declared.prefix == prefix) {
                    Some((_, declared)) => &*declared.uri,
                    None if prefix.is_empty() => "",
                    None => return None,
                }
            }
        };
        Some(Resolved { ns: namespaces.resolve(uri), uri, prefix, local })
    }
}
