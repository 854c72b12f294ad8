//! Parameters of the messages of stored errors.

use std::collections::BTreeMap;

/// The parameters of an error's message: names and values, without words of any language. Stored as a JSON object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parameters(pub BTreeMap<String, String>);

impl Parameters {
    pub(crate) fn stored(&self) -> String {
        serde_json::to_string(&self.0).unwrap_or_else(|_| "{}".to_owned())
    }
}

/// Without parameters if the JSON is damaged: the code alone is worth showing.
impl From<String> for Parameters {
    fn from(json: String) -> Self {
        Self(serde_json::from_str(&json).unwrap_or_default())
    }
}
