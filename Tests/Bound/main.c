// Tries one thing that a bound process must not be able to do, and says by its end whether it could: 0 it could not, 1 it could.
//
//     bound list                                 names; one of an attempt that succeeds everywhere where nothing is bound ends with !
//     bound MODE BEFORE NAME FOLDER PROCESS      MODE: free, decoder (binds itself), started (was bound when it was started)
#define _GNU_SOURCE
#include "Attempt.h"

#include <CConfine.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COULD_NOT = 0, COULD = 1, NOT_BOUND = 3, UNKNOWN = 4 };

static const struct attempt *const lists[] = {file_attempts, process_attempts, kernel_attempts};

static const struct attempt *find(const char *name) {
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++) {
        for (const struct attempt *attempt = lists[list]; attempt->name; attempt++) {
            if (strcmp(attempt->name, name) == 0) return attempt;
        }
    }
    return NULL;
}

static void print_all(void) {
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++) {
        for (const struct attempt *attempt = lists[list]; attempt->name; attempt++) {
            printf("%s%s\n", attempt->name, attempt->is_ordinary ? "!" : "");
        }
    }
}

int main(int count, char **words) {
    if (count == 2 && strcmp(words[1], "list") == 0) {
        print_all();
        return 0;
    }
    const struct attempt *attempt = count == 6 ? find(words[3]) : NULL;
    if (!attempt) return UNKNOWN;
    // Descriptor 3 is what a started program was given.
    struct scene scene = {words[4], 3, (pid_t)atoi(words[5])};
    if (strcmp(words[1], "started") != 0) scene.held = open(in_folder(&scene, "held"), O_RDWR);
    if (scene.held < 0) return NOT_BOUND;
    if (strcmp(words[1], "decoder") == 0) {
        int before = atoi(words[2]);
        int has_landlock = chirp_landlock_version() > 0 && before != 1;
        int confined = chirp_confine_self(0, before);
        if (confined < 0) return NOT_BOUND;
        // The way by which glibc asks for facts of what is open works on.
        struct stat facts;
        if (fstat(scene.held, &facts) != 0 || !S_ISREG(facts.st_mode)) return NOT_BOUND;
        if (((confined & CHIRP_CONFINED_FILES) != 0) != has_landlock) return NOT_BOUND;
    }
    return attempt->try(&scene) == -1 ? COULD_NOT : COULD;
}
