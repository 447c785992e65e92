#include "CKernels.h"

// A fused multiplication rounds once instead of twice: other bits.
#pragma STDC FP_CONTRACT OFF
// Functions that take vectors are inlined, always: how they would be passed does not matter.
#pragma clang diagnostic ignored "-Wpsabi"

#define INLINED static inline __attribute__((always_inline))

typedef double four __attribute__((vector_size(32), aligned(8)));
typedef float four_samples __attribute__((vector_size(16), aligned(4)));
typedef long long four_flags __attribute__((vector_size(32)));

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
    // The form that becomes one instruction.
    const four_flags is_higher = square > l->peak;
    l->peak = (four)(((four_flags)square & is_higher) | ((four_flags)l->peak & ~is_higher));
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

#define PARAMETERS                                                                                                    \
    const chirp_measuring_filters *filters, chirp_measuring_memory *memory, const float *samples, ptrdiff_t distance, \
        ptrdiff_t count, chirp_measured *measured
#define ARGUMENTS filters, memory, samples, distance, count, measured

static void measure_anywhere(PARAMETERS) { run(measure, ARGUMENTS); }
static void measure_loudness_anywhere(PARAMETERS) { run(weigh, ARGUMENTS); }

#if defined(__x86_64__)

__attribute__((target("avx2"))) static void measure_avx2(PARAMETERS) { run(measure, ARGUMENTS); }
__attribute__((target("avx2"))) static void measure_loudness_avx2(PARAMETERS) { run(weigh, ARGUMENTS); }

int chirp_kernel_versions(void) { return __builtin_cpu_supports("avx2") ? 2 : 1; }

void chirp_measure(int version, PARAMETERS) { (version > 0 ? measure_avx2 : measure_anywhere)(ARGUMENTS); }

void chirp_measure_loudness(int version, PARAMETERS) {
    (version > 0 ? measure_loudness_avx2 : measure_loudness_anywhere)(ARGUMENTS);
}

#else

int chirp_kernel_versions(void) { return 1; }
void chirp_measure(int version, PARAMETERS) { (void)version, measure_anywhere(ARGUMENTS); }
void chirp_measure_loudness(int version, PARAMETERS) { (void)version, measure_loudness_anywhere(ARGUMENTS); }

#endif
