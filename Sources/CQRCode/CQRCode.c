#include "CQRCode.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// As in qrencode.h.
typedef struct {
    int version;
    int width;
    unsigned char *data;
} code;

static code *(*encode)(int size, const unsigned char *data, int version, int level);
static void (*release)(code *made);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure = "libqrencode was not opened";

static void load(void) {
    void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
    failure = "libqrencode.so.4 cannot be opened";
    if (!library) return;
    failure = "libqrencode.so.4 is too old";
    encode = (__typeof__(encode))dlsym(library, "QRcode_encodeData");
    release = (__typeof__(release))dlsym(library, "QRcode_free");
    if (encode && release) failure = NULL;
}

const char *chirp_qrcode_load(void) {
    pthread_once(&once, load);
    return failure;
}

int chirp_qrcode_make(const unsigned char *bytes, int count, int level, unsigned char *squares) {
    code *made = encode(count, bytes, 0, level);
    if (!made) return 0;
    int width = made->width;
    if (width > chirp_qrcode_most) width = 0;
    // The lowest bit says whether a square is dark; the others, why.
    for (int index = 0; index < width * width; index++) squares[index] = made->data[index] & 1;
    release(made);
    return width;
}
