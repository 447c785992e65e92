#pragma once
// JPEG by libjpeg (libjpeg-turbo) and PNG by libpng's simplified interface, for the pictures in tags
// and those that are drawn.
//
// libjpeg reports errors by a function that must not return; leaving it by longjmp is only safe within C, so the calls are
// gathered here, each a whole: they return 0, or what went wrong as a text of static life or of this thread.
#include <stddef.h>

/// The size of a JPEG picture by its header.
const char *chirp_jpeg_size(const unsigned char *bytes, size_t count, int *width, int *height);

/// The size that a JPEG has when it is decoded at 1/1, 1/2, 1/4 or 1/8.
const char *chirp_jpeg_scaled_size(
    const unsigned char *bytes, size_t count, int denominator, int *width, int *height);

/// Decodes into rows of red, green and blue without gaps. `rgb` has room for `capacity` bytes, as the scaled size says.
/// Pictures of more than 100 scans are refused: each costs a pass over all of it.
const char *chirp_jpeg_decode(
    const unsigned char *bytes, size_t count, int denominator, unsigned char *rgb, size_t capacity);

/// Encodes as a baseline JPEG without any metadata. `out` belongs to the caller: chirp_jpeg_free().
const char *chirp_jpeg_encode(
    const unsigned char *rgb, int width, int height, int quality, unsigned char **out, unsigned long *count);
void chirp_jpeg_free(unsigned char *out);

/// The size of a PNG picture by its header.
const char *chirp_png_size(const unsigned char *bytes, size_t count, int *width, int *height);

/// Decodes as chirp_jpeg_decode() does; what is transparent becomes white.
const char *chirp_png_decode(const unsigned char *bytes, size_t count, unsigned char *rgb, size_t capacity);

/// The most bytes that chirp_png_encode_gray() writes.
size_t chirp_png_most(int width, int height);

/// Encodes rows of grey, a byte each and 0 for black, without gaps. `count` is the room of `out`, and then what was written.
const char *chirp_png_encode_gray(
    const unsigned char *pixels, int width, int height, unsigned char *out, size_t *count);
