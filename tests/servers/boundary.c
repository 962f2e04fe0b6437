/* Kills the process that it is loaded into (LD_PRELOAD) at one named boundary.
 *
 * A boundary is a call after which the world outside knows more than before it: a write to
 * the IMAP or SMTP server, the last frame of a transaction in SQLite's log, and the sync that
 * makes the log durable. Each has a name, "THREAD KIND NUMBER", counted for each thread, so
 * that the same name is the same step in every run. Each is appended to the file
 * BOUNDARY_TRACE; at "NAME MOMENT" of BOUNDARY_TARGET the process gets SIGKILL, in the middle
 * of whatever its other threads do. Moments:
 *   before, after  the call was not made; it was made and nobody here knows of it
 *   torn           of a frame: its header is written, its page is not
 *   lost           of a sync: the power fails, what was not synced is gone from the log
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE, IMAP, SMTP, LOG, FRAME, SYNC, KINDS };
static const char *const WORDS[KINDS] = {"", "imap", "smtp", "", "frame", "sync"};

static int trace = -1, imap_port, smtp_port;
static char target[128];
static __thread char thread[16];
static __thread int counts[KINDS];
static __thread char name[64];
static __thread int page_follows;
static __thread off_t unsynced = -1;

#define REAL(function) \
    static __typeof__(&function) real; \
    if (!real) real = (__typeof__(&function))dlsym(RTLD_NEXT, #function)

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("BOUNDARY_TRACE"), *at = getenv("BOUNDARY_TARGET");
    const char *imap = getenv("BOUNDARY_IMAP"), *smtp = getenv("BOUNDARY_SMTP");
    /* Not into the processes that this one starts. */
    unsetenv("LD_PRELOAD");
    if (!path || !imap || !smtp) return;
    trace = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    imap_port = atoi(imap), smtp_port = atoi(smtp);
    if (at) snprintf(target, sizeof target, "%s", at);
}

/* What a descriptor leads to; a log is SQLite's write-ahead log. */
static enum kind kind_of(int fd) {
    struct stat status;
    if (trace < 0 || fstat(fd, &status)) return NONE;
    if (S_ISSOCK(status.st_mode)) {
        struct sockaddr_storage peer;
        socklen_t size = sizeof peer;
        if (getpeername(fd, (struct sockaddr *)&peer, &size)) return NONE;
        int port = 0;
        if (peer.ss_family == AF_INET) port = ntohs(((struct sockaddr_in *)&peer)->sin_port);
        if (peer.ss_family == AF_INET6) port = ntohs(((struct sockaddr_in6 *)&peer)->sin6_port);
        return port == 0 ? NONE : port == imap_port ? IMAP : port == smtp_port ? SMTP : NONE;
    }
    if (!S_ISREG(status.st_mode)) return NONE;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path);
    return size > 4 && !memcmp(path + size - 4, "-wal", 4) ? LOG : NONE;
}

/* Threads go by their names; the first one starts them. */
static void enter(enum kind kind) {
    if (!*thread) {
        if (gettid() == getpid()) strcpy(thread, "start");
        else prctl(PR_GET_NAME, thread);
    }
    snprintf(name, sizeof name, "%s %s %d", thread, WORDS[kind], ++counts[kind]);
    dprintf(trace, "%s\n", name);
}

static int meant(const char *moment) {
    char here[96];
    snprintf(here, sizeof here, "%s %s", name, moment);
    return !strcmp(here, target);
}

static void die(void) {
    dprintf(trace, "killed\n");
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static void at(const char *moment) {
    int kept = errno;
    if (meant(moment)) die();
    errno = kept;
}

/* Wraps one call that writes `size` bytes at `where` of a descriptor. */
#define BOUNDARY(fd, bytes, size, where, call) \
    enum kind kind = kind_of(fd); \
    if (kind == IMAP || kind == SMTP) enter(kind), at("before"); \
    if (kind == LOG) to_log(bytes, size, where); \
    ssize_t done = call; \
    if (kind == IMAP || kind == SMTP) at("after"); \
    if (kind == LOG) in_log(); \
    return done

/* The header of a transaction's last frame tells the size of the database (at byte 4). */
static void to_log(const unsigned char *bytes, size_t size, off_t where) {
    if (unsynced < 0 || where < unsynced) unsynced = where;
    if (size == 24 && (bytes[4] | bytes[5] | bytes[6] | bytes[7])) {
        enter(FRAME);
        at("before");
        page_follows = 2;
    }
}

static void in_log(void) {
    if (page_follows == 2) at("torn");
    if (page_follows == 1) at("after");
    if (page_follows > 0) page_follows--;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    REAL(write);
    BOUNDARY(fd, bytes, size, lseek(fd, 0, SEEK_CUR), real(fd, bytes, size));
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t where) {
    REAL(pwrite64);
    BOUNDARY(fd, bytes, size, where, real(fd, bytes, size, where));
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(writev);
    BOUNDARY(fd, (const unsigned char *)"", 0, 0, real(fd, parts, count));
}

ssize_t send(int fd, const void *bytes, size_t size, int flags) {
    REAL(send);
    BOUNDARY(fd, bytes, size, 0, real(fd, bytes, size, flags));
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    REAL(sendmsg);
    BOUNDARY(fd, (const unsigned char *)"", 0, 0, real(fd, message, flags));
}

static int synced(int fd, int (*real)(int)) {
    enum kind kind = trace < 0 ? NONE : kind_of(fd);
    if (trace < 0) return real(fd);
    enter(SYNC);
    if (kind == LOG && unsynced >= 0 && meant("lost") && ftruncate(fd, unsynced)) abort();
    at("lost");
    int done = real(fd);
    at("after");
    if (kind == LOG) unsynced = -1;
    return done;
}

int fsync(int fd) {
    REAL(fsync);
    return synced(fd, real);
}

int fdatasync(int fd) {
    REAL(fdatasync);
    return synced(fd, real);
}
