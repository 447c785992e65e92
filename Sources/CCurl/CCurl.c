#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>

static struct {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_easy_pause) *easy_pause;
    __typeof__(curl_multi_init) *multi_init;
    __typeof__(curl_multi_cleanup) *multi_cleanup;
    __typeof__(curl_multi_add_handle) *multi_add_handle;
    __typeof__(curl_multi_remove_handle) *multi_remove_handle;
    __typeof__(curl_multi_perform) *multi_perform;
    __typeof__(curl_multi_poll) *multi_poll;
    __typeof__(curl_multi_info_read) *multi_info_read;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure = "libcurl was not opened";

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        failure = "libcurl.so.4 cannot be opened";
        return;
    }
    failure = "libcurl.so.4 is too old";
#define FIND(name)                                   \
    curl.name = (__typeof__(curl.name))dlsym(library, "curl_" #name); \
    if (!curl.name) return;
    FIND(global_init)
    FIND(easy_init)
    FIND(easy_cleanup)
    FIND(easy_setopt)
    FIND(easy_getinfo)
    FIND(easy_strerror)
    FIND(easy_pause)
    FIND(multi_init)
    FIND(multi_cleanup)
    FIND(multi_add_handle)
    FIND(multi_remove_handle)
    FIND(multi_perform)
    FIND(multi_poll)
    FIND(multi_info_read)
    FIND(slist_append)
    FIND(slist_free_all)
#undef FIND
    if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        failure = "libcurl cannot be initialised";
        return;
    }
    failure = NULL;
}

const char *chirp_curl_load(void) {
    pthread_once(&once, load);
    return failure;
}

CURL *chirp_easy_init(void) { return curl.easy_init(); }
void chirp_easy_cleanup(CURL *easy) { curl.easy_cleanup(easy); }
CURLcode chirp_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl.easy_setopt(easy, option, value);
}
CURLcode chirp_easy_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl.easy_setopt(easy, option, value);
}
CURLcode chirp_easy_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl.easy_setopt(easy, option, value);
}
CURLcode chirp_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl.easy_setopt(easy, option, value);
}
CURLcode chirp_easy_set_context(CURL *easy, CURLoption option, void *value) {
    return curl.easy_setopt(easy, option, value);
}
CURLcode chirp_easy_set_mover(
    CURL *easy, CURLoption option, size_t (*mover)(char *bytes, size_t size, size_t count, void *context)) {
    return curl.easy_setopt(easy, option, mover);
}
CURLcode chirp_easy_set_seeker(CURL *easy, int (*seeker)(void *context, curl_off_t offset, int origin)) {
    return curl.easy_setopt(easy, CURLOPT_SEEKFUNCTION, seeker);
}
CURLcode chirp_easy_set_opener(
    CURL *easy, curl_socket_t (*opener)(void *context, curlsocktype purpose, struct curl_sockaddr *address)) {
    return curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, opener);
}
CURLcode chirp_easy_info_long(CURL *easy, CURLINFO info, long *value) { return curl.easy_getinfo(easy, info, value); }
CURLcode chirp_easy_info_size(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl.easy_getinfo(easy, info, value);
}
CURLcode chirp_easy_resume(CURL *easy) { return curl.easy_pause(easy, CURLPAUSE_CONT); }
const char *chirp_easy_error_text(CURLcode code) { return curl.easy_strerror(code); }

CURLM *chirp_multi_init(void) { return curl.multi_init(); }
CURLMcode chirp_multi_cleanup(CURLM *multi) { return curl.multi_cleanup(multi); }
CURLMcode chirp_multi_add(CURLM *multi, CURL *easy) { return curl.multi_add_handle(multi, easy); }
CURLMcode chirp_multi_remove(CURLM *multi, CURL *easy) { return curl.multi_remove_handle(multi, easy); }
CURLMcode chirp_multi_perform(CURLM *multi, int *running) { return curl.multi_perform(multi, running); }
CURLMcode chirp_multi_poll(CURLM *multi, int wake, int milliseconds) {
    struct curl_waitfd extra = {.fd = wake, .events = CURL_WAIT_POLLIN};
    return curl.multi_poll(multi, &extra, 1, milliseconds, NULL);
}
CURL *chirp_multi_next_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl.multi_info_read(multi, &left))) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

struct curl_slist *chirp_list_append(struct curl_slist *list, const char *text) {
    return curl.slist_append(list, text);
}
void chirp_list_free(struct curl_slist *list) { curl.slist_free_all(list); }
