#pragma once
// What code that has taken a process over may try. Each attempt is harmless: it is about files of a folder that was made for it, and a
// process that sleeps.
#include <sys/types.h>

/// Where it happens.
struct scene {
    /// Its files: `secret` with mode 600, `tool`, which is a program, and the empty folder `empty`.
    const char *folder;
    /// A file of that folder that is open.
    int held;
    /// A process of the same user that is none of ours.
    pid_t victim;
};

struct attempt {
    const char *name;
    /// Returns something other than -1 when it has succeeded.
    long (*try)(const struct scene *);
    /// Where nothing is bound it succeeds for every user, on every kernel that is served.
    int is_ordinary;
};

/// The path of something in the folder of a scene; overwritten by the fourth call.
const char *in_folder(const struct scene *scene, const char *name);

extern const struct attempt file_attempts[], process_attempts[], kernel_attempts[];
