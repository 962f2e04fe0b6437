//! What the process that takes mails apart may do: read its input, write its answers, use memory and
//! processor time within limits. A mail that takes the process over finds no file, no network, no
//! other program and no secret there.
//!
//! Each measure is taken where the system has it, and is of use without the others.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Memory in bytes.
const MEMORY_MAX: u64 = 1_024_000_000;
/// Processor time in seconds that one mail may take; the parent is gone when this ends it, for it
/// would have ended the process before.
const SECONDS_MAX: u64 = 30;

/// Takes everything from this process that it does not need; what it needs is open already.
pub(super) fn confine() {
    let limits = [
        (Resource::As, MEMORY_MAX),
        // Whatever is written goes into pipes.
        (Resource::Fsize, 0),
        (Resource::Core, 0),
        (Resource::Nproc, 0),
    ];
    for (resource, most) in limits {
        limit(resource, most);
    }
    #[cfg(target_os = "linux")]
    {
        let _ = linux::close_files();
        let _ = linux::filter_calls();
    }
    // A ruleset of Landlock is a file, so that none could be made below this limit.
    limit(Resource::Nofile, 0);
}

/// Gives the process time for one more mail.
pub(super) fn allow_time() {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).tv_sec;
    let soft = u64::try_from(spent).unwrap_or_default() + SECONDS_MAX;
    let maximum = getrlimit(Resource::Cpu).maximum;
    let _ = setrlimit(Resource::Cpu, Rlimit { current: Some(soft), maximum });
}

fn limit(resource: Resource, most: u64) {
    // If the system refuses, the limits of size and nesting still hold.
    let _ = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;

    use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetStatus, Scope};
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule, TargetArch,
    };

    /// System calls of a process that computes, talks through open pipes, and ends.
    const CALLS: [i64; 24] = [
        // Pipes that are open.
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
        // Locks, time and chance.
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

    /// No file, no port and no other process, by Landlock. Says whether the kernel has it.
    pub(super) fn close_files() -> Result<bool, landlock::RulesetError> {
        let done = Ruleset::default()
            .handle_access(AccessFs::from_all(ABI::V6))?
            .handle_access(AccessNet::from_all(ABI::V6))?
            .scope(Scope::from_all(ABI::V6))?
            .create()?
            .restrict_self()?;
        Ok(done.ruleset != RulesetStatus::NotEnforced)
    }

    /// A call whose first argument is this process.
    fn of_process(id: u32) -> Result<SeccompRule, seccompiler::BackendError> {
        let (length, is) = (SeccompCmpArgLen::Dword, SeccompCmpOp::Eq);
        SeccompRule::new(vec![SeccompCondition::new(0, length, is, id.into())?])
    }

    /// All system calls but a few are refused as not allowed, by seccomp.
    pub(super) fn filter_calls() -> Result<(), Box<dyn std::error::Error>> {
        let arch = TargetArch::try_from(std::env::consts::ARCH)?;
        let mut calls: BTreeMap<_, _> = CALLS.iter().map(|call| (*call, Vec::new())).collect();
        // Its own limits and its own end, which abort asks for: not its parent's.
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

    /// What the test below asks for in a process of its own; a test of the list it is not.
    #[test]
    fn in_a_process_of_its_own() {
        let Some(way) = std::env::var_os("FIELDPOST_CONFINED") else { return };
        match way.to_str().unwrap_or_default() {
            "landlock" => {
                if !linux::close_files().expect("a ruleset") {
                    return println!("this kernel has no Landlock");
                }
            }
            "seccomp" => linux::filter_calls().expect("this kernel has seccomp"),
            _ => confine(),
        }
        allow_time();
        // What reading a mail needs still goes.
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

    #[test]
    fn a_confined_process_computes_and_does_nothing_else() {
        let said = |way: &str| {
            let run = Command::new(std::env::current_exe().expect("this program"))
                .args(["--exact", "confine::tests::in_a_process_of_its_own", "--nocapture"])
                .env("FIELDPOST_CONFINED", way)
                .output()
                .expect("it runs");
            String::from_utf8_lossy(&run.stdout).into_owned()
        };
        // Each by itself, and both with the limits.
        for way in ["landlock", "seccomp", "all"] {
            let said = said(way);
            // The others hold without it.
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
