#define _GNU_SOURCE
#include "CConfine.h"

#include <dirent.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// MARK: Landlock (Documentation/userspace-api/landlock.rst). Numbers, since Debian 12's headers know the first versions only.

struct landlock_ruleset {
    uint64_t files, network, scopes;
};

struct __attribute__((packed)) landlock_rule {
    uint64_t allowed;
    int32_t parent;
};

enum {
    CREATE_RULESET = 444,
    ADD_RULE = 445,
    RESTRICT_SELF = 446,
    VERSION_ONLY = 1,
    PATH_BENEATH = 1,
};

#define FILE_EXECUTE (1ULL << 0)
#define FILE_WRITE (1ULL << 1)
#define FILE_READ (1ULL << 2)
#define FILE_READ_FOLDER (1ULL << 3)
#define FILE_TRUNCATE (1ULL << 14)  // since the third version

int chirp_landlock_version(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, VERSION_ONLY);
    return version < 0 ? 0 : (int)version;
}

/// A ruleset that forbids all this kernel knows; negative when there is none.
static int new_ruleset(int version) {
    struct landlock_ruleset ruleset = {0};
    // Thirteen rights in the first version, and one each in the second, third and fifth.
    int rights = version < 2 ? 13 : version < 3 ? 14 : version < 5 ? 15 : 16;
    ruleset.files = (1ULL << rights) - 1;
    size_t size = sizeof ruleset.files;
    if (version >= 4) {
        ruleset.network = 3;  // to bind and to connect by TCP
        size = offsetof(struct landlock_ruleset, scopes);
    }
    if (version >= 6) {
        ruleset.scopes = 3;  // sockets without a path, and signals to others
        size = sizeof ruleset;
    }
    return (int)syscall(CREATE_RULESET, &ruleset, size, 0);
}

/// Allows what a program needs to read below a path or an open file; what is not there is left out.
static void allow(int ruleset, const char *path, int descriptor, uint64_t rights) {
    int parent = path ? open(path, O_PATH | O_CLOEXEC) : descriptor;
    if (parent < 0) return;
    struct stat facts;
    if (fstat(parent, &facts) == 0) {
        if (!S_ISDIR(facts.st_mode)) rights &= FILE_EXECUTE | FILE_WRITE | FILE_READ | FILE_TRUNCATE;
        struct landlock_rule rule = {rights, parent};
        syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0);
    }
    if (path) close(parent);
}

// MARK: seccomp (seccomp(2)). What is forbidden fails with EPERM, so that a library that asks for it can go on.

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define FORBID(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), ANSWER(SECCOMP_RET_ERRNO | EPERM)

/// Installs the filter for all threads of the process. Returns 0 or the number of the error.
static int filter_calls(int may_start_programs) {
#ifndef THIS_ARCHITECTURE
    (void)may_start_programs;
    return ENOSYS;
#else
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
#ifdef __x86_64__
        // The numbers of the x32 interface lead around the list.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), ANSWER(SECCOMP_RET_KILL_PROCESS),
#endif
        FORBID(SYS_socket), FORBID(SYS_socketpair), FORBID(SYS_connect), FORBID(SYS_bind), FORBID(SYS_listen),
        FORBID(SYS_accept), FORBID(SYS_accept4), FORBID(SYS_ptrace), FORBID(SYS_process_vm_readv),
        FORBID(SYS_process_vm_writev), FORBID(SYS_pidfd_open), FORBID(SYS_pidfd_getfd), FORBID(SYS_pidfd_send_signal),
        FORBID(SYS_mount), FORBID(SYS_umount2), FORBID(SYS_pivot_root), FORBID(SYS_chroot), FORBID(SYS_unshare),
        FORBID(SYS_setns), FORBID(SYS_bpf), FORBID(SYS_perf_event_open), FORBID(SYS_userfaultfd), FORBID(SYS_keyctl),
        FORBID(SYS_add_key), FORBID(SYS_request_key), FORBID(SYS_io_uring_setup), FORBID(SYS_open_by_handle_at),
        FORBID(SYS_init_module), FORBID(SYS_finit_module), FORBID(SYS_kexec_load), FORBID(SYS_reboot),
        FORBID(SYS_swapon), FORBID(SYS_swapoff), FORBID(SYS_settimeofday), FORBID(SYS_clock_settime),
        FORBID(SYS_personality), FORBID(SYS_memfd_create), FORBID(SYS_shmget), FORBID(SYS_msgget), FORBID(SYS_semget),
        FORBID(SYS_mq_open),
        // A second thread is made by clone3, whose arguments a filter cannot see; without it glibc takes clone.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
        // What follows is allowed to programs that start others.
        BPF_STMT(BPF_MISC | BPF_TAX, 0),
        BPF_STMT(BPF_LD | BPF_IMM, may_start_programs ? 1 : 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1), ANSWER(SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_MISC | BPF_TXA, 0),
        FORBID(SYS_execve), FORBID(SYS_execveat), FORBID(SYS_kill), FORBID(SYS_tkill), FORBID(SYS_setrlimit),
#ifdef SYS_fork
        FORBID(SYS_fork), FORBID(SYS_vfork),
#endif
#ifdef SYS_open
        FORBID(SYS_open), FORBID(SYS_creat),
#endif
        FORBID(SYS_openat), FORBID(SYS_openat2),
        // Limits may be asked for, but not set: neither half of the address of new ones may be there.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 6),
        LOAD(args[2]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2]) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1), ANSWER(SECCOMP_RET_ALLOW),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
        // Threads, but no processes (CLONE_THREAD).
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x10000, 1, 0), ANSWER(SECCOMP_RET_ERRNO | EPERM),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) return errno;
    return 0;
#endif
}

/// Installs a second filter, for a program that stays one process: it has threads, and may become another program, but starts none,
/// and cannot prevent that it ends with whoever started it. Returns 0 or the number of the error.
static int filter_processes(void) {
    struct sock_filter filter[] = {
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
        LOAD(args[0]),
        FORBID(PR_SET_PDEATHSIG),
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x10000, 1, 0), ANSWER(SECCOMP_RET_ERRNO | EPERM),
        LOAD(nr),
#ifdef SYS_fork
        FORBID(SYS_fork), FORBID(SYS_vfork),
#endif
        ANSWER(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
}

// MARK: A process binds itself

/// How many threads there are; negative when it is not known.
static int count_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) return -1;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(tasks));) count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

int chirp_confine_self(int may_start_programs) {
    // Landlock binds the thread that asks for it; others would stay free.
    if (!may_start_programs && count_threads() != 1) return -EBUSY;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    int confined = 0;
    int version = chirp_landlock_version();
    if (version > 0 && !may_start_programs) {
        int ruleset = new_ruleset(version);
        if (ruleset < 0) return -errno;
        long result = syscall(RESTRICT_SELF, ruleset, 0);
        int code = errno;
        close(ruleset);
        if (result != 0) return -code;
        confined |= CHIRP_CONFINED_FILES;
    }
    // What the system lets only root do, root may not do here either.
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    if (syscall(SYS_capset, &header, none) != 0) return -errno;
    int code = filter_calls(may_start_programs);
    if (code != 0) return -code;
    return confined | CHIRP_CONFINED_CALLS;
}

static void *watch(void *argument) {
    struct pollfd other = {.fd = (int)(intptr_t)argument, .events = POLLRDHUP};
    for (;;) {
        if (poll(&other, 1, -1) > 0) _exit(0);
        if (errno != EINTR) _exit(1);
    }
}

int chirp_end_with(int socket) {
    pthread_t thread;
    int code = pthread_create(&thread, NULL, watch, (void *)(intptr_t)socket);
    if (code == 0) pthread_detach(thread);
    return code;
}

int chirp_memory_file(const void *bytes, size_t size) {
    int file = memfd_create("chirp", MFD_CLOEXEC);
    if (file < 0) return -errno;
    if (write(file, bytes, size) == (ssize_t)size && lseek(file, 0, SEEK_SET) == 0) return file;
    close(file);
    return -EIO;
}

// MARK: Starting one

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

/// In the new process: everything between vfork and execve. Returns the number of the error.
static int become(
    const char *path, char *const arguments[], const int *descriptors, int count,
    const struct chirp_confinement *confinement, const struct objects *objects, pid_t parent) {
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
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return errno;
    for (int index = 0; index < count; index++) {
        int source = descriptors[index] < 0 ? null : descriptors[index];
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
        if (getppid() != parent) return ESRCH;
    }

    if (confinement->is_foreign) {
        int version = chirp_landlock_version();
        if (version > 0) {
            int ruleset = new_ruleset(version);
            if (ruleset < 0) return errno;
            static const char *const folders[] = {"/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives"};
            for (size_t index = 0; index < sizeof folders / sizeof *folders; index++) {
                allow(ruleset, folders[index], -1, FILE_EXECUTE | FILE_READ | FILE_READ_FOLDER);
            }
            allow(ruleset, path, -1, FILE_EXECUTE | FILE_READ);
            // Swift reads the arguments there.
            allow(ruleset, "/proc/self", -1, FILE_READ | FILE_READ_FOLDER);
            // For programs that are started from there.
            allow(ruleset, "/dev/null", -1, FILE_READ | FILE_WRITE);
            for (int index = 0; index < count; index++) {
                struct stat facts;
                if (fstat(index, &facts) != 0) continue;
                uint64_t rights = S_ISDIR(facts.st_mode) ? FILE_EXECUTE | FILE_READ | FILE_READ_FOLDER : FILE_READ;
                // What is open for writing may be opened for that by its name too.
                int is_written = S_ISREG(facts.st_mode) && (fcntl(index, F_GETFL) & O_ACCMODE) != O_RDONLY;
                if (is_written) rights |= FILE_WRITE | (version >= 3 ? FILE_TRUNCATE : 0);
                allow(ruleset, NULL, index, rights);
            }
            for (int index = 0; objects && index < objects->count; index++) {
                allow(ruleset, objects->paths[index], -1, FILE_EXECUTE | FILE_READ);
            }
            if (syscall(RESTRICT_SELF, ruleset, 0) != 0) return errno;
        }
        if ((code = filter_calls(1))) return code;
        if (confinement->is_alone && (code = filter_processes())) return code;
    }
    char *const environment[] = {NULL};
    execve(path, arguments, environment);
    return errno;
}

int chirp_spawn_confined(
    const char *path, char *const arguments[], const int *descriptors, int count,
    const struct chirp_confinement *confinement, pid_t *process) {
    if (count < 0 || count > 16) return EINVAL;
    // Signals that came to this process while the two share their memory would run its handlers in the other.
    sigset_t all, before;
    sigfillset(&all);
    int code = pthread_sigmask(SIG_SETMASK, &all, &before);
    if (code != 0) return code;
    struct objects *objects = confinement->is_self ? loaded_objects() : NULL;
    volatile int failure = 0;
    pid_t parent = getpid();
    // Not fork: this process may be large, and copying what describes its memory takes milliseconds.
    pid_t child = vfork();
    if (child == 0) {
        failure = become(path, arguments, descriptors, count, confinement, objects, parent);
        _exit(127);
    }
    code = child < 0 ? errno : 0;
    free(objects);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0) return code;
    if (failure != 0) {
        int status;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        return failure;
    }
    *process = child;
    return 0;
}

static int64_t milliseconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int chirp_await_end(pid_t process, int64_t milliseconds) {
    enum { PIDFD_OPEN = 434 };
    int file = (int)syscall(PIDFD_OPEN, process, 0);
    if (file < 0) return -errno;
    struct pollfd end = {.fd = file, .events = POLLIN};
    int64_t now = milliseconds_now(), last = now + milliseconds;
    int result;
    for (;; now = milliseconds_now()) {
        int64_t left = last > now ? last - now : 0;
        // Longer waits are several.
        result = poll(&end, 1, left < 1 << 30 ? (int)left : 1 << 30);
        if (result > 0 || (result == 0 && left < 1 << 30) || (result < 0 && errno != EINTR)) break;
    }
    if (result < 0) result = -errno;
    close(file);
    return result;
}

int64_t chirp_process_time(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// MARK: Descriptors in messages (unix(7), SCM_RIGHTS)

// A mix with twelve stems has thirteen files.
enum { MOST_DESCRIPTORS = 16 };

union ancillary {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
};

ssize_t chirp_send_descriptors(int socket, const void *bytes, size_t size, const int *descriptors, int count) {
    if (count < 0 || count > MOST_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    struct iovec part = {(void *)bytes, size};
    union ancillary ancillary;
    memset(&ancillary, 0, sizeof ancillary);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        message.msg_control = &ancillary;
        message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, (size_t)count * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t chirp_receive_descriptors(int socket, void *bytes, size_t size, int *descriptors, int most, int *count) {
    struct iovec part = {bytes, size};
    union ancillary ancillary;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
    *count = 0;
    ssize_t result = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (result < 0) return result;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < found; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
            if (*count < most) {
                descriptors[(*count)++] = descriptor;
            } else {
                close(descriptor);
            }
        }
    }
    return result;
}

int chirp_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }
