//! The source of the strict parser: an unchanged document.

use crate::{
    builder::{Builder, Handler},
    namespace::{Namespaces, Ns},
};
use std::{collections::BTreeMap, io::Read};
use xml::{attribute::OwnedAttribute, name::OwnedName};

/// Maximum depth. Beyond it, the parser's namespace stack makes each element as expensive as all its ancestors.
pub(super) const MAX_DEPTH: usize = 128;

/// The input of the parser, and the meaning of its events.
pub(super) trait Source: Read {
    /// Opens the element of an event; `None` if it may not be well-formed.
    fn open<H: Handler>(
        &mut self,
        event: &StartElement,
        namespaces: &mut Namespaces,
        builder: &mut Builder<H>,
    ) -> Option<()>;
    /// Adds the text of an event; `None` if it may not be well-formed.
    fn text<H: Handler>(&mut self, event: &str, namespaces: &mut Namespaces, builder: &mut Builder<H>) -> Option<()>;
}

/// The event of a start tag.
pub(super) struct StartElement {
    pub(super) name: OwnedName,
    pub(super) attributes: Vec<OwnedAttribute>,
    /// The namespaces in force by their prefixes.
    pub(super) namespaces: BTreeMap<String, String>,
}

/// The unchanged document.
impl Source for &[u8] {
    fn open<H: Handler>(
        &mut self,
        event: &StartElement,
        namespaces: &mut Namespaces,
        builder: &mut Builder<H>,
    ) -> Option<()> {
        let name = &event.name;
        if builder.depth() == 0 {
            builder.tree.declared = event.namespaces.values().map(|uri| namespaces.resolve(uri)).collect();
        }
        let ns = name.namespace.as_deref().map_or(Ns::None, |uri| namespaces.resolve(uri));
        builder.start(ns, name.prefix.is_some(), &name.local_name);
        for attribute in &event.attributes {
            let ns = attribute.name.namespace.as_deref().map_or(Ns::None, |uri| namespaces.resolve(uri));
            if let (Ns::Other(_), Some(prefix), Some(uri)) = (ns, &attribute.name.prefix, &attribute.name.namespace) {
                builder.tree.add_prefix(ns, prefix, uri);
            }
            builder.attribute(ns, &attribute.name.local_name, &attribute.value);
        }
        Some(())
    }

    fn text<H: Handler>(&mut self, event: &str, _: &mut Namespaces, builder: &mut Builder<H>) -> Option<()> {
        builder.text(event);
        Some(())
    }
}
