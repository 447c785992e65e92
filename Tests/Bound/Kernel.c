#define _GNU_SOURCE
#include "Attempt.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define ATTEMPT(name, expression)                                                                                          \
    static long name(const struct scene *scene) {                                                                          \
        (void)scene;                                                                                                       \
        return expression;                                                                                                 \
    }

ATTEMPT(internet, socket(AF_INET, SOCK_STREAM, 0))
ATTEMPT(internet_6, socket(AF_INET6, SOCK_DGRAM, 0))
ATTEMPT(local, socket(AF_UNIX, SOCK_STREAM, 0))
ATTEMPT(kernel, socket(AF_NETLINK, SOCK_RAW, 0))
ATTEMPT(pair, socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0}))

// Memory that can be run.
ATTEMPT(map_code, mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0)
ATTEMPT(map_file_code, mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, scene->held, 0) == MAP_FAILED ? -1 : 0)

static long protect_code(const struct scene *scene) {
    (void)scene;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

static long protect_by_key(const struct scene *scene) {
    (void)scene;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return syscall(SYS_pkey_mprotect, page, 4096, PROT_READ | PROT_EXEC, -1);
}

ATTEMPT(memory_file, syscall(SYS_memfd_create, "x", 0))
ATTEMPT(secret_memory, syscall(447 /* memfd_secret */, 0))
ATTEMPT(share_memory, syscall(SYS_shmget, IPC_PRIVATE, 4096, 0600))
ATTEMPT(make_messages, syscall(SYS_msgget, IPC_PRIVATE, 0600))
ATTEMPT(make_semaphore, syscall(SYS_semget, IPC_PRIVATE, 1, 0600))
ATTEMPT(make_queue, syscall(SYS_mq_open, "chirp-bound", O_RDWR | O_CREAT, 0600, NULL))
ATTEMPT(read_implies_exec, syscall(SYS_personality, 0x0400000))
ATTEMPT(page_faults, syscall(SYS_userfaultfd, 1))

// What reaches far into the kernel.
ATTEMPT(ring, syscall(425 /* io_uring_setup */, 1, (char[256]){0}))

static long counters(const struct scene *scene) {
    (void)scene;
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.exclude_kernel = 1;
    return syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}

static long kernel_code(const struct scene *scene) {
    (void)scene;
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.map_type = BPF_MAP_TYPE_ARRAY;
    attributes.key_size = attributes.value_size = 4;
    attributes.max_entries = 1;
    return syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
}

ATTEMPT(keys, syscall(SYS_keyctl, 0 /* KEYCTL_GET_KEYRING_ID */, -3, 1))
ATTEMPT(new_key, syscall(SYS_add_key, "user", "chirp-bound", "x", 1, -3))
ATTEMPT(mount_name, syscall(SYS_mount, "none", scene->folder, "tmpfs", 0, NULL))
ATTEMPT(mount_new, syscall(430 /* fsopen */, "tmpfs", 0))
ATTEMPT(copy_tree, syscall(428 /* open_tree */, AT_FDCWD, scene->folder, 0))
ATTEMPT(other_root, syscall(SYS_chroot, scene->folder))
ATTEMPT(kernel_module, syscall(SYS_finit_module, scene->held, "", 0))
ATTEMPT(kernel_log, syscall(SYS_syslog, 10, NULL, 0))
ATTEMPT(ask_quota, syscall(SYS_quotactl, 0x800007 << 8, NULL, 0, &(int){0}))

static long set_clock(const struct scene *scene) {
    (void)scene;
    struct timex nothing;
    memset(&nothing, 0, sizeof nothing);
    return syscall(SYS_clock_adjtime, CLOCK_REALTIME, &nothing);
}

#ifdef __x86_64__
ATTEMPT(x32, syscall(0x40000000 | SYS_getpid))
#endif

const struct attempt kernel_attempts[] = {
    {"socket-inet", internet, 1}, {"socket-inet6", internet_6, 0}, {"socket-unix", local, 1},
    {"socket-netlink", kernel, 1}, {"socketpair", pair, 1}, {"mmap-code", map_code, 1},
    {"mmap-file-code", map_file_code, 1}, {"mprotect-code", protect_code, 1}, {"pkey-code", protect_by_key, 0},
    {"memfd", memory_file, 1}, {"memfd-secret", secret_memory, 0}, {"shmget", share_memory, 0},
    {"msgget", make_messages, 0}, {"semget", make_semaphore, 0}, {"mq-open", make_queue, 0},
    {"personality", read_implies_exec, 0}, {"userfaultfd", page_faults, 0}, {"io-uring", ring, 0},
    {"perf", counters, 0}, {"bpf", kernel_code, 0}, {"keyctl", keys, 0}, {"add-key", new_key, 0},
    {"mount", mount_name, 0}, {"fsopen", mount_new, 0}, {"open-tree", copy_tree, 0}, {"chroot", other_root, 0},
    {"module", kernel_module, 0}, {"syslog", kernel_log, 0}, {"quotactl", ask_quota, 0}, {"clock", set_clock, 1},
#ifdef __x86_64__
    {"x32", x32, 0},
#endif
    {NULL, NULL, 0},
};
