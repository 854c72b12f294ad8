//! Reads JSON with a limited number of values in memory: the values of a small document take many times its length.

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::{borrow::Cow, fmt};

/// Methods of a [`Visitor`] without a value: texts, numbers and other scalars are ignored.
macro_rules! ignore_scalars {
    () => {
        fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<(), E> {
            Ok(())
        }

        fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<(), E> {
            Ok(())
        }

        fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<(), E> {
            Ok(())
        }

        fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<(), E> {
            Ok(())
        }

        fn visit_str<E: serde::de::Error>(self, _: &str) -> Result<(), E> {
            Ok(())
        }

        fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
            Ok(())
        }
    };
}
pub(crate) use ignore_scalars;

/// Reads a document. Keeps only known members, and at most the first `values` values.
pub(crate) fn read(json: &[u8], mut values: usize, is_known: fn(&str) -> bool) -> serde_json::Result<Value> {
    let mut document = serde_json::Deserializer::from_slice(json);
    let value = Bounded { left: &mut values, is_known }.deserialize(&mut document)?;
    document.end()?;
    Ok(value)
}

/// A value of known members only, and of a limited number of values; the others are skipped.
#[derive(Debug)]
pub struct Bounded<'n> {
    /// The number of values that may still be kept.
    pub left: &'n mut usize,
    /// Whether members with this name are kept.
    pub is_known: fn(&str) -> bool,
}

impl Bounded<'_> {
    /// Returns the same limits for a value inside this one.
    fn inside(&mut self) -> Bounded<'_> {
        Bounded { left: self.left, is_known: self.is_known }
    }
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        *self.left = self.left.saturating_sub(1);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while *self.left > 0 {
            match list.next_element_seed(self.inside())? {
                Some(value) => values.push(value),
                None => return Ok(Value::Array(values)),
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            if *self.left > 0 && (self.is_known)(&key) {
                object.insert(key.into_owned(), map.next_value_seed(self.inside())?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Value::Object(object))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
}
