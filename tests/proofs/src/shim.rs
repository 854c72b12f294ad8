//! A VFS for SQLite (<https://www.sqlite.org/vfs.html>) that passes all calls on to the system's own. It records the changes to files of
//! watched folders, or returns errors. Memory mapping is off, so that it sees every byte.
//!
//! Safety: SQLite calls these functions with pointers to memory of the size `szOsFile`: a `Shim`, followed by the system's own file.
//! They are valid while the file is open.

use crate::watch::{Call, Event, Watch};
use libsqlite3_sys::{
    SQLITE_IOERR_SHORT_READ, SQLITE_OK, SQLITE_OPEN_DELETEONCLOSE, SQLITE_SHM_UNLOCK, sqlite3_file, sqlite3_filename,
    sqlite3_initialize, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
};
use parking_lot::Mutex;
use std::{
    ffi::{CStr, OsStr, c_char, c_int, c_void},
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
    ptr,
    sync::{Arc, OnceLock, Weak},
};

/// The system's VFS.
struct System(*mut sqlite3_vfs);
// SAFETY: SQLite keeps the VFS until the end of the process, and itself calls it from any thread.
unsafe impl Send for System {}
// SAFETY: the same.
unsafe impl Sync for System {}

static SYSTEM: OnceLock<System> = OnceLock::new();
static WATCHES: Mutex<Vec<Weak<Watch>>> = Mutex::new(Vec::new());

/// An open file, followed by the system's own.
#[repr(C)]
struct Shim {
    base: sqlite3_file,
    watch: Option<Arc<Watch>>,
    file: u32,
}

/// Watches what SQLite does in a folder, on connections that this process opens from now on.
pub fn watch(folder: &Path) -> Arc<Watch> {
    SYSTEM.get_or_init(register);
    let watch = Arc::new(Watch::new(&folder.canonicalize().unwrap()));
    let mut watches = WATCHES.lock();
    watches.retain(|watch| watch.strong_count() > 0);
    watches.push(Arc::downgrade(&watch));
    watch
}

fn watch_of(path: &Path) -> Option<Arc<Watch>> {
    let watches = WATCHES.lock();
    watches.iter().filter_map(Weak::upgrade).find(|watch| path.parent() == Some(&watch.folder))
}

fn register() -> System {
    // SAFETY: the copy lives until the end of the process, and so does the original.
    unsafe {
        assert_eq!(sqlite3_initialize(), SQLITE_OK);
        let system = sqlite3_vfs_find(ptr::null());
        assert!(!system.is_null(), "SQLite has a VFS");
        let mut shim = *system;
        shim.szOsFile += c_int::try_from(size_of::<Shim>()).unwrap();
        shim.pNext = ptr::null_mut();
        shim.zName = c"gleaner-proofs".as_ptr();
        shim.xOpen = Some(open);
        shim.xDelete = Some(delete);
        assert_eq!(sqlite3_vfs_register(Box::leak(Box::new(shim)), 1), SQLITE_OK);
        System(system)
    }
}

fn system() -> *mut sqlite3_vfs {
    SYSTEM.get().map_or(ptr::null_mut(), |system| system.0)
}

unsafe fn path_of(name: *const c_char) -> Option<PathBuf> {
    // SAFETY: a name in SQLite ends with a zero.
    (!name.is_null()).then(|| PathBuf::from(OsStr::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes())))
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    // SAFETY: see above; `file` is as large as `szOsFile` says.
    unsafe {
        let path = path_of(name);
        let watch = path.as_deref().and_then(watch_of).filter(|_| flags & SQLITE_OPEN_DELETEONCLOSE == 0);
        (*file).pMethods = ptr::null();
        if let Some(code) = watch.as_ref().and_then(|watch| watch.strike(Call::Open)) {
            return code;
        }
        let before = path.as_deref().is_some_and(Path::exists);
        let below = below(file);
        (*below).pMethods = ptr::null();
        let done = (*system()).xOpen.unwrap()(system(), name, below, flags, out);
        if done != SQLITE_OK {
            if let Some(methods) = (*below).pMethods.as_ref() {
                methods.xClose.unwrap()(below);
            }
            return done;
        }
        let number = match (&watch, &path) {
            (Some(watch), Some(path)) => watch.opened(path, before),
            _ => 0,
        };
        ptr::write(file.cast::<Shim>(), Shim { base: sqlite3_file { pMethods: &METHODS }, watch, file: number });
        SQLITE_OK
    }
}

unsafe extern "C" fn delete(_: *mut sqlite3_vfs, name: *const c_char, sync: c_int) -> c_int {
    // SAFETY: see above.
    unsafe {
        let done = (*system()).xDelete.unwrap()(system(), name, sync);
        if done == SQLITE_OK
            && let Some(path) = path_of(name)
            && let Some(watch) = watch_of(&path)
        {
            watch.deleted(&path, sync != 0);
        }
        done
    }
}

unsafe fn below(file: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: see above.
    unsafe { file.byte_add(size_of::<Shim>()) }
}

unsafe fn watched<'a>(file: *mut sqlite3_file) -> Option<(&'a Watch, u32)> {
    // SAFETY: see above.
    let shim = unsafe { &*file.cast::<Shim>() };
    shim.watch.as_deref().map(|watch| (watch, shim.file))
}

unsafe fn strike(file: *mut sqlite3_file, call: Call) -> Option<c_int> {
    // SAFETY: see above.
    unsafe { watched(file) }.and_then(|(watch, _)| watch.strike(call))
}

/// Calls the function of this name of the system's VFS.
macro_rules! hand_on {
    ($file:ident . $function:ident ( $($argument:expr),* )) => {{
        let below = below($file);
        (*(*below).pMethods).$function.unwrap()(below $(, $argument)*)
    }};
}

static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: see above; SQLite calls nothing of this file after it.
    unsafe {
        let done = hand_on!(file.xClose());
        ptr::drop_in_place(file.cast::<Shim>());
        done
    }
}

unsafe extern "C" fn read(file: *mut sqlite3_file, into: *mut c_void, bytes: c_int, at: sqlite3_int64) -> c_int {
    // SAFETY: see above; `into` has room for this number of bytes.
    unsafe {
        match strike(file, Call::Read) {
            Some(SQLITE_IOERR_SHORT_READ) => {
                let _read = hand_on!(file.xRead(into, bytes, at));
                let whole = usize::try_from(bytes).unwrap();
                ptr::write_bytes(into.cast::<u8>().add(whole / 2), 0, whole - whole / 2);
                SQLITE_IOERR_SHORT_READ
            }
            Some(code) => code,
            None => hand_on!(file.xRead(into, bytes, at)),
        }
    }
}

unsafe extern "C" fn write(file: *mut sqlite3_file, from: *const c_void, bytes: c_int, at: sqlite3_int64) -> c_int {
    // SAFETY: see above; `from` has this number of bytes.
    unsafe {
        if let Some(code) = strike(file, Call::Write) {
            // A part of it may have been written.
            let _written = hand_on!(file.xWrite(from, bytes / 2, at));
            return code;
        }
        let done = hand_on!(file.xWrite(from, bytes, at));
        if let Some((watch, number)) = watched(file) {
            watch.happened(|| {
                let bytes = std::slice::from_raw_parts(from.cast::<u8>(), usize::try_from(bytes).unwrap()).to_vec();
                Event::Written { file: number, at: usize::try_from(at).unwrap(), bytes }
            });
        }
        done
    }
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, length: sqlite3_int64) -> c_int {
    // SAFETY: see above.
    unsafe {
        if let Some(code) = strike(file, Call::Truncate) {
            return code;
        }
        if let Some((watch, number)) = watched(file) {
            watch.happened(|| Event::Cut { file: number, length: usize::try_from(length).unwrap() });
        }
        hand_on!(file.xTruncate(length))
    }
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: see above.
    unsafe {
        if let Some(code) = strike(file, Call::Sync) {
            return code;
        }
        let done = hand_on!(file.xSync(flags));
        if let Some((watch, number)) = watched(file) {
            watch.happened(|| Event::Synced { file: number });
        }
        done
    }
}

unsafe extern "C" fn file_size(file: *mut sqlite3_file, out: *mut sqlite3_int64) -> c_int {
    // SAFETY: see above.
    unsafe { hand_on!(file.xFileSize(out)) }
}

unsafe extern "C" fn lock(file: *mut sqlite3_file, level: c_int) -> c_int {
    // SAFETY: see above.
    unsafe {
        match strike(file, Call::Lock) {
            Some(code) => code,
            None => hand_on!(file.xLock(level)),
        }
    }
}

unsafe extern "C" fn unlock(file: *mut sqlite3_file, level: c_int) -> c_int {
    // SAFETY: see above.
    unsafe { hand_on!(file.xUnlock(level)) }
}

unsafe extern "C" fn check_reserved_lock(file: *mut sqlite3_file, out: *mut c_int) -> c_int {
    // SAFETY: see above.
    unsafe { hand_on!(file.xCheckReservedLock(out)) }
}

unsafe extern "C" fn file_control(file: *mut sqlite3_file, what: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: see above.
    unsafe { hand_on!(file.xFileControl(what, argument)) }
}

unsafe extern "C" fn sector_size(file: *mut sqlite3_file) -> c_int {
    // SAFETY: see above.
    unsafe { hand_on!(file.xSectorSize()) }
}

unsafe extern "C" fn device_characteristics(file: *mut sqlite3_file) -> c_int {
    // SAFETY: see above.
    unsafe { hand_on!(file.xDeviceCharacteristics()) }
}

unsafe extern "C" fn shm_map(
    file: *mut sqlite3_file,
    page: c_int,
    bytes: c_int,
    extend: c_int,
    out: *mut *mut c_void,
) -> c_int {
    // SAFETY: see above.
    unsafe { hand_on!(file.xShmMap(page, bytes, extend, out)) }
}

unsafe extern "C" fn shm_lock(file: *mut sqlite3_file, offset: c_int, count: c_int, flags: c_int) -> c_int {
    // SAFETY: see above.
    unsafe {
        if flags & SQLITE_SHM_UNLOCK == 0
            && let Some(code) = strike(file, Call::Lock)
        {
            return code;
        }
        hand_on!(file.xShmLock(offset, count, flags))
    }
}

unsafe extern "C" fn shm_barrier(file: *mut sqlite3_file) {
    // SAFETY: see above.
    unsafe { hand_on!(file.xShmBarrier()) }
}

unsafe extern "C" fn shm_unmap(file: *mut sqlite3_file, delete: c_int) -> c_int {
    // SAFETY: see above.
    unsafe { hand_on!(file.xShmUnmap(delete)) }
}
