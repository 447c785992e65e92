#pragma once
// libcurl, found when it is first needed.
//
// Linking libcurl makes the dynamic linker load thirty shared libraries at every start, measured on Debian 12 at 3.3 ms of
// a process that otherwise starts in 0.6 ms, paid by `chirp encode` too. So it is opened by dlopen instead, and these
// functions, one per libcurl function that is used, call through the table filled then. The variadic ones are typed.
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

/// Opens libcurl once and initialises it. NULL when it is ready, otherwise why not (text of static life).
const char *chirp_curl_load(void);

// Everything below may be called only after chirp_curl_load() has returned NULL.

CURL *chirp_easy_init(void);
void chirp_easy_cleanup(CURL *easy);
CURLcode chirp_easy_set_long(CURL *easy, CURLoption option, long value);
CURLcode chirp_easy_set_size(CURL *easy, CURLoption option, curl_off_t value);
CURLcode chirp_easy_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode chirp_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
CURLcode chirp_easy_set_context(CURL *easy, CURLoption option, void *value);
/// For CURLOPT_WRITEFUNCTION, CURLOPT_READFUNCTION and CURLOPT_HEADERFUNCTION.
CURLcode chirp_easy_set_mover(
    CURL *easy, CURLoption option, size_t (*mover)(char *bytes, size_t size, size_t count, void *context));
CURLcode chirp_easy_set_seeker(CURL *easy, int (*seeker)(void *context, curl_off_t offset, int origin));
CURLcode chirp_easy_set_opener(
    CURL *easy, curl_socket_t (*opener)(void *context, curlsocktype purpose, struct curl_sockaddr *address));
CURLcode chirp_easy_info_long(CURL *easy, CURLINFO info, long *value);
CURLcode chirp_easy_info_size(CURL *easy, CURLINFO info, curl_off_t *value);
/// Goes on with a transfer whose mover has returned CURL_WRITEFUNC_PAUSE; may call it at once.
CURLcode chirp_easy_resume(CURL *easy);
const char *chirp_easy_error_text(CURLcode code);

CURLM *chirp_multi_init(void);
CURLMcode chirp_multi_cleanup(CURLM *multi);
CURLMcode chirp_multi_add(CURLM *multi, CURL *easy);
CURLMcode chirp_multi_remove(CURLM *multi, CURL *easy);
CURLMcode chirp_multi_perform(CURLM *multi, int *running);
/// Waits for the transfers' sockets, for `wake` becoming readable, or for the time to pass.
CURLMcode chirp_multi_poll(CURLM *multi, int wake, int milliseconds);
/// The next finished transfer and its result; NULL when there is none.
CURL *chirp_multi_next_finished(CURLM *multi, CURLcode *result);

struct curl_slist *chirp_list_append(struct curl_slist *list, const char *text);
void chirp_list_free(struct curl_slist *list);
