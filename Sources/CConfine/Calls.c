// The list of system calls that are allowed (seccomp(2)). It was made from traces of all formats, pictures, films, tracks and
// voices with glibc 2.36, and has what other versions of it take instead.
//
// A call that is not in the list fails with EPERM, or with ENOSYS if it is newer than Linux 5.1, which makes a library take the
// older one: a call that a new library makes without need ends no decoding. Calls that no program here ever makes end the process.
#define _GNU_SOURCE
#include "Bounds.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef THIS_ARCHITECTURE

enum {
    /// This program.
    OURS = DECODER | STARTER,
    /// What a dynamic linker runs for, and what opens files by their names.
    NAMING = STARTER | PROGRAM | OWNERS,
    EVERYBODY = OURS | PROGRAM | OWNERS,
};

/// How an argument is looked at. Of those that are `int` the kernel takes the lower half alone, and so is done here.
enum test { ANY, EQUALS, WITH, WITHOUT, IS_NULL, IS_SELF, IS_PATH };

struct condition {
    enum test test;
    int argument;
    uint32_t value;
};

/// Allows a call if all conditions are met; several rules may name the same one.
struct rule {
    int call;
    unsigned who;
    /// The least version of Landlock that has to bind the process beside it.
    int landlock;
    struct condition conditions[2];
};

#define NAMESPACES (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
/// Of clone(2): what pthread_create asks for.
#define A_THREAD (CLONE_VM | CLONE_SIGHAND | CLONE_THREAD)
#define OF_A_THREAD                                                                                                        \
    (A_THREAD | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID |        \
     CLONE_CHILD_SETTID | CLONE_DETACHED)
#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_TMPFILE)

/// How a file may be opened. A descriptor for neither reading nor writing (both bits) is no matter of Landlock, and O_TRUNC none
/// of its first two versions: whoever asks for that asks for writing too.
#define OPENING(call, flags)                                                                                               \
    {call, NAMING, 0, {{WITHOUT, flags, WRITING & ~O_DIRECTORY}}},                                                          \
    {call, OWNERS, 1, {{WITHOUT, flags, O_TRUNC}}},                                                                         \
    {call, OWNERS, 1, {{WITH, flags, O_WRONLY}, {WITHOUT, flags, O_RDWR}}},                                                 \
    {call, OWNERS, 1, {{WITH, flags, O_RDWR}, {WITHOUT, flags, O_WRONLY}}},                                                 \
    {call, WRITER, 0, {{WITH, flags, O_WRONLY}, {WITHOUT, flags, O_RDWR}}},                                                 \
    {call, WRITER, 0, {{WITH, flags, O_RDWR}, {WITHOUT, flags, O_WRONLY}}}

#define ASKING(call, who, argument, value) {call, who, 0, {{EQUALS, argument, value}}}

static const struct rule rules[] = {
    // What is asked for most often stands first.
    {SYS_futex, EVERYBODY}, {SYS_read, EVERYBODY}, {SYS_write, EVERYBODY}, {SYS_pread64, EVERYBODY},
    {SYS_pwrite64, EVERYBODY}, {SYS_madvise, EVERYBODY}, {SYS_munmap, EVERYBODY}, {SYS_ppoll, EVERYBODY},
#ifdef SYS_poll
    {SYS_poll, EVERYBODY},
#endif
    // Memory. No code is made but by the owner's programs; others load it from files, and decoders not even that.
    {SYS_mmap, EVERYBODY, 0, {{WITHOUT, 2, PROT_EXEC}}},
    {SYS_mmap, STARTER | PROGRAM, 0, {{WITHOUT, 3, MAP_ANONYMOUS}}},
    {SYS_mmap, OWNERS},
    {SYS_mprotect, EVERYBODY, 0, {{WITHOUT, 2, PROT_EXEC}}},
    {SYS_mprotect, OWNERS},
    {SYS_brk, EVERYBODY}, {SYS_mremap, EVERYBODY}, {SYS_mincore, NAMING}, {SYS_mlock, NAMING}, {SYS_munlock, NAMING},
    {SYS_get_mempolicy, NAMING}, {SYS_set_mempolicy, NAMING}, {SYS_mbind, OWNERS}, {SYS_msync, OWNERS},
    {SYS_membarrier, EVERYBODY},

    // What is open.
    {SYS_readv, EVERYBODY}, {SYS_writev, EVERYBODY}, {SYS_preadv, EVERYBODY}, {SYS_pwritev, EVERYBODY},
    {SYS_lseek, EVERYBODY}, {SYS_close, EVERYBODY}, {SYS_fstat, EVERYBODY}, {SYS_fadvise64, EVERYBODY},
    {SYS_recvmsg, OURS}, {SYS_sendmsg, OURS}, {SYS_ftruncate, OURS}, {SYS_fsync, OURS}, {SYS_fdatasync, OURS},
    ASKING(SYS_fcntl, EVERYBODY, 1, F_DUPFD), ASKING(SYS_fcntl, EVERYBODY, 1, F_DUPFD_CLOEXEC),
    ASKING(SYS_fcntl, EVERYBODY, 1, F_GETFD), ASKING(SYS_fcntl, EVERYBODY, 1, F_SETFD),
    ASKING(SYS_fcntl, EVERYBODY, 1, F_GETFL), ASKING(SYS_fcntl, NAMING, 1, F_SETFL),
    // Locks of files that it may open: without Landlock that were those of others too.
    {SYS_fcntl, OWNERS, 1, {{EQUALS, 1, F_GETLK}}}, {SYS_fcntl, OWNERS, 1, {{EQUALS, 1, F_SETLK}}},
    {SYS_fcntl, OWNERS, 1, {{EQUALS, 1, F_SETLKW}}}, {SYS_flock, OWNERS, 1},
    ASKING(SYS_fcntl, OWNERS, 1, F_GETPIPE_SZ), ASKING(SYS_fcntl, OWNERS, 1, F_SETPIPE_SZ),
    ASKING(SYS_ioctl, NAMING, 1, TCGETS), ASKING(SYS_ioctl, OWNERS, 1, FIONREAD), ASKING(SYS_ioctl, OWNERS, 1, FIOCLEX),
    ASKING(SYS_ioctl, OWNERS, 1, FIONBIO),
    {SYS_dup, NAMING}, {SYS_dup3, NAMING}, {SYS_pipe2, NAMING}, {SYS_close_range, NAMING}, {SYS_pselect6, NAMING},
    {SYS_sendfile, OWNERS}, {SYS_splice, OWNERS}, {SYS_tee, OWNERS}, {SYS_copy_file_range, OWNERS},
    {SYS_epoll_create1, OWNERS}, {SYS_epoll_ctl, OWNERS}, {SYS_epoll_pwait, OWNERS}, {SYS_eventfd2, OWNERS},
    {SYS_timerfd_create, OWNERS}, {SYS_timerfd_settime, OWNERS}, {SYS_timerfd_gettime, OWNERS}, {SYS_signalfd4, OWNERS},

    // Files by their names. The kernel shows facts of all of them, whatever Landlock says: the linker needs that call, and a filter
    // does not see names.
    OPENING(SYS_openat, 2),
    {SYS_newfstatat, NAMING}, {SYS_statx, NAMING}, {SYS_faccessat, NAMING}, {SYS_faccessat2, NAMING},
    {SYS_readlinkat, NAMING}, {SYS_getdents64, NAMING}, {SYS_statfs, NAMING}, {SYS_fstatfs, NAMING},
    {SYS_getcwd, NAMING}, {SYS_chdir, OWNERS}, {SYS_fchdir, OWNERS}, {SYS_umask, NAMING},
#ifdef SYS_open
    OPENING(SYS_open, 1),
    {SYS_stat, NAMING}, {SYS_lstat, NAMING}, {SYS_access, NAMING}, {SYS_readlink, NAMING}, {SYS_getdents, NAMING},
    {SYS_dup2, NAMING}, {SYS_pipe, NAMING}, {SYS_select, NAMING}, {SYS_epoll_create, OWNERS}, {SYS_epoll_wait, OWNERS},
    {SYS_eventfd, OWNERS}, {SYS_signalfd, OWNERS}, {SYS_alarm, OWNERS}, {SYS_pause, OWNERS}, {SYS_getpgrp, OWNERS},
    {SYS_time, EVERYBODY}, {SYS_arch_prctl, NAMING}, {SYS_fork, OWNERS}, {SYS_vfork, OWNERS},
#endif

    // Threads, and what they ask of themselves.
    {SYS_clone, EVERYBODY, 0, {{WITH, 0, A_THREAD}, {WITHOUT, 0, ~(uint32_t)OF_A_THREAD}}},
    {SYS_set_robust_list, EVERYBODY}, {SYS_rseq, EVERYBODY}, {SYS_set_tid_address, NAMING}, {SYS_gettid, EVERYBODY},
    {SYS_sched_yield, EVERYBODY}, {SYS_sched_getaffinity, EVERYBODY}, {SYS_sched_getparam, NAMING},
    {SYS_sched_getscheduler, NAMING}, {SYS_sched_get_priority_max, NAMING}, {SYS_sched_get_priority_min, NAMING},
    ASKING(SYS_sched_setaffinity, OWNERS, 0, 0), {SYS_sched_setaffinity, OWNERS, 0, {{IS_SELF, 0}}},
    {SYS_getcpu, EVERYBODY}, {SYS_exit, EVERYBODY}, {SYS_exit_group, EVERYBODY},
    ASKING(SYS_prctl, EVERYBODY, 0, PR_SET_NAME), ASKING(SYS_prctl, EVERYBODY, 0, PR_GET_NAME),
    ASKING(SYS_prctl, EVERYBODY, 0, 0x53564D41 /* PR_SET_VMA: names of memory */),
    ASKING(SYS_prctl, NAMING, 0, PR_CAPBSET_READ), ASKING(SYS_prctl, NAMING, 0, PR_GET_DUMPABLE),

    // Signals: to itself. From the sixth version on Landlock keeps a program and what it has started to themselves.
    {SYS_rt_sigaction, EVERYBODY}, {SYS_rt_sigprocmask, EVERYBODY}, {SYS_rt_sigreturn, EVERYBODY},
    {SYS_rt_sigsuspend, OWNERS}, {SYS_rt_sigtimedwait, OWNERS}, {SYS_rt_sigpending, OWNERS},
    {SYS_sigaltstack, EVERYBODY}, {SYS_restart_syscall, EVERYBODY},
    {SYS_tgkill, EVERYBODY, 0, {{IS_SELF, 0}}}, {SYS_kill, EVERYBODY, 0, {{IS_SELF, 0}}},
    {SYS_tgkill, OWNERS, 6}, {SYS_tkill, OWNERS, 6}, {SYS_kill, OWNERS, 6},
    {SYS_setitimer, OWNERS}, {SYS_getitimer, OWNERS},

    // Time, chance, and what the machine is.
    {SYS_clock_gettime, EVERYBODY}, {SYS_clock_getres, EVERYBODY}, {SYS_clock_nanosleep, EVERYBODY},
    {SYS_nanosleep, EVERYBODY}, {SYS_gettimeofday, EVERYBODY}, {SYS_getrandom, EVERYBODY}, {SYS_uname, EVERYBODY},
    {SYS_sysinfo, EVERYBODY}, {SYS_times, NAMING}, {SYS_getrusage, EVERYBODY}, {SYS_getpid, EVERYBODY},
    {SYS_getppid, EVERYBODY}, {SYS_getuid, EVERYBODY}, {SYS_geteuid, EVERYBODY}, {SYS_getgid, EVERYBODY},
    {SYS_getegid, EVERYBODY}, {SYS_getgroups, OWNERS}, {SYS_getresuid, OWNERS}, {SYS_getresgid, OWNERS},
    {SYS_getpgid, OWNERS}, {SYS_getsid, OWNERS}, {SYS_getpriority, NAMING}, {SYS_capget, NAMING},
    // Limits: all may ask for their own, and those that start others lower them.
    {SYS_getrlimit, EVERYBODY}, {SYS_prlimit64, EVERYBODY, 0, {{EQUALS, 0, 0}, {IS_NULL, 2}}},
    ASKING(SYS_prlimit64, STARTER | OWNERS, 0, 0), {SYS_setrlimit, STARTER | OWNERS},

    // Other programs. One that stays what it is becomes that by its first call, and has no other path with this address. What an owner's
    // program starts stays in its group, and is ended with it.
    {SYS_execve, PROGRAM, 0, {{IS_PATH, 0}}}, {SYS_execve, STARTER | OWNERS},
    {SYS_clone, STARTER | OWNERS, 0, {{WITHOUT, 0, NAMESPACES | CLONE_PTRACE | CLONE_UNTRACED | CLONE_PARENT}}},
    {SYS_wait4, STARTER | OWNERS}, {SYS_waitid, STARTER | OWNERS}, {SYS_setsid, STARTER},
    // The one that starts `ffmpeg` binds it, and ends it by the descriptor that it got with it: it can open none of others.
    {SYS_pidfd_send_signal, STARTER}, {SYS_capset, STARTER}, {SYS_seccomp, STARTER},
    {444, STARTER}, {445, STARTER}, {446, STARTER},  // landlock_create_ruleset, ..._add_rule, ..._restrict_self
    ASKING(SYS_prctl, STARTER, 0, PR_SET_NO_NEW_PRIVS), ASKING(SYS_prctl, STARTER, 0, PR_SET_PDEATHSIG),
};

/// Made by nobody who decodes: whoever makes them has taken the process over.
static const int hostile[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_bpf, SYS_kexec_load, SYS_init_module, SYS_finit_module,
    SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns,
    SYS_open_by_handle_at,
};

/// The first that has the same number on all architectures (Linux 5.1).
enum { FIRST_OF_THE_NEWER = 424 };

struct filter {
    struct sock_filter code[1024];
    unsigned short count;
};

static void add(struct filter *filter, uint16_t code, uint32_t value, uint8_t yes, uint8_t no) {
    if (filter->count < sizeof filter->code / sizeof *filter->code) {
        filter->code[filter->count++] = (struct sock_filter){code, yes, no, value};
    }
}

static void load(struct filter *filter, size_t offset) { add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }

static void answer(struct filter *filter, uint32_t value) { add(filter, BPF_RET | BPF_K, value, 0, 0); }

static void answer_to(struct filter *filter, int call, uint32_t value) {
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
    answer(filter, value);
}

/// Compares half of an argument; on what fails it goes on behind the rule, which `finish` fills in.
static void compare(struct filter *filter, const struct condition *condition, int is_upper, uint16_t how, uint32_t value) {
    load(filter, offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)condition->argument + (is_upper ? 4 : 0));
    // Both architectures have the lower half first.
    add(filter, BPF_JMP | how | BPF_K, value, 0, 0);
}

static void add_rule(struct filter *filter, const struct rule *rule, const char *path) {
    if (rule->conditions[0].test == ANY) {
        answer_to(filter, rule->call, SECCOMP_RET_ALLOW);
        return;
    }
    unsigned first = filter->count;
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)rule->call, 0, 0);
    for (int index = 0; index < 2; index++) {
        const struct condition *condition = &rule->conditions[index];
        switch (condition->test) {
        case ANY: break;
        case EQUALS: compare(filter, condition, 0, BPF_JEQ, condition->value); break;
        case IS_SELF: compare(filter, condition, 0, BPF_JEQ, (uint32_t)getpid()); break;
        case IS_NULL:
            compare(filter, condition, 0, BPF_JEQ, 0);
            compare(filter, condition, 1, BPF_JEQ, 0);
            break;
        case IS_PATH:
            compare(filter, condition, 0, BPF_JEQ, (uint32_t)(uintptr_t)path);
            compare(filter, condition, 1, BPF_JEQ, (uint32_t)((uint64_t)(uintptr_t)path >> 32));
            break;
        case WITH:
            load(filter, offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)condition->argument);
            add(filter, BPF_ALU | BPF_AND | BPF_K, condition->value, 0, 0);
            add(filter, BPF_JMP | BPF_JEQ | BPF_K, condition->value, 0, 0);
            break;
        case WITHOUT: compare(filter, condition, 0, BPF_JSET, condition->value); break;
        }
    }
    answer(filter, SECCOMP_RET_ALLOW);
    unsigned behind = filter->count;
    load(filter, offsetof(struct seccomp_data, nr));
    for (unsigned index = first; index < behind; index++) {
        struct sock_filter *step = &filter->code[index];
        if (BPF_CLASS(step->code) != BPF_JMP) continue;
        // The number of the call is still there when it is another one.
        uint8_t distance = (uint8_t)(behind - index - (index == first ? 0 : 1));
        if (BPF_OP(step->code) == BPF_JSET) step->jt = distance; else step->jf = distance;
    }
}

#if defined(__x86_64__)
#define ARGUMENT(context, number) ((context)->uc_mcontext.gregs[(const int[]){REG_RDI, REG_RSI, REG_RDX, REG_R10}[number]])
#define RESULT(context) ((context)->uc_mcontext.gregs[REG_RAX])
#else
#define ARGUMENT(context, number) ((context)->uc_mcontext.regs[number])
#define RESULT(context) ((context)->uc_mcontext.regs[0])
#endif

/// Answers newfstatat(2) where it means an open file: from 2.33 on glibc's fstat is that. A filter does not see whether it has a name,
/// so the call itself is not in the list of decoders.
static void answer_trap(int signal, siginfo_t *info, void *state) {
    (void)signal;
    ucontext_t *context = state;
    int before = errno;
    long result = -EPERM;
    if (info->si_syscall == SYS_newfstatat) {
        const char *name = (const char *)(uintptr_t)ARGUMENT(context, 1);
        if ((ARGUMENT(context, 3) & AT_EMPTY_PATH) != 0 && name != NULL && *name == 0) {
            result = syscall(SYS_fstat, (int)ARGUMENT(context, 0), (void *)(uintptr_t)ARGUMENT(context, 2));
            if (result != 0) result = -errno;
        }
    }
    RESULT(context) = result;
    errno = before;
}

int chirp_filter_calls(unsigned who, int landlock, const char *path) {
    if ((who & DECODER) != 0) {
        struct sigaction action = {.sa_sigaction = answer_trap, .sa_flags = SA_SIGINFO | SA_RESTART};
        if (sigaction(SIGSYS, &action, NULL) != 0) return errno;
    }
    struct filter filter = {.count = 0};
    load(&filter, offsetof(struct seccomp_data, arch));
    add(&filter, BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0);
    answer(&filter, SECCOMP_RET_KILL_PROCESS);
    load(&filter, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    // The numbers of the x32 interface are other names for the same calls.
    add(&filter, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    answer(&filter, SECCOMP_RET_KILL_PROCESS);
#endif
    for (size_t index = 0; index < sizeof rules / sizeof *rules; index++) {
        const struct rule *rule = &rules[index];
        if ((rule->who & who) != 0 && rule->landlock <= landlock) add_rule(&filter, rule, path);
    }
    for (size_t index = 0; index < sizeof hostile / sizeof *hostile; index++) {
        answer_to(&filter, hostile[index], SECCOMP_RET_KILL_PROCESS);
    }
    if ((who & (DECODER | PROGRAM)) != 0) {
        answer_to(&filter, SYS_execve, SECCOMP_RET_KILL_PROCESS);
        answer_to(&filter, SYS_execveat, SECCOMP_RET_KILL_PROCESS);
    }
    if ((who & DECODER) != 0) answer_to(&filter, SYS_newfstatat, SECCOMP_RET_TRAP);
    // What is no terminal answers so.
    answer_to(&filter, SYS_ioctl, SECCOMP_RET_ERRNO | ENOTTY);
    answer_to(&filter, SYS_statx, SECCOMP_RET_ERRNO | ENOSYS);
    add(&filter, BPF_JMP | BPF_JGE | BPF_K, FIRST_OF_THE_NEWER, 0, 1);
    answer(&filter, SECCOMP_RET_ERRNO | ENOSYS);
    answer(&filter, SECCOMP_RET_ERRNO | EPERM);
    if (filter.count >= sizeof filter.code / sizeof *filter.code) return E2BIG;
    struct sock_fprog program = {filter.count, filter.code};
    // The answer is the number of a thread that could not be bound, or an error.
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    return result == 0 ? 0 : result < 0 ? errno : EBUSY;
}

#else

int chirp_filter_calls(unsigned who, int landlock, const char *path) {
    (void)who, (void)landlock, (void)path;
    return ENOSYS;
}

#endif
