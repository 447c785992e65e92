#include "CPhoto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline unsigned char on_white(unsigned colour, unsigned opacity) {
    return (unsigned char)((colour * opacity + 255 * (255 - opacity) + 127) / 255);
}

void chirp_photo_flatten(const unsigned char *rgba, unsigned char *rgb, size_t pixels) {
    for (size_t pixel = 0; pixel < pixels; pixel++) {
        unsigned char colours[4];
        memcpy(colours, rgba + 4 * pixel, 4);
        for (int part = 0; part < 3; part++) rgb[3 * pixel + (size_t)part] = on_white(colours[part], colours[3]);
    }
}

void chirp_photo_veil(unsigned char *rgb, const unsigned char *opacity, size_t pixels) {
    for (size_t pixel = 0; pixel < pixels; pixel++) {
        for (int part = 0; part < 3; part++) {
            unsigned char *colour = &rgb[3 * pixel + (size_t)part];
            *colour = on_white(*colour, opacity[pixel]);
        }
    }
}

enum { steps = 4096 };

/// sRGB's curve (IEC 61966-2-1): from values to light, 0...1, and back.
struct curve {
    float light[256];
    unsigned char value[steps + 1];
};

static void fill(struct curve *curve) {
    for (int value = 0; value < 256; value++) {
        float part = (float)value / 255;
        curve->light[value] = part <= 0.04045f ? part / 12.92f : powf((part + 0.055f) / 1.055f, 2.4f);
    }
    for (int step = 0; step <= steps; step++) {
        float light = (float)step / steps;
        float part = light <= 0.0031308f ? light * 12.92f : 1.055f * powf(light, 1 / 2.4f) - 0.055f;
        curve->value[step] = (unsigned char)(part * 255 + 0.5f);
    }
}

/// How much of a source's pixel lies between two places.
static inline float share(int pixel, double from, double to) {
    double low = pixel > from ? pixel : from, high = pixel + 1 < to ? pixel + 1 : to;
    return high > low ? (float)(high - low) : 0;
}

static void scale_row(const struct curve *curve, const unsigned char *row, int width, float *out, int columns) {
    double ratio = (double)width / columns;
    for (int column = 0; column < columns; column++) {
        double from = column * ratio, to = from + ratio;
        float sums[3] = {0, 0, 0};
        int end = (int)ceil(to) < width ? (int)ceil(to) : width;
        for (int x = (int)from; x < end; x++) {
            float part = share(x, from, to);
            const unsigned char *pixel = row + 3 * (size_t)x;
            for (int colour = 0; colour < 3; colour++) sums[colour] += part * curve->light[pixel[colour]];
        }
        for (int colour = 0; colour < 3; colour++) out[3 * column + colour] = sums[colour] / (float)ratio;
    }
}

int chirp_photo_scale(
    const unsigned char *rgb, int width, int height, unsigned char *out, int out_width, int out_height) {
    size_t count = 3 * (size_t)out_width;
    struct curve *curve = malloc(sizeof *curve);
    float *row = malloc(count * sizeof *row), *sums = malloc(count * sizeof *sums);
    int is_missing = !curve || !row || !sums;
    if (!is_missing) {
        fill(curve);
        double ratio = (double)height / out_height;
        int held = -1;  // the source's row that is in `row`: two of ours share one at their border
        for (int line = 0; line < out_height; line++) {
            double from = line * ratio, to = from + ratio;
            memset(sums, 0, count * sizeof *sums);
            int end = (int)ceil(to) < height ? (int)ceil(to) : height;
            for (int y = (int)from; y < end; y++) {
                float part = share(y, from, to) / (float)ratio;
                if (part <= 0) continue;
                if (y != held) scale_row(curve, rgb + 3 * (size_t)y * (size_t)width, width, row, out_width);
                held = y;
                for (size_t index = 0; index < count; index++) sums[index] += part * row[index];
            }
            for (size_t index = 0; index < count; index++) {
                float light = sums[index] < 0 ? 0 : sums[index] > 1 ? 1 : sums[index];
                out[(size_t)line * count + index] = curve->value[(int)(light * steps + 0.5f)];
            }
        }
    }
    free(curve);
    free(row);
    free(sums);
    return is_missing;
}
