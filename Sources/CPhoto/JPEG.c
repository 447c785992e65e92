#include "CPhoto.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

static _Thread_local char reason[JMSG_LENGTH_MAX];

// libjpeg reports errors by a function that must not return; leaving it by longjmp is only safe within C.
struct failing {
    struct jpeg_error_mgr manager;  // first, so that libjpeg's pointer is ours
    jmp_buf back;
    int is_lenient;  // towards a file that ends too early
};

static void fail(j_common_ptr common) {
    struct failing *failing = (struct failing *)common->err;
    failing->manager.format_message(common, reason);
    longjmp(failing->back, 1);
}

/// Most warnings are of no account. One says that the file ended too early, and grey is put for the rest.
static void warn(j_common_ptr common, int level) {
    struct failing *failing = (struct failing *)common->err;
    if (level >= 0 || failing->is_lenient || common->err->msg_code != JWRN_JPEG_EOF) return;
    snprintf(reason, sizeof reason, "it is cut short");
    longjmp(failing->back, 1);
}

static void count_scans(j_common_ptr common) {
    if (common->is_decompressor && ((j_decompress_ptr)common)->input_scan_number > 100) {
        snprintf(reason, sizeof reason, "it has too many scans");
        longjmp(((struct failing *)common->err)->back, 1);
    }
}

static void prepare(struct failing *failing) {
    jpeg_std_error(&failing->manager);
    failing->manager.error_exit = fail;
    failing->manager.emit_message = warn;
    failing->is_lenient = 0;
}

/// A row of four inks to three colours, in place: the row of pixels begins where the row of inks does. Adobe's programs write inks
/// the other way round, as light.
static void print_row(unsigned char *row, int width, int is_light) {
    for (int column = 0; column < width; column++) {
        const unsigned char *ink = row + 4 * column;
        unsigned black = is_light ? ink[3] : 255u - ink[3];
        unsigned char colours[3];
        for (int part = 0; part < 3; part++) {
            unsigned light = is_light ? ink[part] : 255u - ink[part];
            colours[part] = (unsigned char)((light * black + 127) / 255);
        }
        memcpy(row + 3 * column, colours, 3);
    }
}

/// Only the header when `rgb` is NULL.
static const char *read_jpeg(
    const unsigned char *bytes, size_t count, int denominator, int is_lenient, unsigned char *rgb, size_t capacity,
    int *width, int *height) {
    struct jpeg_decompress_struct picture;
    struct jpeg_progress_mgr progress = {0};
    struct failing failing;
    unsigned char *volatile inks = NULL;
    picture.err = &failing.manager;
    prepare(&failing);
    failing.is_lenient = is_lenient;
    if (setjmp(failing.back)) {
        jpeg_destroy_decompress(&picture);
        free(inks);
        return reason;
    }
    jpeg_create_decompress(&picture);
    progress.progress_monitor = count_scans;
    picture.progress = &progress;
    // A progressive picture is held whole, at up to eight bytes a pixel; with its pixels that stays below 300 MB.
    picture.mem->max_memory_to_use = 250L << 20;
    jpeg_mem_src(&picture, bytes, count);
    jpeg_read_header(&picture, TRUE);
    int is_inks = picture.jpeg_color_space == JCS_CMYK || picture.jpeg_color_space == JCS_YCCK;
    picture.out_color_space = is_inks ? JCS_CMYK : JCS_RGB;
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
        if (is_inks && !(inks = malloc(4 * (size_t)picture.output_width))) {
            jpeg_destroy_decompress(&picture);
            return "there is no memory";
        }
        jpeg_start_decompress(&picture);
        while (picture.output_scanline < picture.output_height) {
            unsigned char *goal = rgb + row * picture.output_scanline;
            JSAMPROW line = is_inks ? inks : goal;
            jpeg_read_scanlines(&picture, &line, 1);
            if (!is_inks) continue;
            print_row(line, (int)picture.output_width, picture.saw_Adobe_marker);
            memcpy(goal, line, row);
        }
        jpeg_finish_decompress(&picture);
    }
    jpeg_destroy_decompress(&picture);
    free(inks);
    return NULL;
}

const char *chirp_photo_jpeg_size(
    const unsigned char *bytes, size_t count, int denominator, int *width, int *height) {
    return read_jpeg(bytes, count, denominator, 1, NULL, 0, width, height);
}

const char *chirp_photo_jpeg_decode(
    const unsigned char *bytes, size_t count, int denominator, int is_lenient, unsigned char *rgb, size_t capacity) {
    int width, height;
    return read_jpeg(bytes, count, denominator, is_lenient, rgb, capacity, &width, &height);
}

const char *chirp_photo_jpeg_encode(
    const unsigned char *rgb, int width, int height, int quality, int is_progressive, unsigned char **out,
    unsigned long *count) {
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
    if (is_progressive) jpeg_simple_progression(&picture);
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

void chirp_photo_free(unsigned char *out) { free(out); }
