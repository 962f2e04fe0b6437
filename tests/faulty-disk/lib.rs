//! A disk whose power fails: SQLite's own file system, which remembers what was written and
//! not yet synced, and forgets some of it when the power goes.

use std::collections::BTreeMap;
use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::fs;
use std::mem::size_of;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, Once};

use rusqlite::ffi::{self, sqlite3_file, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs};

use support::chance::Chance;

/// Bytes that reach the disk whole or not at all.
const SECTOR: usize = 512;

/// The actor that does not die by itself.
pub const NOBODY: u32 = u32::MAX;

/// One write that no sync has followed.
struct Unsynced {
    path: PathBuf,
    at: u64,
    old: Vec<u8>,
    new: Vec<u8>,
    size_before: u64,
    /// The length to which it cut the file.
    cut_at: Option<u64>,
}

/// The disk of one folder.
#[derive(Default)]
pub struct Disk {
    unsynced: Vec<Unsynced>,
    /// Writes and syncs so far.
    pub steps: u64,
    /// The step at which the power goes.
    pub fuse: Option<u64>,
    /// The step from which on there is no room for more.
    pub full_from: Option<u64>,
    /// Writes that found no room.
    pub refused: u64,
    /// Whether the power is gone: nothing can be written.
    pub dead: bool,
    /// The process, of several, that works on the disk now.
    pub actor: u32,
    /// The step at which the working process dies by itself: what it wrote stays.
    pub mortal: Option<u64>,
    /// The process that died in this way.
    pub gone: Option<u32>,
    /// Writes that were lost or torn so far.
    pub lost: u64,
}

/// A disk as its folder's files share it.
pub type Shared = Arc<Mutex<Disk>>;

static DISKS: LazyLock<Mutex<BTreeMap<PathBuf, Shared>>> = LazyLock::new(Mutex::default);

/// Puts a folder on a disk of its own.
pub fn mount(folder: &Path) -> Shared {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(register);
    let disk = Shared::default();
    let mut disks = DISKS.lock().expect("the disks");
    disks.insert(folder.to_owned(), Arc::clone(&disk));
    disk
}

/// Forgets a folder's disk.
pub fn unmount(folder: &Path) {
    DISKS.lock().expect("the disks").remove(folder);
}

pub fn lock(disk: &Shared) -> MutexGuard<'_, Disk> {
    disk.lock().expect("no panic while a disk is held")
}

impl Disk {
    /// Counts one write or sync; `failure` is SQLite's result if it does not happen.
    fn step(&mut self, failure: c_int) -> Result<(), c_int> {
        self.steps += 1;
        if self.fuse.is_some_and(|at| at <= self.steps) {
            self.dead = true;
        }
        if self.actor != NOBODY && self.mortal.is_some_and(|at| at <= self.steps) {
            (self.gone, self.mortal) = (Some(self.actor), None);
        }
        if self.is_out() { Err(failure) } else { Ok(()) }
    }

    /// A step of the working process in a store elsewhere; returns whether the process is dead.
    pub fn next_step_fails(&mut self) -> bool {
        self.step(ffi::SQLITE_IOERR).is_err()
    }

    /// Whether the working process can no longer do anything.
    pub fn is_out(&self) -> bool {
        self.dead || self.gone == Some(self.actor)
    }

    /// Brings the power back: of the unsynced data some is there, some is lost, some is torn. All
    /// connections must be closed.
    pub fn recover(&mut self, chance: &mut Chance) {
        let mut files: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
        for write in self.unsynced.iter().rev() {
            let content = files
                .entry(write.path.clone())
                .or_insert_with(|| fs::read(&write.path).unwrap_or_default());
            put(content, write.at, &write.old);
            content.resize(write.size_before as usize, 0);
        }
        for write in self.unsynced.drain(..) {
            let content = files.entry(write.path).or_default();
            if let Some(size) = write.cut_at {
                // A file is either cut or not.
                match chance.one_in(2) {
                    true => content.truncate(size as usize),
                    false => self.lost += 1,
                }
                continue;
            }
            let kept = match chance.below(3) {
                0 => 0,
                1 => write.new.len(),
                _ => chance.below(write.new.len() as u64 + 1) as usize / SECTOR * SECTOR,
            };
            self.lost += u64::from(kept < write.new.len());
            put(content, write.at, &write.new[..kept]);
        }
        for (path, content) in files {
            fs::write(path, content).expect("the folder is there");
        }
        (self.dead, self.full_from, self.fuse) = (false, None, None);
        (self.mortal, self.gone) = (None, None);
    }
}

fn put(content: &mut Vec<u8>, at: u64, bytes: &[u8]) {
    let (at, end) = (at as usize, at as usize + bytes.len());
    if bytes.is_empty() {
        return;
    }
    if content.len() < end {
        content.resize(end, 0);
    }
    content[at..end].copy_from_slice(bytes);
}

// The code below is between SQLite and its own file system. SQLite keeps the two promises that make
// it sound: a file's memory belongs to this code from xOpen to xClose, and one thread uses a file
// at a time.

#[repr(C)]
struct File {
    base: sqlite3_file,
    disk: *const Mutex<Disk>,
    path: *mut PathBuf,
}

/// SQLite's own file, behind the one of this disk.
unsafe fn real(file: *mut sqlite3_file) -> *mut sqlite3_file {
    unsafe { file.cast::<u8>().add(size_of::<File>()).cast() }
}

unsafe fn methods<'a>(file: *mut sqlite3_file) -> &'a sqlite3_io_methods {
    unsafe { &*(*real(file)).pMethods }
}

/// The disk and the path of a file, if it is on one.
unsafe fn on_disk<'a>(file: *mut sqlite3_file) -> Option<(MutexGuard<'a, Disk>, &'a PathBuf)> {
    let ours = unsafe { &*file.cast::<File>() };
    if ours.disk.is_null() {
        return None;
    }
    unsafe { Some(((*ours.disk).lock().expect("the disk"), &*ours.path)) }
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    unsafe {
        let ours = file.cast::<File>();
        (*ours).base.pMethods = null();
        (*ours).disk = null();
        (*ours).path = null_mut();
        let path = path_of(name);
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let disk = DISKS.lock().expect("the disks").get(&folder).cloned();
        if disk.as_ref().is_some_and(|d| lock(d).is_out()) {
            return ffi::SQLITE_CANTOPEN;
        }
        let under = default_vfs();
        let opened =
            (*under).xOpen.expect("a file system opens")(under, name, real(file), flags, out);
        if opened == ffi::SQLITE_OK {
            (*ours).base.pMethods = &METHODS;
            if let Some(disk) = disk {
                (*ours).disk = Arc::into_raw(disk);
                (*ours).path = Box::into_raw(Box::new(path));
            }
        }
        opened
    }
}

unsafe fn path_of(name: *const c_char) -> PathBuf {
    if name.is_null() {
        return PathBuf::new();
    }
    PathBuf::from(OsStr::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes()))
}

unsafe extern "C" fn delete(_: *mut sqlite3_vfs, name: *const c_char, sync: c_int) -> c_int {
    unsafe {
        let path = path_of(name);
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let disk = DISKS.lock().expect("the disks").get(&folder).cloned();
        if let Some(disk) = disk {
            let mut disk = lock(&disk);
            if let Err(failure) = disk.step(ffi::SQLITE_IOERR_DELETE) {
                return failure;
            }
            disk.unsynced.retain(|w| w.path != path);
        }
        let under = default_vfs();
        (*under).xDelete.expect("a file system deletes")(under, name, sync)
    }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    unsafe {
        let closed = methods(file).xClose.expect("a file closes")(real(file));
        let ours = file.cast::<File>();
        if !(*ours).disk.is_null() {
            drop(Arc::from_raw((*ours).disk));
            drop(Box::from_raw((*ours).path));
        }
        closed
    }
}

unsafe extern "C" fn read(f: *mut sqlite3_file, to: *mut c_void, n: c_int, at: i64) -> c_int {
    unsafe {
        if on_disk(f).is_some_and(|(disk, _)| disk.is_out()) {
            return ffi::SQLITE_IOERR_READ;
        }
        methods(f).xRead.expect("a file is read")(real(f), to, n, at)
    }
}

unsafe extern "C" fn write(f: *mut sqlite3_file, from: *const c_void, n: c_int, at: i64) -> c_int {
    unsafe {
        if let Some((mut disk, path)) = on_disk(f) {
            if let Err(failure) = disk.step(ffi::SQLITE_IOERR_WRITE) {
                return failure;
            }
            let size_before = size_of_file(f);
            // Data within a file already has its room.
            let grows = at + i64::from(n) > size_before;
            if grows && disk.full_from.is_some_and(|from| from <= disk.steps) {
                disk.refused += 1;
                return ffi::SQLITE_FULL;
            }
            let mut old = vec![0; n as usize];
            let there = (size_before - at).clamp(0, i64::from(n)) as usize;
            old.truncate(there);
            if there > 0 {
                methods(f).xRead.expect("a file is read")(
                    real(f),
                    old.as_mut_ptr().cast(),
                    there as c_int,
                    at,
                );
            }
            let new = std::slice::from_raw_parts(from.cast::<u8>(), n as usize).to_vec();
            let (path, at) = (path.clone(), at as u64);
            let size_before = size_before as u64;
            disk.unsynced.push(Unsynced { path, at, old, new, size_before, cut_at: None });
        }
        methods(f).xWrite.expect("a file is written")(real(f), from, n, at)
    }
}

unsafe fn size_of_file(f: *mut sqlite3_file) -> i64 {
    let mut size: sqlite3_int64 = 0;
    unsafe { methods(f).xFileSize.expect("a file has a size")(real(f), &mut size) };
    size
}

unsafe extern "C" fn truncate(f: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    unsafe {
        if let Some((mut disk, path)) = on_disk(f) {
            if let Err(failure) = disk.step(ffi::SQLITE_IOERR_TRUNCATE) {
                return failure;
            }
            let size_before = size_of_file(f);
            let mut old = vec![0; (size_before - size).max(0) as usize];
            methods(f).xRead.expect("a file is read")(
                real(f),
                old.as_mut_ptr().cast(),
                old.len() as c_int,
                size,
            );
            let (path, at, size_before) = (path.clone(), size as u64, size_before as u64);
            let cut_at = Some(at);
            disk.unsynced.push(Unsynced { path, at, old, new: Vec::new(), size_before, cut_at });
        }
        methods(f).xTruncate.expect("a file is cut")(real(f), size)
    }
}

unsafe extern "C" fn sync(f: *mut sqlite3_file, flags: c_int) -> c_int {
    unsafe {
        if let Some((mut disk, path)) = on_disk(f) {
            if let Err(failure) = disk.step(ffi::SQLITE_IOERR_FSYNC) {
                return failure;
            }
            disk.unsynced.retain(|w| w.path != *path);
        }
        // The real disk needs no sync, because the real machine does not lose its power.
        let _ = flags;
        ffi::SQLITE_OK
    }
}

/// Passes a call on to SQLite's own file.
macro_rules! hand_on {
    ($name:ident, $method:ident, ($($arg:ident: $type:ty),*)) => {
        unsafe extern "C" fn $name(f: *mut sqlite3_file $(, $arg: $type)*) -> c_int {
            unsafe { methods(f).$method.expect("SQLite's own files have it")(real(f) $(, $arg)*) }
        }
    };
}

hand_on!(file_size, xFileSize, (size: *mut sqlite3_int64));
hand_on!(take_lock, xLock, (level: c_int));
hand_on!(unlock, xUnlock, (level: c_int));
hand_on!(check_lock, xCheckReservedLock, (out: *mut c_int));
hand_on!(control, xFileControl, (op: c_int, arg: *mut c_void));
hand_on!(sector_size, xSectorSize, ());
hand_on!(shm_map, xShmMap, (page: c_int, size: c_int, extend: c_int, out: *mut *mut c_void));
hand_on!(shm_lock, xShmLock, (offset: c_int, n: c_int, flags: c_int));
hand_on!(shm_unmap, xShmUnmap, (delete: c_int));

unsafe extern "C" fn shm_barrier(f: *mut sqlite3_file) {
    unsafe { methods(f).xShmBarrier.expect("SQLite's own files have it")(real(f)) }
}

/// Nothing is promised of writes: they may be torn and come in any order.
unsafe extern "C" fn device(_: *mut sqlite3_file) -> c_int {
    0
}

static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(take_lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_lock),
    xFileControl: Some(control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

/// SQLite's own file system, which was the default before.
fn default_vfs() -> *mut sqlite3_vfs {
    struct Under(*mut sqlite3_vfs);
    // SQLite's file systems are used by all its threads.
    unsafe impl Send for Under {}
    unsafe impl Sync for Under {}
    static UNDER: LazyLock<Under> =
        LazyLock::new(|| Under(unsafe { ffi::sqlite3_vfs_find(c"unix".as_ptr()) }));
    UNDER.0
}

fn register() {
    unsafe {
        let under = default_vfs();
        let mut ours = *under;
        ours.szOsFile += size_of::<File>() as c_int;
        ours.zName = c"failing".as_ptr();
        ours.pNext = null_mut();
        ours.xOpen = Some(open);
        ours.xDelete = Some(delete);
        // It lives as long as the process.
        let registered = ffi::sqlite3_vfs_register(Box::leak(Box::new(ours)), 1);
        assert_eq!(registered, ffi::SQLITE_OK);
    }
}
