#define _GNU_SOURCE
#include "Attempt.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define ATTEMPT(name, expression)                                                                                          \
    static long name(const struct scene *scene) {                                                                          \
        (void)scene;                                                                                                       \
        return expression;                                                                                                 \
    }

// A signal that nobody minds.
ATTEMPT(signal_process, syscall(SYS_kill, scene->victim, SIGWINCH))
ATTEMPT(signal_all, syscall(SYS_kill, -1, 0))
ATTEMPT(signal_parent, syscall(SYS_kill, getppid(), SIGWINCH))
ATTEMPT(signal_thread, syscall(SYS_tkill, scene->victim, SIGWINCH))
ATTEMPT(signal_group, syscall(SYS_tgkill, scene->victim, scene->victim, SIGWINCH))
ATTEMPT(ask_whether_there, syscall(SYS_kill, scene->victim, 0))

static long queue_signal(const struct scene *scene) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_code = SI_QUEUE;
    return syscall(SYS_rt_sigqueueinfo, scene->victim, SIGWINCH, &info);
}

static long queue_to_thread(const struct scene *scene) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_code = SI_QUEUE;
    return syscall(SYS_rt_tgsigqueueinfo, scene->victim, scene->victim, SIGWINCH, &info);
}

ATTEMPT(open_process, syscall(434 /* pidfd_open */, scene->victim, 0))

static long signal_by_file(const struct scene *scene) {
    // The folder of a process in /proc stands for it too.
    char path[64];
    snprintf(path, sizeof path, "/proc/%d", scene->victim);
    int process = open(path, O_RDONLY | O_DIRECTORY);
    return process < 0 ? -1 : syscall(424 /* pidfd_send_signal */, process, SIGWINCH, NULL, 0);
}

/// Has the kernel signal it when something can be read.
static long own_by_another(const struct scene *scene) {
    int ends[2];
    return pipe(ends) != 0 ? -1 : fcntl(ends[0], F_SETOWN, scene->victim);
}

ATTEMPT(trace, ptrace(PTRACE_SEIZE, scene->victim, NULL, NULL))

static char byte;
static long read_memory(const struct scene *scene) {
    struct iovec here = {&byte, 1}, there = {(void *)(uintptr_t)&byte, 1};
    return process_vm_readv(scene->victim, &here, 1, &there, 1, 0);
}

static long write_memory(const struct scene *scene) {
    struct iovec here = {&byte, 1}, there = {(void *)(uintptr_t)&byte, 1};
    return process_vm_writev(scene->victim, &here, 1, &there, 1, 0);
}

static long open_of_process(const struct scene *scene, const char *name, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", scene->victim, name);
    return open(path, flags);
}

ATTEMPT(read_environment, open_of_process(scene, "environ", O_RDONLY))
ATTEMPT(open_memory, open_of_process(scene, "mem", O_RDWR))

static long set_limit(const struct scene *scene) {
    struct rlimit limit;
    if (prlimit(scene->victim, RLIMIT_CORE, NULL, &limit) != 0) limit = (struct rlimit){0, 0};
    return prlimit(scene->victim, RLIMIT_CORE, &limit, NULL);
}

ATTEMPT(read_limit, syscall(SYS_prlimit64, scene->victim, RLIMIT_CORE, NULL, NULL))

static long set_processors(const struct scene *scene) {
    cpu_set_t all;
    memset(&all, 0xFF, sizeof all);
    return syscall(SYS_sched_setaffinity, scene->victim, sizeof all, &all);
}

ATTEMPT(set_priority, syscall(SYS_setpriority, PRIO_PROCESS, scene->victim, 0))
ATTEMPT(set_input_priority, syscall(SYS_ioprio_set, 1, scene->victim, 0))

static long set_schedule(const struct scene *scene) {
    struct sched_param none = {0};
    return syscall(SYS_sched_setscheduler, scene->victim, SCHED_OTHER, &none);
}

ATTEMPT(find_locks, (syscall(SYS_get_robust_list, scene->victim, &(void *){NULL}, &(size_t){0})))
ATTEMPT(compare, syscall(SYS_kcmp, scene->victim, getpid(), 1, 0, 0))
ATTEMPT(move_group, syscall(SYS_setpgid, scene->victim, 0))

/// A new process says by its end that it has been there.
static long ended(long process) {
    if (process == 0) _exit(0);
    if (process < 0) return -1;
    int status;
    while (waitpid((pid_t)process, &status, 0) < 0) {}
    return 0;
}

ATTEMPT(new_process, ended(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL)))
ATTEMPT(new_process_3, ended(syscall(SYS_clone3, &(uint64_t[11]){[4] = SIGCHLD}, 11 * sizeof(uint64_t))))
ATTEMPT(new_sibling, syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL) < 0 ? -1 : 0)
ATTEMPT(new_names, ended(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL)))
#ifdef SYS_fork
ATTEMPT(old_fork, ended(syscall(SYS_fork)))
#endif

// It ends with 1, as a successful attempt does.
static long run_tool(const struct scene *scene) {
    char *const none[] = {"tool", NULL};
    return syscall(SYS_execve, in_folder(scene, "tool"), none, none + 1);
}

static long run_tool_at(const struct scene *scene) {
    char *const none[] = {"tool", NULL};
    return syscall(SYS_execveat, AT_FDCWD, in_folder(scene, "tool"), none, none + 1, 0);
}

static long run_system(const struct scene *scene) {
    (void)scene;
    char *const none[] = {"false", NULL};
    return syscall(SYS_execve, "/bin/false", none, none + 1);
}

ATTEMPT(outlive, prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0))
ATTEMPT(be_looked_at, prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))
ATTEMPT(new_user_space, syscall(SYS_unshare, CLONE_NEWUSER))
ATTEMPT(own_files, syscall(SYS_unshare, CLONE_FILES))
ATTEMPT(set_user, syscall(SYS_setresuid, getuid(), getuid(), getuid()))
ATTEMPT(set_groups, syscall(SYS_setgroups, 0, NULL))

const struct attempt process_attempts[] = {
    {"kill", signal_process, 1}, {"kill-all", signal_all, 1}, {"kill-parent", signal_parent, 1},
    {"kill-0", ask_whether_there, 1}, {"tkill", signal_thread, 1}, {"tgkill", signal_group, 1},
    {"sigqueue", queue_signal, 1}, {"tgsigqueue", queue_to_thread, 1}, {"pidfd-open", open_process, 1},
    {"pidfd-signal", signal_by_file, 1}, {"set-owner", own_by_another, 1}, {"ptrace", trace, 0},
    {"vm-read", read_memory, 0}, {"vm-write", write_memory, 0}, {"proc-environ", read_environment, 1},
    {"proc-mem", open_memory, 0}, {"prlimit-set", set_limit, 1}, {"prlimit-read", read_limit, 1},
    {"setaffinity", set_processors, 1}, {"setpriority", set_priority, 1}, {"ioprio", set_input_priority, 0},
    {"setscheduler", set_schedule, 1}, {"robust-list", find_locks, 0}, {"kcmp", compare, 0},
    {"setpgid", move_group, 0}, {"fork", new_process, 1}, {"clone3", new_process_3, 0}, {"clone-parent", new_sibling, 1},
    {"clone-user", new_names, 0},
#ifdef SYS_fork
    {"old-fork", old_fork, 1},
#endif
    {"execve", run_tool, 1}, {"execveat", run_tool_at, 1}, {"execve-system", run_system, 1},
    {"pdeathsig", outlive, 1}, {"dumpable", be_looked_at, 1}, {"unshare-user", new_user_space, 0},
    {"unshare-files", own_files, 1}, {"setuid", set_user, 1}, {"setgroups", set_groups, 0}, {NULL, NULL, 0},
};
