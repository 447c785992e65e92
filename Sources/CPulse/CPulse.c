#include <dlfcn.h>
#include <pthread.h>

// Hidden, so that neither libpulse nor anything else is bound to the definitions below.
#pragma GCC visibility push(hidden)
#include "CPulse.h"
#pragma GCC visibility pop

// Every function that is used: its result, name, parameters and arguments.
#define EACH(F) \
    F(void, pa_context_disconnect, (pa_context * c), (c)) \
    F(int, pa_context_connect, (pa_context * c, const char *server, pa_context_flags_t flags, const pa_spawn_api *api), \
      (c, server, flags, api)) \
    F(int, pa_context_errno, (const pa_context *c), (c)) \
    F(pa_operation *, pa_context_get_server_info, (pa_context * c, pa_server_info_cb_t done, void *data), (c, done, data)) \
    F(pa_operation *, pa_context_get_sink_info_list, (pa_context * c, pa_sink_info_cb_t done, void *data), (c, done, data)) \
    F(pa_operation *, pa_context_get_source_info_list, (pa_context * c, pa_source_info_cb_t done, void *data), \
      (c, done, data)) \
    F(pa_context_state_t, pa_context_get_state, (const pa_context *c), (c)) \
    F(pa_context *, pa_context_new_with_proplist, (pa_mainloop_api * api, const char *name, const pa_proplist *list), \
      (api, name, list)) \
    F(void, pa_context_set_state_callback, (pa_context * c, pa_context_notify_cb_t changed, void *data), \
      (c, changed, data)) \
    F(void, pa_context_unref, (pa_context * c), (c)) \
    F(struct timeval *, pa_gettimeofday, (struct timeval * time), (time)) \
    F(struct timeval *, pa_timeval_add, (struct timeval * time, pa_usec_t added), (time, added)) \
    F(void, pa_operation_cancel, (pa_operation * o), (o)) \
    F(pa_operation_state_t, pa_operation_get_state, (const pa_operation *o), (o)) \
    F(void, pa_operation_unref, (pa_operation * o), (o)) \
    F(void, pa_proplist_free, (pa_proplist * p), (p)) \
    F(pa_proplist *, pa_proplist_new, (void), ()) \
    F(int, pa_proplist_sets, (pa_proplist * p, const char *key, const char *value), (p, key, value)) \
    F(int, pa_sample_spec_valid, (const pa_sample_spec *spec), (spec)) \
    F(int, pa_stream_connect_playback, \
      (pa_stream * s, const char *device, const pa_buffer_attr *buffer, pa_stream_flags_t flags, const pa_cvolume *volume, \
       pa_stream *sync), \
      (s, device, buffer, flags, volume, sync)) \
    F(int, pa_stream_connect_record, \
      (pa_stream * s, const char *device, const pa_buffer_attr *buffer, pa_stream_flags_t flags), \
      (s, device, buffer, flags)) \
    F(pa_operation *, pa_stream_cork, (pa_stream * s, int cork, pa_stream_success_cb_t done, void *data), \
      (s, cork, done, data)) \
    F(int, pa_stream_disconnect, (pa_stream * s), (s)) \
    F(pa_operation *, pa_stream_drain, (pa_stream * s, pa_stream_success_cb_t done, void *data), (s, done, data)) \
    F(int, pa_stream_drop, (pa_stream * s), (s)) \
    F(pa_operation *, pa_stream_flush, (pa_stream * s, pa_stream_success_cb_t done, void *data), (s, done, data)) \
    F(int, pa_stream_get_latency, (pa_stream * s, pa_usec_t * time, int *negative), (s, time, negative)) \
    F(pa_stream_state_t, pa_stream_get_state, (const pa_stream *s), (s)) \
    F(int, pa_stream_get_time, (pa_stream * s, pa_usec_t * time), (s, time)) \
    F(int, pa_stream_is_suspended, (const pa_stream *s), (s)) \
    F(pa_stream *, pa_stream_new_with_proplist, \
      (pa_context * c, const char *name, const pa_sample_spec *spec, const pa_channel_map *map, pa_proplist *list), \
      (c, name, spec, map, list)) \
    F(int, pa_stream_peek, (pa_stream * s, const void **data, size_t *bytes), (s, data, bytes)) \
    F(size_t, pa_stream_readable_size, (const pa_stream *s), (s)) \
    F(void, pa_stream_set_read_callback, (pa_stream * s, pa_stream_request_cb_t called, void *data), (s, called, data)) \
    F(void, pa_stream_set_started_callback, (pa_stream * s, pa_stream_notify_cb_t called, void *data), (s, called, data)) \
    F(void, pa_stream_set_state_callback, (pa_stream * s, pa_stream_notify_cb_t called, void *data), (s, called, data)) \
    F(void, pa_stream_set_suspended_callback, (pa_stream * s, pa_stream_notify_cb_t called, void *data), (s, called, data)) \
    F(void, pa_stream_set_underflow_callback, (pa_stream * s, pa_stream_notify_cb_t called, void *data), (s, called, data)) \
    F(void, pa_stream_set_write_callback, (pa_stream * s, pa_stream_request_cb_t called, void *data), (s, called, data)) \
    F(void, pa_stream_unref, (pa_stream * s), (s)) \
    F(size_t, pa_stream_writable_size, (const pa_stream *s), (s)) \
    F(int, pa_stream_write, \
      (pa_stream * s, const void *data, size_t bytes, pa_free_cb_t freeing, int64_t offset, pa_seek_mode_t seek), \
      (s, data, bytes, freeing, offset, seek)) \
    F(const char *, pa_strerror, (int error), (error)) \
    F(void, pa_threaded_mainloop_free, (pa_threaded_mainloop * m), (m)) \
    F(pa_mainloop_api *, pa_threaded_mainloop_get_api, (pa_threaded_mainloop * m), (m)) \
    F(void, pa_threaded_mainloop_lock, (pa_threaded_mainloop * m), (m)) \
    F(pa_threaded_mainloop *, pa_threaded_mainloop_new, (void), ()) \
    F(void, pa_threaded_mainloop_set_name, (pa_threaded_mainloop * m, const char *name), (m, name)) \
    F(void, pa_threaded_mainloop_signal, (pa_threaded_mainloop * m, int wait), (m, wait)) \
    F(int, pa_threaded_mainloop_start, (pa_threaded_mainloop * m), (m)) \
    F(void, pa_threaded_mainloop_stop, (pa_threaded_mainloop * m), (m)) \
    F(void, pa_threaded_mainloop_unlock, (pa_threaded_mainloop * m), (m)) \
    F(void, pa_threaded_mainloop_wait, (pa_threaded_mainloop * m), (m))

static struct {
#define MEMBER(result, name, parameters, arguments) __typeof__(name) *name;
    EACH(MEMBER)
} library;

#define DEFINITION(result, name, parameters, arguments) \
    result name parameters { return library.name arguments; }
EACH(DEFINITION)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure = "libpulse was not opened";

static void load(void) {
    // It stays open: its threads and callbacks live as long as the process.
    void *handle = dlopen("libpulse.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        failure = "libpulse.so.0 cannot be opened";
        return;
    }
    failure = "libpulse.so.0 is too old";
#define FIND(result, name, parameters, arguments) \
    library.name = (__typeof__(library.name))dlsym(handle, #name); \
    if (!library.name) return;
    EACH(FIND)
    failure = NULL;
}

const char *chirp_pulse_load(void) {
    pthread_once(&once, load);
    return failure;
}
