// Landlock (Documentation/userspace-api/landlock.rst). Numbers, since Debian 12's headers know the first versions only.
#define _GNU_SOURCE
#include "Bounds.h"
#include "CConfine.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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

int chirp_landlock_version(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, VERSION_ONLY);
    return version < 0 ? 0 : (int)version;
}

int chirp_used_landlock(int before) {
    int version = chirp_landlock_version();
    return before > 0 && version >= before ? before - 1 : version;
}

int chirp_new_ruleset(int version) {
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

void chirp_allow_files(int ruleset, const char *path, int descriptor, uint64_t rights) {
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

int chirp_restrict_self(int ruleset) { return syscall(RESTRICT_SELF, ruleset, 0) == 0 ? 0 : errno; }
