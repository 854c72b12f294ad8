//! Faults of the next requests to a server.

use crate::Reply;
use serde_json::Value;
use std::collections::VecDeque;

/// What happens to a request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// It is answered as usual.
    None,
    /// It is answered with this, and nothing is done.
    Before(Reply),
    /// It is done, and answered with this.
    After(Reply),
    /// It is done, and half of the answer is sent as if it were all.
    Half,
    /// It is done, and each list of the answer that is not empty has entries that can't be read, at both ends.
    Odd,
    /// It is done, and the connection is closed after half of the answer.
    Cut,
}

/// The faults of the next requests, in their order.
#[derive(Debug, Clone, Default)]
pub struct Faults(VecDeque<Fault>);

impl Faults {
    /// Plans what happens to the next requests.
    pub fn plan(&mut self, faults: impl IntoIterator<Item = Fault>) {
        self.0 = faults.into_iter().collect();
    }

    /// Returns what happens to this request.
    pub(crate) fn next(&mut self) -> Fault {
        self.0.pop_front().unwrap_or(Fault::None)
    }
}

impl Fault {
    /// Returns the reply to a request that is done by `act`.
    pub(crate) fn reply(self, act: impl FnOnce() -> Reply) -> Reply {
        match self {
            Self::None => act(),
            Self::Before(reply) => reply,
            Self::After(reply) => {
                act();
                reply
            }
            Self::Half => {
                let reply = act();
                let half = reply.body.len() / 2;
                let body = reply.body.get(..half).unwrap_or_default().to_vec();
                reply.body(body)
            }
            Self::Odd => {
                let reply = act();
                match serde_json::from_slice::<Value>(&reply.body) {
                    Ok(mut json) => {
                        add_odd(&mut json);
                        reply.body(json.to_string().into_bytes())
                    }
                    Err(_) => reply,
                }
            }
            Self::Cut => {
                let reply = act();
                let half = reply.body.len() / 2;
                reply.cut_after(half)
            }
        }
    }
}

/// Adds entries that no API has to each list that is not empty.
fn add_odd(json: &mut Value) {
    match json {
        Value::Array(list) if !list.is_empty() => {
            list.iter_mut().for_each(add_odd);
            list.insert(0, Value::Null);
            list.push(serde_json::json!({ "odd": [] }));
        }
        Value::Object(members) => members.values_mut().for_each(add_odd),
        _ => {}
    }
}
