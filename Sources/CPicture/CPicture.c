#include "CPicture.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

static _Thread_local char reason[JMSG_LENGTH_MAX];

struct failing {
    struct jpeg_error_mgr manager;  // first, so that libjpeg's pointer is ours
    jmp_buf back;
};

static void fail(j_common_ptr common) {
    struct failing *failing = (struct failing *)common->err;
    failing->manager.format_message(common, reason);
    longjmp(failing->back, 1);
}

static void ignore(j_common_ptr common) { (void)common; }

static void count_scans(j_common_ptr common) {
    if (common->is_decompressor && ((j_decompress_ptr)common)->input_scan_number > 100) {
        snprintf(reason, sizeof reason, "it has too many scans");
        longjmp(((struct failing *)common->err)->back, 1);
    }
}

static void prepare(struct failing *failing) {
    jpeg_std_error(&failing->manager);
    failing->manager.error_exit = fail;
    failing->manager.output_message = ignore;
}

/// One way for the three: only the header when `rgb` is NULL.
static const char *read_jpeg(
    const unsigned char *bytes, size_t count, int denominator, unsigned char *rgb, size_t capacity, int *width,
    int *height) {
    struct jpeg_decompress_struct picture;
    struct jpeg_progress_mgr progress = {0};
    struct failing failing;
    picture.err = &failing.manager;
    prepare(&failing);
    if (setjmp(failing.back)) {
        jpeg_destroy_decompress(&picture);
        return reason;
    }
    jpeg_create_decompress(&picture);
    progress.progress_monitor = count_scans;
    picture.progress = &progress;
    // A progressive picture is held whole, at up to six bytes a pixel; with its pixels that stays below 300 MB.
    picture.mem->max_memory_to_use = 250L << 20;
    jpeg_mem_src(&picture, bytes, count);
    jpeg_read_header(&picture, TRUE);
    picture.out_color_space = JCS_RGB;
    picture.scale_num = 1;
    picture.scale_denom = (unsigned)denominator;
    jpeg_calc_output_dimensions(&picture);
    *width = (int)picture.output_width;
    *height = (int)picture.output_height;
    if (rgb) {
        size_t row = 3 * (size_t)picture.output_width;
        if (row * picture.output_height > capacity) {
            jpeg_destroy_decompress(&picture);
            return "its size changed";
        }
        jpeg_start_decompress(&picture);
        while (picture.output_scanline < picture.output_height) {
            JSAMPROW line = rgb + row * picture.output_scanline;
            jpeg_read_scanlines(&picture, &line, 1);
        }
        jpeg_finish_decompress(&picture);
    }
    jpeg_destroy_decompress(&picture);
    return NULL;
}

const char *chirp_jpeg_size(const unsigned char *bytes, size_t count, int *width, int *height) {
    return read_jpeg(bytes, count, 1, NULL, 0, width, height);
}

const char *chirp_jpeg_scaled_size(
    const unsigned char *bytes, size_t count, int denominator, int *width, int *height) {
    return read_jpeg(bytes, count, denominator, NULL, 0, width, height);
}

const char *chirp_jpeg_decode(
    const unsigned char *bytes, size_t count, int denominator, unsigned char *rgb, size_t capacity) {
    int width, height;
    return read_jpeg(bytes, count, denominator, rgb, capacity, &width, &height);
}

const char *chirp_jpeg_encode(
    const unsigned char *rgb, int width, int height, int quality, unsigned char **out, unsigned long *count) {
    struct jpeg_compress_struct picture;
    struct failing failing;
    *out = NULL;
    *count = 0;
    picture.err = &failing.manager;
    prepare(&failing);
    if (setjmp(failing.back)) {
        jpeg_destroy_compress(&picture);
        *out = NULL;  // libjpeg may have replaced and freed what it points to
        return reason;
    }
    jpeg_create_compress(&picture);
    jpeg_mem_dest(&picture, out, count);
    picture.image_width = (JDIMENSION)width;
    picture.image_height = (JDIMENSION)height;
    picture.input_components = 3;
    picture.in_color_space = JCS_RGB;
    jpeg_set_defaults(&picture);
    jpeg_set_quality(&picture, quality, TRUE);
    picture.optimize_coding = TRUE;
    jpeg_start_compress(&picture, TRUE);
    while (picture.next_scanline < picture.image_height) {
        JSAMPROW line = (JSAMPROW)(rgb + 3 * (size_t)picture.next_scanline * (size_t)width);
        jpeg_write_scanlines(&picture, &line, 1);
    }
    jpeg_finish_compress(&picture);
    jpeg_destroy_compress(&picture);
    return NULL;
}

void chirp_jpeg_free(unsigned char *out) { free(out); }

/// As read_jpeg().
static const char *read_png(
    const unsigned char *bytes, size_t count, unsigned char *rgb, size_t capacity, int *width, int *height) {
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

const char *chirp_png_size(const unsigned char *bytes, size_t count, int *width, int *height) {
    return read_png(bytes, count, NULL, 0, width, height);
}

const char *chirp_png_decode(const unsigned char *bytes, size_t count, unsigned char *rgb, size_t capacity) {
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

size_t chirp_png_most(int width, int height) {
    png_image picture = gray_picture(width, height);
    return PNG_IMAGE_PNG_SIZE_MAX(picture);
}

const char *chirp_png_encode_gray(
    const unsigned char *pixels, int width, int height, unsigned char *out, size_t *count) {
    png_image picture = gray_picture(width, height);
    png_alloc_size_t size = *count;
    int done = png_image_write_to_memory(&picture, out, &size, 0, pixels, 0, NULL);
    *count = size;
    if (!done) snprintf(reason, sizeof reason, "%s", picture.message);
    png_image_free(&picture);
    return done ? NULL : reason;
}
