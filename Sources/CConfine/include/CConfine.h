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
    /// Not 0: a foreign program starts no processes, and the kernel ends it with the thread that has started it, which is therefore
    /// to be one that lives as long as its process.
    int is_alone;
    /// Not 0: a foreign program may also read this program and the libraries it has loaded, since it is this program.
    int is_self;
};

/// What of the confinement is in force, as bits; a kernel without Landlock leaves out the first.
enum { CHIRP_CONFINED_FILES = 1, CHIRP_CONFINED_CALLS = 2 };

/// Starts a program in a session of its own. Its descriptors 0, 1, ... are `descriptors`, and it has no others; a negative one
/// is /dev/null. Signals have their defaults and none is blocked.
///
/// Returns 0 and the process, or the number of the error.
int chirp_spawn_confined(
    const char *path, char *const arguments[], const int *descriptors, int count,
    const struct chirp_confinement *confinement, pid_t *process);

/// Binds the calling process for good: no file may be opened (Landlock), nothing started, no socket made and no other process
/// touched (seccomp). Descriptors that it has or is sent stay usable. To be called before there is a second thread.
///
/// With `may_start_programs`, what bound it when it was started (`is_foreign`) is all that binds it.
///
/// Returns the bits that are in force, or the negative number of an error: then nothing from a stranger must be read.
int chirp_confine_self(int may_start_programs);

/// Ends the calling process as soon as the other end of a socket or pipe is closed: a child does not outlive the one it works for.
/// Returns 0 or the number of the error.
int chirp_end_with(int socket);

/// A file in memory that holds these bytes, read from its beginning, closed on exec. Returns its descriptor or a negative number.
int chirp_memory_file(const void *bytes, size_t size);

/// The version of Landlock that this kernel has; 0 when it has none.
int chirp_landlock_version(void);

/// Waits until a child has ended, which stays to be collected, for at most so many milliseconds (pidfd_open(2)). Returns 1 when it has, 0 when
/// it goes on, or the negative number of an error.
int chirp_await_end(pid_t process, int64_t milliseconds);

/// Processor time that a child has used so far, in nanoseconds; negative when it is not known.
int64_t chirp_process_time(pid_t process);

/// Sends bytes over a socket, with descriptors beside the first of them. Returns what sendmsg(2) returns; never raises SIGPIPE.
ssize_t chirp_send_descriptors(int socket, const void *bytes, size_t size, const int *descriptors, int count);

/// Receives bytes and at most `most` descriptors, which are closed on exec. Returns what recvmsg(2) returns.
ssize_t chirp_receive_descriptors(int socket, void *bytes, size_t size, int *descriptors, int most, int *count);

/// Both ends of a pipe, closed on exec from the beginning: `ends[0]` to read, `ends[1]` to write. Returns 0 or the number of the error.
int chirp_pipe(int ends[2]);
