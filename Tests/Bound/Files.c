#define _GNU_SOURCE
#include "Attempt.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

const char *in_folder(const struct scene *scene, const char *name) {
    static char paths[4][1024];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof *paths, "%s/%s", scene->folder, name);
    return path;
}

#define SECRET in_folder(scene, "secret")
#define ATTEMPT(name, expression)                                                                                          \
    static long name(const struct scene *scene) {                                                                          \
        (void)scene;                                                                                                       \
        return expression;                                                                                                 \
    }

ATTEMPT(open_read, syscall(SYS_openat, AT_FDCWD, SECRET, O_RDONLY))
ATTEMPT(open_write, syscall(SYS_openat, AT_FDCWD, SECRET, O_WRONLY))
ATTEMPT(open_both, syscall(SYS_openat, AT_FDCWD, SECRET, O_RDWR | O_APPEND))
ATTEMPT(open_truncate, syscall(SYS_openat, AT_FDCWD, SECRET, O_RDONLY | O_TRUNC))
// Neither reading nor writing (open(2)): no matter of Landlock.
ATTEMPT(open_neither, syscall(SYS_openat, AT_FDCWD, SECRET, O_WRONLY | O_RDWR | O_TRUNC))
ATTEMPT(open_folder, syscall(SYS_openat, AT_FDCWD, scene->folder, O_RDONLY | O_DIRECTORY))
ATTEMPT(open_new, syscall(SYS_openat, AT_FDCWD, in_folder(scene, "new"), O_WRONLY | O_CREAT, 0600))
ATTEMPT(open_nameless, syscall(SYS_openat, AT_FDCWD, scene->folder, O_TMPFILE | O_RDWR, 0600))
ATTEMPT(make_by_reading, syscall(SYS_openat, AT_FDCWD, in_folder(scene, "new"), O_RDONLY | O_CREAT, 0600))

static long open_how(const struct scene *scene) {
    struct open_how how = {.flags = O_RDWR};
    return syscall(SYS_openat2, AT_FDCWD, SECRET, &how, sizeof how);
}

static long open_handle(const struct scene *scene) {
    struct file_handle *handle = malloc(sizeof *handle + 128);
    int mount;
    if (!handle) return -1;
    handle->handle_bytes = 128;
    if (name_to_handle_at(AT_FDCWD, SECRET, handle, &mount, 0) != 0) handle->handle_bytes = 0;
    int place = open("/", O_RDONLY);
    return open_by_handle_at(place < 0 ? AT_FDCWD : place, handle, O_RDONLY);
}

static long name_handle(const struct scene *scene) {
    struct file_handle *handle = malloc(sizeof *handle + 128);
    int mount;
    if (!handle) return -1;
    handle->handle_bytes = 128;
    return name_to_handle_at(AT_FDCWD, SECRET, handle, &mount, 0);
}

static struct stat facts;
static struct statx more_facts;
static struct statfs system_facts;
ATTEMPT(stat_name, syscall(SYS_newfstatat, AT_FDCWD, SECRET, &facts, 0))
ATTEMPT(stat_empty, syscall(SYS_newfstatat, AT_FDCWD, SECRET, &facts, AT_EMPTY_PATH))
ATTEMPT(stat_below, syscall(SYS_newfstatat, scene->held, SECRET, &facts, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW))
ATTEMPT(stat_x, syscall(SYS_statx, AT_FDCWD, SECRET, 0, STATX_BASIC_STATS, &more_facts))
ATTEMPT(access_name, syscall(SYS_faccessat, AT_FDCWD, SECRET, F_OK))
ATTEMPT(access_how, syscall(SYS_faccessat2, AT_FDCWD, SECRET, F_OK, AT_EACCESS))
static char word[64] = "word";
ATTEMPT(read_link, syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", word, sizeof word))
ATTEMPT(stat_system, syscall(SYS_statfs, scene->folder, &system_facts))

#ifdef SYS_open
static const struct utimbuf some_time = {1, 1};
ATTEMPT(old_open, syscall(SYS_open, SECRET, O_RDONLY))
ATTEMPT(old_write, syscall(SYS_open, SECRET, O_WRONLY))
ATTEMPT(old_create, syscall(SYS_creat, in_folder(scene, "new"), 0600))
ATTEMPT(old_stat, syscall(SYS_stat, SECRET, &facts))
ATTEMPT(old_lstat, syscall(SYS_lstat, SECRET, &facts))
ATTEMPT(old_access, syscall(SYS_access, SECRET, F_OK))
ATTEMPT(old_link, syscall(SYS_readlink, "/proc/self/exe", word, sizeof word))
ATTEMPT(old_chmod, syscall(SYS_chmod, SECRET, 0644))
ATTEMPT(old_chown, syscall(SYS_chown, SECRET, getuid(), -1))
ATTEMPT(old_lchown, syscall(SYS_lchown, SECRET, getuid(), -1))
ATTEMPT(old_utime, syscall(SYS_utime, SECRET, &some_time))
ATTEMPT(old_utimes, syscall(SYS_utimes, SECRET, NULL))
ATTEMPT(old_futimesat, syscall(SYS_futimesat, AT_FDCWD, SECRET, NULL))
ATTEMPT(old_unlink, syscall(SYS_unlink, SECRET))
ATTEMPT(old_rename, syscall(SYS_rename, SECRET, in_folder(scene, "other")))
ATTEMPT(old_hard, syscall(SYS_link, SECRET, in_folder(scene, "other")))
ATTEMPT(old_symlink, syscall(SYS_symlink, SECRET, in_folder(scene, "other")))
ATTEMPT(old_mkdir, syscall(SYS_mkdir, in_folder(scene, "other"), 0700))
ATTEMPT(old_rmdir, syscall(SYS_rmdir, in_folder(scene, "empty")))
ATTEMPT(old_mknod, syscall(SYS_mknod, in_folder(scene, "other"), S_IFIFO | 0600, 0))
#endif

ATTEMPT(mode_name, syscall(SYS_fchmodat, AT_FDCWD, SECRET, 0644))
ATTEMPT(mode_held, syscall(SYS_fchmod, scene->held, 0644))
ATTEMPT(mode_how, syscall(452 /* fchmodat2 */, AT_FDCWD, SECRET, 0644, 0))
ATTEMPT(owner_name, syscall(SYS_fchownat, AT_FDCWD, SECRET, getuid(), -1, 0))
ATTEMPT(owner_held, syscall(SYS_fchown, scene->held, getuid(), -1))
ATTEMPT(time_name, syscall(SYS_utimensat, AT_FDCWD, SECRET, NULL, 0))
ATTEMPT(time_held, syscall(SYS_utimensat, scene->held, NULL, NULL, 0))
ATTEMPT(attribute_name, syscall(SYS_setxattr, SECRET, "user.word", "x", 1, 0))
ATTEMPT(attribute_link, syscall(SYS_lsetxattr, SECRET, "user.word", "x", 1, 0))
ATTEMPT(attribute_held, syscall(SYS_fsetxattr, scene->held, "user.word", "x", 1, 0))
ATTEMPT(attribute_away, syscall(SYS_setxattr, SECRET, "user.word", "x", 1, 0) == 0 ? syscall(SYS_removexattr, SECRET, "user.word") : -1)
ATTEMPT(attribute_list, syscall(SYS_listxattr, SECRET, word, sizeof word))
ATTEMPT(attribute_held_list, syscall(SYS_flistxattr, scene->held, word, sizeof word))
ATTEMPT(cut, syscall(SYS_truncate, SECRET, 1))
ATTEMPT(cut_away, syscall(SYS_fallocate, scene->held, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096))
ATTEMPT(remove_name, syscall(SYS_unlinkat, AT_FDCWD, SECRET, 0))
ATTEMPT(remove_folder, syscall(SYS_unlinkat, AT_FDCWD, in_folder(scene, "empty"), AT_REMOVEDIR))
ATTEMPT(rename_name, syscall(SYS_renameat2, AT_FDCWD, SECRET, AT_FDCWD, in_folder(scene, "other"), 0))
ATTEMPT(link_name, syscall(SYS_linkat, AT_FDCWD, SECRET, AT_FDCWD, in_folder(scene, "other"), 0))
ATTEMPT(link_soft, syscall(SYS_symlinkat, SECRET, AT_FDCWD, in_folder(scene, "other")))
ATTEMPT(make_folder, syscall(SYS_mkdirat, AT_FDCWD, in_folder(scene, "other"), 0700))
ATTEMPT(make_pipe, syscall(SYS_mknodat, AT_FDCWD, in_folder(scene, "other"), S_IFIFO | 0600, 0))
ATTEMPT(watch_file, inotify_add_watch(inotify_init1(0), SECRET, IN_MODIFY))
ATTEMPT(watch_all, fanotify_init(FAN_CLASS_NOTIF, O_RDONLY))
ATTEMPT(clone_file, ioctl(scene->held, FICLONE, 0))

static long set_flags(const struct scene *scene) {
    int flags = 0;
    if (ioctl(scene->held, FS_IOC_GETFLAGS, &flags) != 0) return -1;
    flags |= FS_NOATIME_FL;
    return ioctl(scene->held, FS_IOC_SETFLAGS, &flags);
}

const struct attempt file_attempts[] = {
    {"open-read", open_read, 1}, {"open-write", open_write, 1}, {"open-both", open_both, 1},
    {"open-truncate", open_truncate, 1}, {"open-neither", open_neither, 1}, {"open-folder", open_folder, 1},
    {"open-new", open_new, 1}, {"open-nameless", open_nameless, 0}, {"make-by-reading", make_by_reading, 1},
    {"openat2", open_how, 1}, {"open-by-handle", open_handle, 0}, {"name-to-handle", name_handle, 0},
    {"stat", stat_name, 1}, {"stat-empty", stat_empty, 1}, {"stat-below", stat_below, 1}, {"statx", stat_x, 1},
    {"access", access_name, 1}, {"access-2", access_how, 1}, {"readlink", read_link, 1}, {"statfs", stat_system, 1},
#ifdef SYS_open
    {"old-open", old_open, 1}, {"old-write", old_write, 1}, {"old-creat", old_create, 1}, {"old-stat", old_stat, 1},
    {"old-lstat", old_lstat, 1}, {"old-access", old_access, 1}, {"old-readlink", old_link, 1},
    {"old-chmod", old_chmod, 1}, {"old-chown", old_chown, 1}, {"old-lchown", old_lchown, 1},
    {"old-utime", old_utime, 1}, {"old-utimes", old_utimes, 1}, {"old-futimesat", old_futimesat, 1},
    {"old-unlink", old_unlink, 1}, {"old-rename", old_rename, 1}, {"old-link", old_hard, 1},
    {"old-symlink", old_symlink, 1}, {"old-mkdir", old_mkdir, 1}, {"old-rmdir", old_rmdir, 1},
    {"old-mknod", old_mknod, 1},
#endif
    {"chmod", mode_name, 1}, {"fchmod", mode_held, 1}, {"fchmodat2", mode_how, 0}, {"chown", owner_name, 1},
    {"fchown", owner_held, 1}, {"utime", time_name, 1}, {"futime", time_held, 1}, {"setxattr", attribute_name, 0},
    {"lsetxattr", attribute_link, 0}, {"fsetxattr", attribute_held, 0}, {"removexattr", attribute_away, 0},
    {"listxattr", attribute_list, 0}, {"flistxattr", attribute_held_list, 0}, {"truncate", cut, 1},
    {"fallocate", cut_away, 0}, {"unlink", remove_name, 1}, {"rmdir", remove_folder, 1}, {"rename", rename_name, 1},
    {"link", link_name, 1}, {"symlink", link_soft, 1}, {"mkdir", make_folder, 1}, {"mknod", make_pipe, 1},
    {"inotify", watch_file, 0}, {"fanotify", watch_all, 0}, {"clone-file", clone_file, 0},
    {"set-flags", set_flags, 0}, {NULL, NULL, 0},
};
