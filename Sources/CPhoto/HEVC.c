#include "CPhoto.h"
#include "Libraries.h"

#include <stdint.h>

/// The planes of a picture, and how their samples become colours.
struct planes {
    const uint8_t *plane[3];
    int stride[3];  // bytes
    int bits[3];
    int across, down;  // shifts from luma to chroma
    int is_gray;
    int offset;  // of black, in 8 bits
    float luma, red, green_blue, green_red, blue;
};

static inline float sample(const struct planes *planes, int part, int x, int y) {
    const uint8_t *row = planes->plane[part] + (ptrdiff_t)y * planes->stride[part];
    int bits = planes->bits[part];
    if (bits <= 8) return (float)row[x];
    return (float)((const uint16_t *)(const void *)row)[x] / (float)(1 << (bits - 8));
}

static inline uint8_t clamp(float value) {
    return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5f);
}

/// By ITU-T H.273, section 8.3. Whoever says nothing means sRGB's own (BT.601's matrix, full range), as telephones do.
static void set_matrix(struct planes *planes, int matrix, int is_full) {
    float red = 0.299f, blue = 0.114f;
    if (matrix == 1) {
        red = 0.2126f;
        blue = 0.0722f;
    } else if (matrix == 9 || matrix == 10) {
        red = 0.2627f;
        blue = 0.0593f;
    }
    float green = 1 - red - blue;
    float chroma = is_full ? 1 : 255.0f / 224.0f;
    planes->offset = is_full ? 0 : 16;
    planes->luma = is_full ? 1 : 255.0f / 219.0f;
    planes->red = 2 * (1 - red) * chroma;
    planes->blue = 2 * (1 - blue) * chroma;
    planes->green_red = planes->red * red / green;
    planes->green_blue = planes->blue * blue / green;
}

static void paint(const struct planes *planes, const struct chirp_hevc_goal *goal) {
    for (int y = 0; y < goal->height; y++) {
        unsigned char *row = goal->pixels + (size_t)y * goal->row_bytes;
        for (int x = 0; x < goal->width; x++) {
            float luma = (sample(planes, 0, x, y) - (float)planes->offset) * planes->luma;
            if (goal->only_luma) {
                row[x] = clamp(luma);
                continue;
            }
            float cb = 0, cr = 0;
            if (!planes->is_gray) {
                cb = sample(planes, 1, x >> planes->across, y >> planes->down) - 128;
                cr = sample(planes, 2, x >> planes->across, y >> planes->down) - 128;
            }
            row[3 * x] = clamp(luma + planes->red * cr);
            row[3 * x + 1] = clamp(luma - planes->green_blue * cb - planes->green_red * cr);
            row[3 * x + 2] = clamp(luma + planes->blue * cb);
        }
    }
}

static const char *show(
    const struct chirp_hevc *hevc, const struct de265_image *picture, const struct chirp_hevc_goal *goal) {
    enum de265_chroma format = hevc->get_chroma_format(picture);
    struct planes planes = {0};
    planes.is_gray = format == de265_chroma_mono;
    planes.across = format == de265_chroma_420 || format == de265_chroma_422;
    planes.down = format == de265_chroma_420;
    int width = hevc->get_image_width(picture, 0), height = hevc->get_image_height(picture, 0);
    if (width < goal->width || height < goal->height) return "its picture is smaller than it says";
    for (int part = 0; part < (planes.is_gray ? 1 : 3); part++) {
        planes.plane[part] = hevc->get_image_plane(picture, part, &planes.stride[part]);
        planes.bits[part] = hevc->get_bits_per_pixel(picture, part);
        int columns = (goal->width - 1) >> (part ? planes.across : 0), rows = (goal->height - 1) >> (part ? planes.down : 0);
        if (!planes.plane[part] || planes.bits[part] < 8 || planes.bits[part] > 16
            || hevc->get_image_width(picture, part) <= columns || hevc->get_image_height(picture, part) <= rows) {
            return "its picture makes no sense";
        }
    }
    int matrix = goal->matrix != 2 ? goal->matrix : hevc->get_image_matrix_coefficients(picture);
    int is_full = goal->full_range;
    if (is_full < 0) {
        // The stream's flag says something only where the stream says anything of colours.
        is_full = hevc->get_image_full_range_flag(picture) || matrix == 2;
    }
    set_matrix(&planes, matrix, is_full);
    paint(&planes, goal);
    return NULL;
}

const char *chirp_hevc_decode(const unsigned char *units, size_t count, const struct chirp_hevc_goal *goal) {
    const struct chirp_hevc *hevc = chirp_hevc_library();
    if (!hevc) return "libde265.so.0 is not there";
    de265_decoder_context *decoder = hevc->new_decoder();
    if (!decoder) return "there is no memory";
    const char *fault = NULL;
    size_t at = 0;
    while (at < count) {
        if (count - at < 4) { fault = "it is cut short"; break; }
        uint32_t length = (uint32_t)units[at] << 24 | (uint32_t)units[at + 1] << 16 | (uint32_t)units[at + 2] << 8
            | units[at + 3];
        at += 4;
        if (length > count - at || length > INT32_MAX) { fault = "it is cut short"; break; }
        de265_error error = hevc->push_NAL(decoder, units + at, (int)length, 0, NULL);
        if (!hevc->isOK(error)) { fault = hevc->get_error_text(error); break; }
        at += length;
    }
    if (!fault) {
        de265_error error = hevc->flush_data(decoder);
        int more = 1;
        const struct de265_image *picture = NULL;
        // One picture needs some steps; what needs more than this many units is none.
        for (int step = 0; !picture && more && hevc->isOK(error) && step < 10000; step++) {
            error = hevc->decode(decoder, &more);
            picture = hevc->get_next_picture(decoder);
        }
        if (!hevc->isOK(error)) {
            fault = hevc->get_error_text(error);
        } else if (hevc->get_warning(decoder) != DE265_OK) {
            // It goes on with what it has: a picture with holes.
            fault = "it is damaged";
        } else {
            fault = picture ? show(hevc, picture, goal) : "there is no picture in it";
        }
    }
    hevc->free_decoder(decoder);
    return fault;
}
