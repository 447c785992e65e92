#include <dlfcn.h>
#include <pthread.h>

// Hidden, so that neither libnats nor anything else is bound to the definitions below.
#pragma GCC visibility push(hidden)
#include "CNats.h"
#pragma GCC visibility pop

// Every function that is used: its result, name, parameters and arguments.
#define EACH(F) \
    F(void, natsConnection_Destroy, (natsConnection * nc), (nc)) \
    F(natsStatus, natsConnection_Connect, (natsConnection * *nc, natsOptions *options), (nc, options)) \
    F(natsStatus, natsConnection_FlushTimeout, (natsConnection * nc, int64_t timeout), (nc, timeout)) \
    F(int64_t, natsConnection_GetMaxPayload, (natsConnection * nc), (nc)) \
    F(natsStatus, natsConnection_PublishMsg, (natsConnection * nc, natsMsg *msg), (nc, msg)) \
    F(natsStatus, natsConnection_RequestMsg, (natsMsg * *reply, natsConnection *nc, natsMsg *request, int64_t timeout), \
      (reply, nc, request, timeout)) \
    F(natsConnStatus, natsConnection_Status, (natsConnection * nc), (nc)) \
    F(natsStatus, natsConnection_SubscribeSync, (natsSubscription * *sub, natsConnection *nc, const char *subject), \
      (sub, nc, subject)) \
    F(natsStatus, natsMsg_Create, (natsMsg * *msg, const char *subject, const char *reply, const char *data, int length), \
      (msg, subject, reply, data, length)) \
    F(void, natsMsg_Destroy, (natsMsg * msg), (msg)) \
    F(const char *, natsMsg_GetData, (const natsMsg *msg), (msg)) \
    F(int, natsMsg_GetDataLength, (const natsMsg *msg), (msg)) \
    F(const char *, natsMsg_GetReply, (const natsMsg *msg), (msg)) \
    F(const char *, natsMsg_GetSubject, (const natsMsg *msg), (msg)) \
    F(natsStatus, natsMsgHeader_Get, (natsMsg * msg, const char *key, const char **value), (msg, key, value)) \
    F(natsStatus, natsMsgHeader_Set, (natsMsg * msg, const char *key, const char *value), (msg, key, value)) \
    F(natsStatus, natsOptions_Create, (natsOptions * *options), (options)) \
    F(void, natsOptions_Destroy, (natsOptions * options), (options)) \
    F(natsStatus, natsOptions_LoadCATrustedCertificates, (natsOptions * options, const char *file), (options, file)) \
    F(natsStatus, natsOptions_SetErrorHandler, (natsOptions * options, natsErrHandler handler, void *closure), \
      (options, handler, closure)) \
    F(natsStatus, natsOptions_SetExpectedHostname, (natsOptions * options, const char *name), (options, name)) \
    F(natsStatus, natsOptions_SetIgnoreDiscoveredServers, (natsOptions * options, bool ignore), (options, ignore)) \
    F(natsStatus, natsOptions_SetMaxReconnect, (natsOptions * options, int count), (options, count)) \
    F(natsStatus, natsOptions_SetName, (natsOptions * options, const char *name), (options, name)) \
    F(natsStatus, natsOptions_SetNoEcho, (natsOptions * options, bool noEcho), (options, noEcho)) \
    F(natsStatus, natsOptions_SetPingInterval, (natsOptions * options, int64_t interval), (options, interval)) \
    F(natsStatus, natsOptions_SetReconnectJitter, (natsOptions * options, int64_t plain, int64_t tls), \
      (options, plain, tls)) \
    F(natsStatus, natsOptions_SetReconnectWait, (natsOptions * options, int64_t wait), (options, wait)) \
    F(natsStatus, natsOptions_SetSecure, (natsOptions * options, bool secure), (options, secure)) \
    F(natsStatus, natsOptions_SetServers, (natsOptions * options, const char **servers, int count), \
      (options, servers, count)) \
    F(natsStatus, natsOptions_SetTimeout, (natsOptions * options, int64_t timeout), (options, timeout)) \
    F(natsStatus, natsOptions_SetUserCredentialsFromFiles, \
      (natsOptions * options, const char *userOrChained, const char *seed), (options, userOrChained, seed)) \
    F(natsStatus, natsOptions_SetUserInfo, (natsOptions * options, const char *user, const char *password), \
      (options, user, password)) \
    F(const char *, natsStatus_GetText, (natsStatus status), (status)) \
    F(void, natsSubscription_Destroy, (natsSubscription * sub), (sub)) \
    F(natsStatus, natsSubscription_NextMsg, (natsMsg * *next, natsSubscription *sub, int64_t timeout), \
      (next, sub, timeout))

static struct {
#define MEMBER(result, name, parameters, arguments) __typeof__(name) *name;
    EACH(MEMBER)
} library;

#define DEFINITION(result, name, parameters, arguments) \
    result name parameters { return library.name arguments; }
EACH(DEFINITION)

// The name that the headers belong to: libnats.so.3.4 in Debian 12.
#define TEXT_OF(text) #text
#define TEXT(macro) TEXT_OF(macro)
#define LIBRARY "libnats.so." TEXT(NATS_VERSION_MAJOR) "." TEXT(NATS_VERSION_MINOR)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure = "libnats was not opened";

static void load(void) {
    // It stays open: its threads live as long as the process.
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        failure = LIBRARY " cannot be opened";
        return;
    }
    failure = LIBRARY " lacks a function";
#define FIND(result, name, parameters, arguments) \
    library.name = (__typeof__(library.name))dlsym(handle, #name); \
    if (!library.name) return;
    EACH(FIND)
    failure = NULL;
}

const char *chirp_nats_load(void) {
    pthread_once(&once, load);
    return failure;
}
