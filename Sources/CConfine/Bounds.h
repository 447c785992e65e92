#pragma once
// Shared by the files of this module alone.
#include <stdint.h>
#include <sys/types.h>

/// Who is bound, as bits: a rule of the list of calls names those that it holds for.
enum {
    /// This program, which has opened all files that it needs, and decodes.
    DECODER = 1,
    /// This program, which starts `ffmpeg` and reads what that says.
    STARTER = 2,
    /// A program that stays the one process that it is.
    PROGRAM = 4,
    /// A program of the owner's, which may start others.
    OWNERS = 8,
    /// Beside the others: it was given regular files to write, and opens them by their names.
    WRITER = 16,
};

/// Installs the list of calls that are allowed, for all threads of the process. Returns 0 or the number of the error.
///
/// - who: one of the bits above, perhaps with `WRITER`.
/// - landlock: the version that binds the process.
/// - path: the address of what the process becomes by execve(2) next; for `PROGRAM` the only one.
int chirp_filter_calls(unsigned who, int landlock, const char *path);

enum {
    FILE_EXECUTE = 1 << 0,
    FILE_WRITE = 1 << 1,
    FILE_READ = 1 << 2,
    FILE_READ_FOLDER = 1 << 3,
    /// Since the third version.
    FILE_TRUNCATE = 1 << 14,
};

/// The version of Landlock that is to be used; `before` as in `chirp_confinement.landlock_before`.
int chirp_used_landlock(int before);

/// A ruleset that forbids all this version knows; negative when there is none.
int chirp_new_ruleset(int version);

/// Allows what a program needs to read below a path, or an open file if there is no path; what is not there is left out.
void chirp_allow_files(int ruleset, const char *path, int descriptor, uint64_t rights);

/// Binds the calling thread by a ruleset. Returns 0 or the number of the error.
int chirp_restrict_self(int ruleset);

/// Takes what the system lets only root do from the process. Returns 0 or the number of the error.
int chirp_drop_capabilities(void);
