#pragma once
// Pictures as people have them on their telephones and in their browsers, decoded whole: JPEG by libjpeg (libjpeg-turbo), PNG by
// libpng's simplified interface, GIF by libgif, WebP by libwebp, the HEVC in HEIC by libde265; and pixels scaled and written as a JPEG
// without metadata, or as a PNG of greys.
//
// The last three libraries are opened at run time: a machine without one takes no pictures of that kind. Building needs the
// headers of all: libjpeg62-turbo-dev, libpng-dev, libgif-dev, libwebp-dev, libde265-dev.
//
// Functions return 0, or what went wrong as a text of static life or of this thread. Sizes are asked for first, so that whoever
// calls decides what is too large before there is room for it; what a file says later than its header is checked against that room.
#include <stddef.h>

enum {
    chirp_photo_gif = 1,
    chirp_photo_webp = 2,
    chirp_photo_hevc = 4,
};

/// Opens the libraries, once. To be called before a process may open files no more.
///
/// Returns which are there, as a sum of the values above.
int chirp_photo_load(void);

/// The size of a JPEG, decoded at 1/1, 1/2, 1/4 or 1/8.
const char *chirp_photo_jpeg_size(
    const unsigned char *bytes, size_t count, int denominator, int *width, int *height);

/// Decodes into rows of red, green and blue without gaps. CMYK becomes RGB without a profile. A picture of more than 100 scans is
/// refused: each costs a pass over all of it. One that is cut short is too, unless `is_lenient`: then what is missing is grey.
const char *chirp_photo_jpeg_decode(
    const unsigned char *bytes, size_t count, int denominator, int is_lenient, unsigned char *rgb, size_t capacity);

/// Encodes without any metadata, progressive for browsers or baseline for whatever plays clips. `out` belongs to the caller:
/// chirp_photo_free().
const char *chirp_photo_jpeg_encode(
    const unsigned char *rgb, int width, int height, int quality, int is_progressive, unsigned char **out,
    unsigned long *count);
void chirp_photo_free(unsigned char *out);

/// The size of a PNG by its header.
const char *chirp_photo_png_size(const unsigned char *bytes, size_t count, int *width, int *height);

/// Decodes as chirp_photo_jpeg_decode() does; what is transparent becomes white.
const char *chirp_photo_png_decode(const unsigned char *bytes, size_t count, unsigned char *rgb, size_t capacity);

/// The most bytes that chirp_photo_png_encode_gray() writes.
size_t chirp_photo_png_most(int width, int height);

/// Encodes rows of grey, a byte each and 0 for black, without gaps. `count` is the room of `out`, and then what was written.
const char *chirp_photo_png_encode_gray(
    const unsigned char *pixels, int width, int height, unsigned char *out, size_t *count);

/// The size of the area that a GIF is shown on.
const char *chirp_photo_gif_size(const unsigned char *bytes, size_t count, int *width, int *height);

/// Decodes the first frame; what it leaves transparent or uncovered is white. What comes behind it is not read.
const char *chirp_photo_gif_decode(
    const unsigned char *bytes, size_t count, unsigned char *rgb, int width, int height);

/// The size of a WebP picture that does not move.
const char *chirp_photo_webp_size(const unsigned char *bytes, size_t count, int *width, int *height);

/// Decodes into rows of red, green, blue and opacity.
const char *chirp_photo_webp_decode(
    const unsigned char *bytes, size_t count, unsigned char *rgba, int width, int height);

/// Where the pixels of one HEVC picture go.
struct chirp_hevc_goal {
    /// Its first pixel: three bytes each, or one where only the luma is wanted.
    unsigned char *pixels;
    size_t row_bytes;
    /// How much of the picture is wanted from its upper left corner. Both are at most its size.
    int width, height;
    int only_luma;
    /// As ITU-T H.273 numbers the matrix; 2 where nobody said it, and then the stream is asked.
    int matrix;
    /// 1 or 0; -1 where nobody said it.
    int full_range;
};

/// Decodes the first picture of NAL units that have four bytes of length in front of each, the greater first.
const char *chirp_hevc_decode(const unsigned char *units, size_t count, const struct chirp_hevc_goal *goal);

/// Puts rows of red, green, blue and opacity onto white; `rgb` may be where `rgba` is.
void chirp_photo_flatten(const unsigned char *rgba, unsigned char *rgb, size_t pixels);

/// Puts opaque pixels onto white by the opacity of each.
void chirp_photo_veil(unsigned char *rgb, const unsigned char *opacity, size_t pixels);

/// Scales down to a size that is no larger: each pixel is the mean of the light of the area that it covers.
///
/// Returns 0, or 1 when there is no memory.
int chirp_photo_scale(
    const unsigned char *rgb, int width, int height, unsigned char *out, int out_width, int out_height);
