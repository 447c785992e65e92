#pragma once
// A child process that holds nothing: started with no environment and no descriptors but those it is given, and bound by the
// kernel before it sees a byte from a stranger.
//
// Written in C because between fork(2) and execve(2) only functions are allowed that know nothing of threads and locks
// (POSIX.1-2017, fork), and because limits, Landlock and seccomp are system calls without wrappers in glibc 2.36.
#include <stdint.h>
#include <sys/types.h>

/// What a child may use. A limit of 0 means none of it; UINT64_MAX means no limit.
struct chirp_confinement {
    /// Processor time in seconds (RLIMIT_CPU).
    uint64_t processor_seconds;
    /// Address space in bytes (RLIMIT_AS).
    uint64_t memory_bytes;
    /// The largest file it may write, in bytes (RLIMIT_FSIZE); pipes and sockets do not count.
    uint64_t file_bytes;
    /// The highest descriptor plus one (RLIMIT_NOFILE).
    uint64_t descriptors;
    /// Not 0: bind the program before it begins by Landlock and seccomp too, so that it may only read below the folders of
    /// programs and libraries, and the files and folders that it is given, and write those files that it is given for writing; for
    /// programs that cannot bind themselves.
    int is_foreign;
    /// Not 0: the kernel ends it with the thread that has started it, which is therefore to be one that lives as long as its process.
    int is_alone;
    /// Not 0: a foreign program may start others, which are bound as it is, and make code; for the owner's. Without, it has threads.
    int starts_programs;
    /// Not 0: a foreign program may also read this program and the libraries it has loaded, since it is this program, and start others.
    int is_self;
    /// Not 0: as on a kernel that has none of Landlock's versions from this one on; for tests.
    int landlock_before;
};

/// What of the confinement is in force, as bits; a kernel without Landlock leaves out the first.
enum { CHIRP_CONFINED_FILES = 1, CHIRP_CONFINED_CALLS = 2 };

/// Starts a program in a session of its own. Its descriptors 0, 1, ... are `descriptors`, and it has no others; a negative one
/// is /dev/null. Signals have their defaults and none is blocked.
///
/// Returns 0, the process, and a descriptor that stands for it, which the caller closes; or the number of the error.
int chirp_spawn_confined(
    const char *path, char *const arguments[], const int *descriptors, int count,
    const struct chirp_confinement *confinement, pid_t *process, int *handle);

/// Ends a child, and what it has started where that is its own group.
void chirp_kill(pid_t process, int handle);

/// Binds the calling process for good: no file may be opened (Landlock), and no calls are left but those that decoding takes
/// (seccomp): none of them names a file or another process, starts a program, makes a socket or makes memory into code.
/// Descriptors that it has or is sent stay usable. To be called before there is a second thread.
///
/// With `may_start_programs`, what bound it when it was started (`is_foreign`) is all that binds it. `landlock_before` as above.
///
/// Returns the bits that are in force, or the negative number of an error: then nothing from a stranger must be read.
int chirp_confine_self(int may_start_programs, int landlock_before);

/// Ends the calling process as soon as the other end of a socket or pipe is closed: a child does not outlive the one it works for.
/// Returns 0 or the number of the error.
int chirp_end_with(int socket);

/// A file in memory that holds these bytes, read from its beginning, closed on exec. Returns its descriptor or a negative number.
int chirp_memory_file(const void *bytes, size_t size);

/// The version of Landlock that this kernel has; 0 when it has none.
int chirp_landlock_version(void);

/// Waits until the child of a descriptor has ended, which stays to be collected, for at most so many milliseconds. Returns 1 when it has, 0 when
/// it goes on, or the negative number of an error.
int chirp_await_end(int handle, int64_t milliseconds);

/// Processor time that a child has used so far, in nanoseconds; negative when it is not known.
int64_t chirp_process_time(pid_t process);

/// Sends bytes over a socket, with descriptors beside the first of them. Returns what sendmsg(2) returns; never raises SIGPIPE.
ssize_t chirp_send_descriptors(int socket, const void *bytes, size_t size, const int *descriptors, int count);

/// Receives bytes and at most `most` descriptors, which are closed on exec. Returns what recvmsg(2) returns.
ssize_t chirp_receive_descriptors(int socket, void *bytes, size_t size, int *descriptors, int most, int *count);

/// Both ends of a pipe, closed on exec from the beginning: `ends[0]` to read, `ends[1]` to write. Returns 0 or the number of the error.
int chirp_pipe(int ends[2]);
