#include "CPhoto.h"

#include <stdio.h>
#include <string.h>

#include <png.h>

static _Thread_local char reason[64];  // png_image's own length

/// Whether each part lies within the file. libpng makes room for a part of up to 2 GB before it has read any of it.
static int parts_fit(const unsigned char *bytes, size_t count) {
    for (size_t at = 8; at < count && count - at >= 8;) {
        size_t length =
            (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 | (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (length > count - at - 8) return 0;
        if (memcmp(bytes + at + 4, "IEND", 4) == 0) return 1;
        at += 12 + length;
    }
    return 1;
}

/// Only the header when `rgb` is NULL.
static const char *read_png(
    const unsigned char *bytes, size_t count, unsigned char *rgb, size_t capacity, int *width, int *height) {
    if (!parts_fit(bytes, count)) return "it is cut short";
    png_image picture;
    memset(&picture, 0, sizeof picture);
    picture.version = PNG_IMAGE_VERSION;
    const png_color white = {255, 255, 255};
    int done = png_image_begin_read_from_memory(&picture, bytes, count);
    if (done) {
        *width = (int)picture.width;
        *height = (int)picture.height;
        picture.format = PNG_FORMAT_RGB;
        if (rgb && 3 * (size_t)picture.width * picture.height > capacity) {
            png_image_free(&picture);
            return "its size changed";
        }
        if (rgb) done = png_image_finish_read(&picture, &white, rgb, 0, NULL);
    }
    if (!done) snprintf(reason, sizeof reason, "%s", picture.message);
    png_image_free(&picture);
    return done ? NULL : reason;
}

const char *chirp_photo_png_size(const unsigned char *bytes, size_t count, int *width, int *height) {
    return read_png(bytes, count, NULL, 0, width, height);
}

const char *chirp_photo_png_decode(const unsigned char *bytes, size_t count, unsigned char *rgb, size_t capacity) {
    int width, height;
    return read_png(bytes, count, rgb, capacity, &width, &height);
}

static png_image gray_picture(int width, int height) {
    png_image picture;
    memset(&picture, 0, sizeof picture);
    picture.version = PNG_IMAGE_VERSION;
    picture.width = (png_uint_32)width;
    picture.height = (png_uint_32)height;
    picture.format = PNG_FORMAT_GRAY;
    return picture;
}

size_t chirp_photo_png_most(int width, int height) {
    png_image picture = gray_picture(width, height);
    return PNG_IMAGE_PNG_SIZE_MAX(picture);
}

const char *chirp_photo_png_encode_gray(
    const unsigned char *pixels, int width, int height, unsigned char *out, size_t *count) {
    png_image picture = gray_picture(width, height);
    png_alloc_size_t size = *count;
    int done = png_image_write_to_memory(&picture, out, &size, 0, pixels, 0, NULL);
    *count = size;
    if (!done) snprintf(reason, sizeof reason, "%s", picture.message);
    png_image_free(&picture);
    return done ? NULL : reason;
}
