//! Records every statement that this process runs, with the names of its parameters.
//!
//! Safety: SQLite calls these functions with a connection or a statement that is alive during the call.

use libsqlite3_sys::{
    SQLITE_DBCONFIG_TRIGGER_EQP, SQLITE_OK, SQLITE_STMTSTATUS_REPREPARE, SQLITE_TRACE_STMT, sqlite3,
    sqlite3_api_routines, sqlite3_auto_extension, sqlite3_db_config, sqlite3_initialize, sqlite3_sql, sqlite3_stmt,
    sqlite3_stmt_status, sqlite3_trace_v2,
};
use parking_lot::Mutex;
use std::{
    collections::BTreeSet,
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr,
    sync::Once,
};

static RUN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
static PREPARED_AGAIN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Records the statements of connections that are opened from now on.
pub fn record() {
    static ONCE: Once = Once::new();
    // SAFETY: the function lives until the end of the process.
    ONCE.call_once(|| unsafe {
        assert_eq!(sqlite3_initialize(), SQLITE_OK);
        assert_eq!(sqlite3_auto_extension(Some(connected)), SQLITE_OK);
    });
}

/// Returns all statements that were run so far, each once.
pub fn run() -> BTreeSet<String> {
    RUN.lock().clone()
}

/// Returns the statements that SQLite had prepared again without being asked when they ran.
pub fn prepared_again() -> BTreeSet<String> {
    PREPARED_AGAIN.lock().clone()
}

unsafe extern "C" fn connected(db: *mut sqlite3, _: *mut *mut c_char, _: *const sqlite3_api_routines) -> c_int {
    // SAFETY: the connection is alive, and no memory is passed.
    unsafe { sqlite3_trace_v2(db, SQLITE_TRACE_STMT as c_uint, Some(began), ptr::null_mut()) }
}

unsafe extern "C" fn began(_: c_uint, _: *mut c_void, statement: *mut c_void, said: *mut c_void) -> c_int {
    // SAFETY: both are alive during the call; the texts end with a zero.
    unsafe {
        // The statements of a trigger are reported as comments; they belong to the statement that fired it.
        let said = said.cast::<c_char>();
        if said.is_null() || CStr::from_ptr(said).to_bytes().starts_with(b"--") {
            return 0;
        }
        let statement = statement.cast::<sqlite3_stmt>();
        let sql = sqlite3_sql(statement);
        if !sql.is_null() {
            let sql = CStr::from_ptr(sql).to_string_lossy().into_owned();
            if sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0) > 0 {
                PREPARED_AGAIN.lock().insert(sql.clone());
            }
            RUN.lock().insert(sql);
        }
        0
    }
}

/// Makes `EXPLAIN QUERY PLAN` on this connection include triggers.
pub async fn explain_triggers(connection: &mut sqlx::SqliteConnection) {
    let (mut handle, on): (_, c_int) = (connection.lock_handle().await.unwrap(), 1);
    // SAFETY: the connection is alive and locked; this option takes a number and a pointer to one.
    let done = unsafe {
        sqlite3_db_config(handle.as_raw_handle().as_ptr(), SQLITE_DBCONFIG_TRIGGER_EQP, on, ptr::null_mut::<c_int>())
    };
    assert_eq!(done, SQLITE_OK);
}
