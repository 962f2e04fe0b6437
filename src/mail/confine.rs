//! Limits for the process that parses mails: it may read its input, write its answers, and use
//! limited memory and processor time. A mail that takes the process over finds no file, no network,
//! no other program and no secret there.
//!
//! Each measure is taken where the system has it, and helps without the others.

use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};

/// Memory in bytes.
const MEMORY_MAX: u64 = 1_024_000_000;
/// Processor time in seconds that one mail may take. Only an orphan reaches it, because the parent
/// ends the process earlier.
const SECONDS_MAX: u64 = 30;
/// Files and connections of a process that queries name servers.
const ASKED_MAX: u64 = 64;

/// The limits that are really in force. The process reports them itself, before it sees a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measures {
    /// Limits of memory, time, files and processes.
    pub limits: bool,
    /// No file, no port and no other process, by Landlock.
    pub landlock: bool,
    /// No system call but a few, by seccomp.
    pub seccomp: bool,
}

impl Measures {
    /// The measures that the system refused, in words; empty: all is well.
    pub fn missing(&self) -> Vec<&'static str> {
        let all = [
            (self.seccomp, "the filter of system calls (seccomp)"),
            (self.landlock, "the rules for files (Landlock)"),
            (self.limits, "limits of memory and time"),
        ];
        all.into_iter().filter(|(has, _)| !has).map(|(_, what)| what).collect()
    }
}

/// Takes everything from this process that it does not need; everything that it needs is already
/// open.
pub(super) fn confine() -> Measures {
    take_away(0, None)
}

/// Confines a process that queries name servers at a port: it keeps connections, and nothing else.
pub(super) fn confine_but_names(port: u16) -> Measures {
    take_away(ASKED_MAX, Some(port))
}

fn take_away(files: u64, port: Option<u16>) -> Measures {
    let limits = [
        (Resource::As, MEMORY_MAX),
        (Resource::Cpu, SECONDS_MAX),
        // All output goes into pipes.
        (Resource::Fsize, 0),
        (Resource::Core, 0),
        (Resource::Nproc, 0),
    ];
    let mut limited = limits.into_iter().all(|(resource, most)| limit(resource, most));
    #[cfg(target_os = "linux")]
    let (landlock, seccomp) =
        (linux::close_files(port).unwrap_or(false), linux::filter_calls(port.is_some()).is_ok());
    #[cfg(not(target_os = "linux"))]
    let (landlock, seccomp) = (false, false);
    // A ruleset of Landlock is a file, so this limit would keep it from being made later.
    limited &= limit(Resource::Nofile, files);
    Measures { limits: limited, landlock, seccomp }
}

/// Whether the system took the limit. If not, the limits of size and nesting still hold.
fn limit(resource: Resource, most: u64) -> bool {
    setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }).is_ok()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;

    use landlock::{
        ABI, Access, AccessFs, AccessNet, NetPort, Ruleset, RulesetAttr, RulesetCreatedAttr,
        RulesetStatus, Scope,
    };
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule, TargetArch,
    };

    /// System calls of a process that computes, uses open pipes, and ends.
    const CALLS: [i64; 24] = [
        // Open pipes.
        libc::SYS_read,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_close,
        // Memory.
        libc::SYS_brk,
        libc::SYS_mmap,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_mprotect,
        libc::SYS_madvise,
        // Locks, time and random numbers.
        libc::SYS_futex,
        libc::SYS_sched_yield,
        libc::SYS_sched_getaffinity,
        libc::SYS_clock_gettime,
        libc::SYS_getrandom,
        // Signals, and its own end.
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_restart_syscall,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];

    /// Further calls for a process that queries name servers.
    const ASKING: [i64; 27] = [
        libc::SYS_socket,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_sendto,
        libc::SYS_sendmsg,
        libc::SYS_sendmmsg,
        libc::SYS_recvfrom,
        libc::SYS_recvmsg,
        libc::SYS_recvmmsg,
        libc::SYS_shutdown,
        libc::SYS_getsockname,
        libc::SYS_getpeername,
        libc::SYS_getsockopt,
        libc::SYS_setsockopt,
        libc::SYS_fcntl,
        libc::SYS_ioctl,
        libc::SYS_ppoll,
        libc::SYS_epoll_create1,
        libc::SYS_epoll_ctl,
        libc::SYS_epoll_pwait,
        libc::SYS_eventfd2,
        libc::SYS_timerfd_create,
        libc::SYS_timerfd_settime,
        libc::SYS_clock_nanosleep,
        libc::SYS_nanosleep,
        libc::SYS_uname,
        libc::SYS_dup,
    ];

    /// Older calls with the same purpose on some machines.
    #[cfg(target_arch = "x86_64")]
    const OLDER: [i64; 3] = [libc::SYS_poll, libc::SYS_epoll_wait, libc::SYS_epoll_create];
    #[cfg(not(target_arch = "x86_64"))]
    const OLDER: [i64; 0] = [];

    /// Forbids files, other processes, and all ports except `port`, by Landlock. Says whether the
    /// kernel has it.
    pub(super) fn close_files(port: Option<u16>) -> Result<bool, landlock::RulesetError> {
        let mut rules = Ruleset::default()
            .handle_access(AccessFs::from_all(ABI::V6))?
            .handle_access(AccessNet::from_all(ABI::V6))?
            .scope(Scope::from_all(ABI::V6))?
            .create()?;
        if let Some(port) = port {
            rules = rules.add_rule(NetPort::new(port, AccessNet::ConnectTcp))?;
        }
        let done = rules.restrict_self()?;
        Ok(done.ruleset != RulesetStatus::NotEnforced)
    }

    /// A call whose first argument is this process.
    fn of_process(id: u32) -> Result<SeccompRule, seccompiler::BackendError> {
        let (length, is) = (SeccompCmpArgLen::Dword, SeccompCmpOp::Eq);
        SeccompRule::new(vec![SeccompCondition::new(0, length, is, id.into())?])
    }

    /// Refuses all system calls except a few, by seccomp.
    pub(super) fn filter_calls(asks: bool) -> Result<(), Box<dyn std::error::Error>> {
        let arch = TargetArch::try_from(std::env::consts::ARCH)?;
        let mut calls: BTreeMap<_, _> = CALLS.iter().map(|call| (*call, Vec::new())).collect();
        if asks {
            calls.extend(ASKING.iter().chain(&OLDER).map(|call| (*call, Vec::new())));
        }
        // Only its own limits and its own end, which abort asks for, not its parent's.
        calls.insert(libc::SYS_prlimit64, vec![of_process(0)?]);
        calls.insert(libc::SYS_tgkill, vec![of_process(std::process::id())?]);
        let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let filter = SeccompFilter::new(calls, refused, SeccompAction::Allow, arch)?;
        seccompiler::apply_filter(&BpfProgram::try_from(filter)?)?;
        Ok(())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    /// Makes the system refuse filters of calls and rules for files from now on.
    fn refuse_filters() {
        use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};
        let refused = [libc::SYS_seccomp, libc::SYS_landlock_create_ruleset];
        let refused = refused.into_iter().map(|call| (call, Vec::new())).collect();
        let arch = TargetArch::try_from(std::env::consts::ARCH).expect("a known machine");
        let eperm = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let filter = SeccompFilter::new(refused, SeccompAction::Allow, eperm, arch);
        let program = BpfProgram::try_from(filter.expect("a filter")).expect("a program");
        seccompiler::apply_filter(&program).expect("this kernel has seccomp");
    }

    /// The code that the tests below run in a separate process; in the normal list of tests it does
    /// nothing.
    #[test]
    fn in_a_process_of_its_own() {
        let Some(way) = std::env::var_os("FIELDPOST_CONFINED") else { return };
        match way.to_str().unwrap_or_default() {
            "landlock" => {
                if !linux::close_files(None).expect("a ruleset") {
                    return println!("this kernel has no Landlock");
                }
            }
            "seccomp" => linux::filter_calls(false).expect("this kernel has seccomp"),
            "all" => println!("took {:?}", confine()),
            "refused" => {
                // Like a container that forbids both: another filter is in force already.
                refuse_filters();
                println!("took {:?}", confine());
                return;
            }
            way => panic!("{way}"),
        }
        // Everything that reading a mail needs still works.
        let room: Vec<u8> = (0..5_000_000_u32).map(|n| n as u8).collect();
        let sum = room.iter().map(|n| u64::from(*n)).sum::<u64>();
        println!("computed {}", sum > 0);
        let refused = |what: &str, is_refused: bool| println!("{what} refused {is_refused}");
        refused("reading a file", std::fs::read("/etc/hostname").is_err());
        refused("writing a file", std::fs::write("/tmp/fieldpost-confined", "x").is_err());
        refused(
            "a connection",
            std::net::TcpStream::connect("127.0.0.1:9").is_err_and(|e| {
                e.kind() == std::io::ErrorKind::PermissionDenied
                    || e.raw_os_error() == Some(libc::EMFILE)
            }),
        );
        refused("a program", Command::new("/bin/true").status().is_err());
        println!("the end");
    }

    /// The output of a process that is confined in one way.
    fn answer(way: &str) -> String {
        let run = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "confine::tests::in_a_process_of_its_own", "--nocapture"])
            .env("FIELDPOST_CONFINED", way)
            .output()
            .expect("it runs");
        String::from_utf8_lossy(&run.stdout).into_owned()
    }

    #[test]
    fn a_process_says_what_the_system_refused() {
        assert!(answer("all").contains("seccomp: true"), "{}", answer("all"));
        let refused = answer("refused");
        let took = "took Measures { limits: true, landlock: false, seccomp: false }";
        assert!(refused.contains(took), "{refused}");
        let missing = Measures { limits: true, landlock: false, seccomp: false }.missing();
        assert_eq!(missing.len(), 2);
        let whole = Measures { limits: true, landlock: true, seccomp: true };
        assert_eq!(whole.missing(), Vec::<&str>::new());
    }

    #[test]
    fn a_confined_process_computes_and_does_nothing_else() {
        // Each on its own, and both with the limits.
        for way in ["landlock", "seccomp", "all"] {
            let said = answer(way);
            // Without Landlock, the other measures still hold.
            if way == "landlock" && said.contains("no Landlock") {
                continue;
            }
            assert!(said.contains("computed true") && said.contains("the end"), "{way}: {said}");
            for what in ["reading a file", "writing a file", "a connection", "a program"] {
                assert!(said.contains(&format!("{what} refused true")), "{way}: {what}\n{said}");
            }
        }
    }
}
