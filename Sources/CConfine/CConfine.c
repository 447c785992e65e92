#define _GNU_SOURCE
#include "CConfine.h"

#include "Bounds.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// MARK: A process binds itself

/// How many threads there are; negative when it is not known.
static int count_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) return -1;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(tasks));) count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

int chirp_drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

int chirp_confine_self(int may_start_programs, int landlock_before) {
    // Landlock binds the thread that asks for it; others would stay free.
    if (!may_start_programs && count_threads() != 1) return -EBUSY;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    int confined = 0;
    int version = chirp_used_landlock(landlock_before);
    if (version > 0 && !may_start_programs) {
        int ruleset = chirp_new_ruleset(version);
        if (ruleset < 0) return -errno;
        int code = chirp_restrict_self(ruleset);
        close(ruleset);
        if (code != 0) return -code;
        confined |= CHIRP_CONFINED_FILES;
    }
    int code = chirp_drop_capabilities();
    // What it was started with holds too: both lists have to allow a call.
    if (code == 0) code = chirp_filter_calls(may_start_programs ? STARTER | WRITER : DECODER, version, NULL);
    return code == 0 ? confined | CHIRP_CONFINED_CALLS : -code;
}

static void *watch(void *argument) {
    struct pollfd other = {.fd = (int)(intptr_t)argument, .events = POLLRDHUP};
    for (;;) {
        if (poll(&other, 1, -1) > 0) _exit(0);
        if (errno != EINTR) _exit(1);
    }
}

int chirp_end_with(int socket) {
    pthread_t thread;
    int code = pthread_create(&thread, NULL, watch, (void *)(intptr_t)socket);
    if (code == 0) pthread_detach(thread);
    return code;
}

int chirp_memory_file(const void *bytes, size_t size) {
    int file = memfd_create("chirp", MFD_CLOEXEC);
    if (file < 0) return -errno;
    if (write(file, bytes, size) == (ssize_t)size && lseek(file, 0, SEEK_SET) == 0) return file;
    close(file);
    return -EIO;
}

// MARK: Descriptors in messages (unix(7), SCM_RIGHTS)

// A mix with twelve stems has thirteen files.
enum { MOST_DESCRIPTORS = 16 };

union ancillary {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
};

ssize_t chirp_send_descriptors(int socket, const void *bytes, size_t size, const int *descriptors, int count) {
    if (count < 0 || count > MOST_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    struct iovec part = {(void *)bytes, size};
    union ancillary ancillary;
    memset(&ancillary, 0, sizeof ancillary);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        message.msg_control = &ancillary;
        message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, (size_t)count * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t chirp_receive_descriptors(int socket, void *bytes, size_t size, int *descriptors, int most, int *count) {
    struct iovec part = {bytes, size};
    union ancillary ancillary;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
    *count = 0;
    ssize_t result = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (result < 0) return result;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < found; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
            if (*count < most) {
                descriptors[(*count)++] = descriptor;
            } else {
                close(descriptor);
            }
        }
    }
    return result;
}

int chirp_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }
