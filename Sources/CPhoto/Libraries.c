#include "Libraries.h"

#include "CPhoto.h"

#include <dlfcn.h>
#include <pthread.h>

static struct chirp_gif gif;
static struct chirp_webp webp;
static struct chirp_hevc hevc;
static int loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define FIND(table, prefix, name)                                             \
    table.name = (__typeof__(table.name))dlsym(library, prefix #name);        \
    if (!table.name) return;

static void load_gif(void) {
    void *library = dlopen("libgif.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    FIND(gif, "DGif", Open)
    FIND(gif, "DGif", CloseFile)
    FIND(gif, "DGif", GetRecordType)
    FIND(gif, "DGif", GetImageDesc)
    FIND(gif, "DGif", GetExtension)
    FIND(gif, "DGif", GetExtensionNext)
    FIND(gif, "DGif", GetLine)
    loaded |= chirp_photo_gif;
}

static void load_webp(void) {
    void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    FIND(webp, "WebP", GetFeaturesInternal)
    FIND(webp, "WebP", DecodeRGBAInto)
    loaded |= chirp_photo_webp;
}

static void load_hevc(void) {
    void *library = dlopen("libde265.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    FIND(hevc, "de265_", new_decoder)
    FIND(hevc, "de265_", free_decoder)
    FIND(hevc, "de265_", push_NAL)
    FIND(hevc, "de265_", flush_data)
    FIND(hevc, "de265_", decode)
    FIND(hevc, "de265_", isOK)
    FIND(hevc, "de265_", get_error_text)
    FIND(hevc, "de265_", get_next_picture)
    FIND(hevc, "de265_", get_warning)
    FIND(hevc, "de265_", get_image_width)
    FIND(hevc, "de265_", get_image_height)
    FIND(hevc, "de265_", get_chroma_format)
    FIND(hevc, "de265_", get_bits_per_pixel)
    FIND(hevc, "de265_", get_image_plane)
    FIND(hevc, "de265_", get_image_full_range_flag)
    FIND(hevc, "de265_", get_image_matrix_coefficients)
    loaded |= chirp_photo_hevc;
}

#undef FIND

static void load(void) {
    load_gif();
    load_webp();
    load_hevc();
}

int chirp_photo_load(void) {
    pthread_once(&once, load);
    return loaded;
}

const struct chirp_gif *chirp_gif_library(void) { return chirp_photo_load() & chirp_photo_gif ? &gif : NULL; }

const struct chirp_webp *chirp_webp_library(void) { return chirp_photo_load() & chirp_photo_webp ? &webp : NULL; }

const struct chirp_hevc *chirp_hevc_library(void) { return chirp_photo_load() & chirp_photo_hevc ? &hevc : NULL; }
