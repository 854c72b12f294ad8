//! The limits of Inoreader.

use super::State;
use crate::{Reply, Request};

/// Maximum number of requests of each zone.
const ZONE: u32 = 1000;

/// Answers with the headers of Inoreader about its limits, and with status 429 beyond them.
pub(super) fn zones(state: &mut State, request: &Request, reply: impl FnOnce(&mut State) -> Reply) -> Reply {
    let changes = ["/edit-tag", "/subscription/edit", "/subscription/quickadd"];
    let zone =
        if changes.iter().any(|path| request.path().ends_with(path)) { &mut state.used.1 } else { &mut state.used.0 };
    let exceeded = *zone >= ZONE;
    *zone += u32::from(!exceeded);
    let reply = if exceeded { Reply::status(429) } else { reply(state) };
    let (reads, changes) = state.used;
    [("1", reads), ("2", changes)].into_iter().fold(
        reply.header("X-Reader-Limits-Reset-After", "3600.5"),
        |reply, (zone, used)| {
            let reply = reply.header(&format!("X-Reader-Zone{zone}-Limit"), ZONE.to_string());
            reply.header(&format!("X-Reader-Zone{zone}-Usage"), used.to_string())
        },
    )
}
