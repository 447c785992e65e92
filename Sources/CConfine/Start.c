// Starting a bound process, and waiting for its end.
#define _GNU_SOURCE
#include "Bounds.h"
#include "CConfine.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int limit(int resource, uint64_t value) {
    rlim_t bound = value == UINT64_MAX ? RLIM_INFINITY : (rlim_t)value;
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) return errno;
    // A limit that is lower already stays.
    if (now.rlim_max != RLIM_INFINITY && (bound == RLIM_INFINITY || bound > now.rlim_max)) bound = now.rlim_max;
    struct rlimit wanted = {bound, bound};
    return setrlimit(resource, &wanted) == 0 ? 0 : errno;
}

/// Files that this program consists of: itself, and the libraries it has loaded.
struct objects {
    char paths[256][512];
    int count;
};

static int note_object(struct dl_phdr_info *info, size_t size, void *argument) {
    (void)size;
    struct objects *objects = argument;
    const char *name = info->dlpi_name;
    size_t length = name ? strlen(name) : 0;
    if (length == 0 || length >= sizeof *objects->paths || objects->count >= 256) return 0;
    memcpy(objects->paths[objects->count++], name, length + 1);
    return 0;
}

static struct objects *loaded_objects(void) {
    struct objects *objects = malloc(sizeof *objects);
    if (!objects) return NULL;
    objects->count = 1;
    strcpy(objects->paths[0], "/proc/self/exe");
    dl_iterate_phdr(note_object, objects);
    return objects;
}

/// What the new process is to become.
struct start {
    const char *path;
    char *const *arguments;
    const int *descriptors;
    int count;
    const struct chirp_confinement *confinement;
    const struct objects *objects;
    pid_t parent;
    /// Filled in by the new process when it cannot.
    volatile int failure;
};

/// A regular file that is open for writing: it may be opened for that by its name too.
static int is_written(int descriptor) {
    struct stat facts;
    return fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode)
        && (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

/// A descriptor of /dev/null. A process that may open nothing for writing has one.
static int open_null(void) {
    struct stat facts;
    int is_null = fstat(STDERR_FILENO, &facts) == 0 && S_ISCHR(facts.st_mode) && facts.st_rdev == makedev(1, 3)
        && (fcntl(STDERR_FILENO, F_GETFL) & O_ACCMODE) == O_RDWR;
    return is_null ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0) : open("/dev/null", O_RDWR | O_CLOEXEC);
}

/// Binds the new process by Landlock: to read programs, libraries and what it was given. Returns the number of the error.
static int bind_files(const struct start *start, int version) {
    int ruleset = chirp_new_ruleset(version);
    if (ruleset < 0) return errno;
    static const char *const folders[] = {"/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives"};
    for (size_t index = 0; index < sizeof folders / sizeof *folders; index++) {
        chirp_allow_files(ruleset, folders[index], -1, FILE_EXECUTE | FILE_READ | FILE_READ_FOLDER);
    }
    chirp_allow_files(ruleset, start->path, -1, FILE_EXECUTE | FILE_READ);
    // Swift reads the arguments there.
    chirp_allow_files(ruleset, "/proc/self", -1, FILE_READ | FILE_READ_FOLDER);
    // For programs that are started from there.
    chirp_allow_files(ruleset, "/dev/null", -1, FILE_READ | FILE_WRITE);
    for (int index = 0; index < start->count; index++) {
        struct stat facts;
        if (fstat(index, &facts) != 0) continue;
        uint64_t rights = S_ISDIR(facts.st_mode) ? FILE_EXECUTE | FILE_READ | FILE_READ_FOLDER : FILE_READ;
        if (is_written(index)) rights |= FILE_WRITE | (version >= 3 ? FILE_TRUNCATE : 0);
        chirp_allow_files(ruleset, NULL, index, rights);
    }
    const struct objects *objects = start->objects;
    for (int index = 0; objects && index < objects->count; index++) {
        chirp_allow_files(ruleset, objects->paths[index], -1, FILE_EXECUTE | FILE_READ);
    }
    return chirp_restrict_self(ruleset);
}

/// Binds the new process by everything that holds beside limits. Returns the number of the error.
static int bind_foreign(const struct start *start) {
    const struct chirp_confinement *confinement = start->confinement;
    int version = chirp_used_landlock(confinement->landlock_before);
    int code;
    if (version > 0 && (code = bind_files(start, version))) return code;
    // It gets none back by execve, since it gets no new privileges.
    if ((code = chirp_drop_capabilities())) return code;
    unsigned who = confinement->is_self ? STARTER : confinement->starts_programs ? OWNERS : PROGRAM;
    for (int index = 0; index < start->count; index++) {
        if (is_written(index)) who |= WRITER;
    }
    return chirp_filter_calls(who, version, start->path);
}

/// In the new process: everything between clone and execve. Returns the number of the error.
static int become(const struct start *start) {
    const struct chirp_confinement *confinement = start->confinement;
    int count = start->count;
    setsid();
    for (int number = 1; number < NSIG; number++) {
        // Those that cannot be changed say so, and need not be.
        signal(number, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);

    // Out of the way first, so that none is overwritten before it was moved to its place.
    int moved[16];
    int null = open_null();
    if (null < 0) return errno;
    for (int index = 0; index < count; index++) {
        int source = start->descriptors[index] < 0 ? null : start->descriptors[index];
        moved[index] = fcntl(source, F_DUPFD_CLOEXEC, 20);
        if (moved[index] < 0) return errno;
    }
    for (int index = 0; index < count; index++) {
        if (dup2(moved[index], index) < 0) return errno;
    }
    // Closed, and not only at execve: a ruleset is a descriptor too, and those of a busy hub would leave none below the limit.
    if (syscall(SYS_close_range, (unsigned)count, ~0U, 0) != 0) {
        // Before Linux 5.9.
        for (int number = count; number < 4096; number++) close(number);
    }

    int code;
    if ((code = limit(RLIMIT_CPU, confinement->processor_seconds))) return code;
    if ((code = limit(RLIMIT_AS, confinement->memory_bytes))) return code;
    if ((code = limit(RLIMIT_FSIZE, confinement->file_bytes))) return code;
    if ((code = limit(RLIMIT_NOFILE, confinement->descriptors))) return code;
    if ((code = limit(RLIMIT_CORE, 0))) return code;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    if (confinement->is_alone) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return errno;
        // It may have ended before that was said.
        if (getppid() != start->parent) return ESRCH;
    }
    if (confinement->is_foreign && (code = bind_foreign(start))) return code;
    char *const environment[] = {NULL};
    execve(start->path, start->arguments, environment);
    return errno;
}

static int enter(void *argument) {
    struct start *start = argument;
    start->failure = become(start);
    _exit(127);
}

enum {
    PIDFD_SEND_SIGNAL = 424,
    /// For what the new process does until it has a stack of its own.
    STACK_BYTES = 256 << 10,
};

int chirp_spawn_confined(
    const char *path, char *const arguments[], const int *descriptors, int count,
    const struct chirp_confinement *confinement, pid_t *process, int *handle) {
    if (count < 0 || count > 16) return EINVAL;
    char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return errno;
    // Signals that came to this process while the two share their memory would run its handlers in the other.
    sigset_t all, before;
    sigfillset(&all);
    int code = pthread_sigmask(SIG_SETMASK, &all, &before);
    if (code == 0) {
        struct objects *objects = confinement->is_self ? loaded_objects() : NULL;
        struct start start = {path, arguments, descriptors, count, confinement, objects, getpid(), 0};
        *handle = -1;
        // Not fork: this process may be large, and copying what describes its memory takes milliseconds. With the process comes the
        // descriptor by which it is ended: a number may be another's by then, and a bound process may signal none.
        int flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD;
        pid_t child = clone(enter, stack + STACK_BYTES, flags, &start, handle);
        code = child < 0 ? errno : 0;
        free(objects);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (code == 0 && start.failure != 0) {
            int status;
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
            if (*handle >= 0) close(*handle);
            code = start.failure;
        }
        *process = child;
    }
    munmap(stack, STACK_BYTES);
    return code;
}

void chirp_kill(pid_t process, int handle) {
    // First of a session of its own: what it has started is of its group.
    kill(-process, SIGKILL);
    if (syscall(PIDFD_SEND_SIGNAL, handle, SIGKILL, NULL, 0) != 0) kill(process, SIGKILL);
}

static int64_t milliseconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int chirp_await_end(int handle, int64_t milliseconds) {
    if (handle < 0) return -EBADF;
    struct pollfd end = {.fd = handle, .events = POLLIN};
    int64_t now = milliseconds_now(), last = now + milliseconds;
    int result;
    for (;; now = milliseconds_now()) {
        int64_t left = last > now ? last - now : 0;
        // Longer waits are several.
        result = poll(&end, 1, left < 1 << 30 ? (int)left : 1 << 30);
        if (result > 0 || (result == 0 && left < 1 << 30) || (result < 0 && errno != EINTR)) break;
    }
    return result < 0 ? -errno : result;
}

int64_t chirp_process_time(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
