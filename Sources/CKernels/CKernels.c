#include "CKernels.h"

// A fused multiplication rounds once instead of twice: other bits.
#pragma STDC FP_CONTRACT OFF
// Functions that take vectors are inlined, always: how they would be passed does not matter.
#pragma clang diagnostic ignored "-Wpsabi"

#define INLINED static inline __attribute__((always_inline))

typedef double four __attribute__((vector_size(32), aligned(8)));
typedef float four_samples __attribute__((vector_size(16), aligned(4)));
typedef long long four_flags __attribute__((vector_size(32)));
typedef float eight_samples __attribute__((vector_size(32), aligned(4)));
typedef int eight_flags __attribute__((vector_size(32)));

/// The larger of two in each lane, in the form that becomes one instruction: the rules of fmax() for what is no number do not.
#define HIGHER(flags, vector, a, b) (vector)(((flags)(a) & ((a) > (b))) | ((flags)(b) & ~((a) > (b))))

/// What the filters hold while they run.
typedef struct {
    four rumble_below, rumble_slope, pass_below, pass_slope, voice_below, voice_slope, shelf_1, shelf_2;
    four loudness, voice, peak;
} lanes;

INLINED four high_pass(chirp_high_pass filter, four *below, four *slope, four x) {
    const four y = x - *below;
    *below = (*below + *slope) + filter.pull * y;
    *slope = *slope + filter.bend * y;
    return y;
}

INLINED void weigh(const chirp_measuring_filters *filters, lanes *l, four x) {
    const chirp_biquad shelf = filters->k_shelf;
    const four passed = high_pass(filters->k_pass, &l->pass_below, &l->pass_slope, x);
    const four y = passed + l->shelf_1;
    l->shelf_1 = (shelf.b1 * passed + l->shelf_2) - shelf.a1 * y;
    l->shelf_2 = shelf.b2 * passed - shelf.a2 * y;
    l->loudness += y * y;
}

INLINED void measure(const chirp_measuring_filters *filters, lanes *l, four x) {
    const four heard = high_pass(filters->rumble, &l->rumble_below, &l->rumble_slope, x);
    const four square = heard * heard;
    l->peak = HIGHER(four_flags, four, square, l->peak);
    const four voice = high_pass(filters->voice, &l->voice_below, &l->voice_slope, heard);
    l->voice += voice * voice;
    weigh(filters, l, heard);
}

typedef void step(const chirp_measuring_filters *, lanes *, four);

/// Tails that ring out into silence must not linger in denormal numbers.
INLINED four settled(four x) { return (four)((four_flags)x & (x * x >= 1e-60)); }

/// Samples of four places come in as rows and are needed as columns.
INLINED void run(
    step *advance, const chirp_measuring_filters *filters, chirp_measuring_memory *memory, const float *samples,
    ptrdiff_t distance, ptrdiff_t count, chirp_measured *measured) {
    four *const values = (four *)memory->values;
    const four zero = {0};
    lanes l = {values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7], zero, zero, zero};
    const chirp_measuring_filters local = *filters;
    const float *const one = samples, *const two = one + distance, *const three = two + distance,
                       *const last = three + distance;
    ptrdiff_t index = 0;
    for (; index + 4 <= count; index += 4) {
        const four_samples a = *(const four_samples *)(one + index), b = *(const four_samples *)(two + index);
        const four_samples c = *(const four_samples *)(three + index), d = *(const four_samples *)(last + index);
        const four_samples ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
        const four_samples ba = __builtin_shufflevector(a, b, 2, 6, 3, 7), dc = __builtin_shufflevector(c, d, 2, 6, 3, 7);
        advance(&local, &l, __builtin_convertvector(__builtin_shufflevector(ab, cd, 0, 1, 4, 5), four));
        advance(&local, &l, __builtin_convertvector(__builtin_shufflevector(ab, cd, 2, 3, 6, 7), four));
        advance(&local, &l, __builtin_convertvector(__builtin_shufflevector(ba, dc, 0, 1, 4, 5), four));
        advance(&local, &l, __builtin_convertvector(__builtin_shufflevector(ba, dc, 2, 3, 6, 7), four));
    }
    for (; index < count; index++) advance(&local, &l, (four){one[index], two[index], three[index], last[index]});
    *(four *)measured->loudness = l.loudness;
    *(four *)measured->voice = l.voice;
    *(four *)measured->peak = l.peak;
    const four after[8] = {l.rumble_below, l.rumble_slope, l.pass_below, l.pass_slope,
                           l.voice_below,  l.voice_slope,  l.shelf_1,    l.shelf_2};
    for (int i = 0; i < 8; i++) values[i] = settled(after[i]);
}

/// One sample.
INLINED double high_pass_once(chirp_high_pass filter, chirp_high_pass_memory *memory, double x) {
    const double y = x - memory->below;
    memory->below = (memory->below + memory->slope) + filter.pull * y;
    memory->slope = memory->slope + filter.bend * y;
    return y;
}

/// What one thing, something remembered or a sample, does to four outputs and to the memory after them; that is here twice, so
/// that each half of a vector has it.
typedef struct {
    four outputs, memory;
} effect;

/// \param sample the one of the four that is 1, if any.
static effect effect_of(chirp_high_pass filter, double gain, chirp_high_pass_memory memory, int sample) {
    four outputs;
    for (int i = 0; i < 4; i++) outputs[i] = high_pass_once(filter, &memory, i == sample) * gain;
    return (effect){outputs, {memory.below, memory.slope, memory.below, memory.slope}};
}

/// An output waits for the one before. Four at once wait for the four before, and these for no more operations.
INLINED void filter_in_place(
    chirp_high_pass filter, double gain, chirp_high_pass_memory *memory, float *samples, ptrdiff_t count) {
    const effect below = effect_of(filter, gain, (chirp_high_pass_memory){1, 0}, -1);
    const effect slope = effect_of(filter, gain, (chirp_high_pass_memory){0, 1}, -1);
    const effect first = effect_of(filter, gain, (chirp_high_pass_memory){0, 0}, 0);
    const effect second = effect_of(filter, gain, (chirp_high_pass_memory){0, 0}, 1);
    const effect third = effect_of(filter, gain, (chirp_high_pass_memory){0, 0}, 2);
    const effect fourth = effect_of(filter, gain, (chirp_high_pass_memory){0, 0}, 3);
    four now = {memory->below, memory->slope, memory->below, memory->slope};
    ptrdiff_t index = 0;
    for (; index + 4 <= count; index += 4) {
        four_samples *const place = (four_samples *)(samples + index);
        const four x = __builtin_convertvector(*place, four);
        const four a = __builtin_shufflevector(x, x, 0, 0, 0, 0), b = __builtin_shufflevector(x, x, 1, 1, 1, 1);
        const four c = __builtin_shufflevector(x, x, 2, 2, 2, 2), d = __builtin_shufflevector(x, x, 3, 3, 3, 3);
        const four p = __builtin_shufflevector(now, now, 0, 0, 2, 2), s = __builtin_shufflevector(now, now, 1, 1, 3, 3);
        // What is remembered comes last: it is there last.
        const four heard = (first.outputs * a + second.outputs * b) + (third.outputs * c + fourth.outputs * d);
        const four y = (heard + slope.outputs * s) + below.outputs * p;
        const four kept = (first.memory * a + second.memory * b) + (third.memory * c + fourth.memory * d);
        now = (kept + slope.memory * s) + below.memory * p;
        *place = __builtin_convertvector(y, four_samples);
    }
    chirp_high_pass_memory last = {now[0], now[1]};
    for (; index < count; index++) samples[index] = (float)(high_pass_once(filter, &last, samples[index]) * gain);
    memory->below = last.below * last.below >= 1e-60 ? last.below : 0;
    memory->slope = last.slope * last.slope >= 1e-60 ? last.slope : 0;
}

INLINED float highest(const float *samples, ptrdiff_t count) {
    // Two at a time, because each waits for the one before.
    eight_samples tops[2] = {{0}, {0}};
    ptrdiff_t index = 0;
    for (; index + 16 <= count; index += 16) {
        for (int i = 0; i < 2; i++) {
            const eight_samples block = *(const eight_samples *)(samples + index + 8 * i);
            const eight_samples magnitudes = (eight_samples)((eight_flags)block & 0x7fffffff);
            tops[i] = HIGHER(eight_flags, eight_samples, magnitudes, tops[i]);
        }
    }
    const eight_samples all = HIGHER(eight_flags, eight_samples, tops[0], tops[1]);
    float result = 0;
    for (int i = 0; i < 8; i++) result = all[i] > result ? all[i] : result;
    for (; index < count; index++) {
        const float magnitude = samples[index] < 0 ? -samples[index] : samples[index];
        result = magnitude > result ? magnitude : result;
    }
    return result;
}

#define PARAMETERS                                                                                                    \
    const chirp_measuring_filters *filters, chirp_measuring_memory *memory, const float *samples, ptrdiff_t distance, \
        ptrdiff_t count, chirp_measured *measured
#define ARGUMENTS filters, memory, samples, distance, count, measured
#define FILTERING \
    chirp_high_pass filter, double gain, chirp_high_pass_memory *memory, float *samples, ptrdiff_t count
#define FILTERED filter, gain, memory, samples, count

/// Sixteen sums, of which each has every sixteenth product, added in the same order by every version.
INLINED float sum_of_products(const float *a, const float *b, ptrdiff_t count) {
    eight_samples even = {0}, odd = {0};
    ptrdiff_t index = 0;
    for (; index + 16 <= count; index += 16) {
        even += *(const eight_samples *)(a + index) * *(const eight_samples *)(b + index);
        odd += *(const eight_samples *)(a + index + 8) * *(const eight_samples *)(b + index + 8);
    }
    const eight_samples all = even + odd;
    float sum = 0;
    for (int lane = 0; lane < 8; lane++) sum += all[lane];
    for (; index < count; index++) sum += a[index] * b[index];
    return sum;
}

static void measure_anywhere(PARAMETERS) { run(measure, ARGUMENTS); }
static void measure_loudness_anywhere(PARAMETERS) { run(weigh, ARGUMENTS); }
static void filter_anywhere(FILTERING) { filter_in_place(FILTERED); }
static float highest_anywhere(const float *samples, ptrdiff_t count) { return highest(samples, count); }
static float product_anywhere(const float *a, const float *b, ptrdiff_t count) { return sum_of_products(a, b, count); }

#if defined(__x86_64__)

__attribute__((target("avx2"))) static void measure_avx2(PARAMETERS) { run(measure, ARGUMENTS); }
__attribute__((target("avx2"))) static void measure_loudness_avx2(PARAMETERS) { run(weigh, ARGUMENTS); }
__attribute__((target("avx2"))) static void filter_avx2(FILTERING) { filter_in_place(FILTERED); }
__attribute__((target("avx2"))) static float highest_avx2(const float *samples, ptrdiff_t count) {
    return highest(samples, count);
}
__attribute__((target("avx2"))) static float product_avx2(const float *a, const float *b, ptrdiff_t count) {
    return sum_of_products(a, b, count);
}

int chirp_kernel_versions(void) { return __builtin_cpu_supports("avx2") ? 2 : 1; }

void chirp_measure(int version, PARAMETERS) { (version > 0 ? measure_avx2 : measure_anywhere)(ARGUMENTS); }

void chirp_measure_loudness(int version, PARAMETERS) {
    (version > 0 ? measure_loudness_avx2 : measure_loudness_anywhere)(ARGUMENTS);
}

void chirp_high_pass_filter(int version, FILTERING) { (version > 0 ? filter_avx2 : filter_anywhere)(FILTERED); }

float chirp_peak(int version, const float *samples, ptrdiff_t count) {
    return (version > 0 ? highest_avx2 : highest_anywhere)(samples, count);
}
float chirp_product(int version, const float *a, const float *b, ptrdiff_t count) {
    return (version > 0 ? product_avx2 : product_anywhere)(a, b, count);
}

#else

int chirp_kernel_versions(void) { return 1; }
void chirp_measure(int version, PARAMETERS) { (void)version, measure_anywhere(ARGUMENTS); }
void chirp_measure_loudness(int version, PARAMETERS) { (void)version, measure_loudness_anywhere(ARGUMENTS); }
void chirp_high_pass_filter(int version, FILTERING) { (void)version, filter_anywhere(FILTERED); }
float chirp_peak(int version, const float *samples, ptrdiff_t count) {
    return (void)version, highest_anywhere(samples, count);
}
float chirp_product(int version, const float *a, const float *b, ptrdiff_t count) {
    return (void)version, product_anywhere(a, b, count);
}

#endif
