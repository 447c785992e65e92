#pragma once
// What every sample goes through: the recursive filters, the search for the largest, and products with what is looked for.
//
// Swift builds for the oldest x86-64, whose vectors hold two doubles. Here each loop is built twice from one source, for that
// and for AVX2, which holds four; the caller chooses. Both do the same operations in the same order and fuse none, so that
// they give the same bits: what is measured and made must not depend on the processor.
#include <stddef.h>

/// Versions of the loops that this processor can run, numbered from 0; the last is the fastest.
int chirp_kernel_versions(void);

/// A high-pass of second order with both zeros at DC, without its gain: `1 - 2 z + z²` over `1 + (slope - 2) z + ...`.
///
/// It subtracts what lies below, which follows the output in two steps; so nothing is lost by cancellation at low corners, and
/// an output waits for three operations only. For coefficients `a1` and `a2`: `pull = 2 + a1`, `bend = 1 + a1 + a2`.
typedef struct {
    double pull, bend;
} chirp_high_pass;

/// What such a filter remembers; all zero: silence.
typedef struct {
    double below, slope;
} chirp_high_pass_memory;

/// A filter of second order without its gain: `b0` is 1.
typedef struct {
    double b1, b2, a1, a2;
} chirp_biquad;

/// What a signal goes through when it is measured: rumble first; then K-weighting, and what a voice is looked for in.
typedef struct {
    chirp_high_pass rumble, k_pass, voice;
    chirp_biquad k_shelf;
} chirp_measuring_filters;

/// What the filters remember of four places; all zero: silence.
typedef struct {
    double values[8][4];
} chirp_measuring_memory;

/// Sums of squares of four places, and the largest square behind the rumble filter. Without the gains of the filters.
typedef struct {
    double loudness[4], voice[4], peak[4];
} chirp_measured;

/// Measures a run of `count` samples in four places that lie `distance` samples apart.
void chirp_measure(
    int version, const chirp_measuring_filters *filters, chirp_measuring_memory *memory, const float *samples,
    ptrdiff_t distance, ptrdiff_t count, chirp_measured *measured);

/// The same for loudness alone: neither rumble nor voice.
void chirp_measure_loudness(
    int version, const chirp_measuring_filters *filters, chirp_measuring_memory *memory, const float *samples,
    ptrdiff_t distance, ptrdiff_t count, chirp_measured *measured);

/// Filters a run of samples in place, and multiplies what comes out.
void chirp_high_pass_filter(
    int version, chirp_high_pass filter, double gain, chirp_high_pass_memory *memory, float *samples, ptrdiff_t count);

/// The largest magnitude among samples that are all finite; 0 for none.
float chirp_peak(int version, const float *samples, ptrdiff_t count);

/// The sum of the products of two runs of samples.
float chirp_product(int version, const float *a, const float *b, ptrdiff_t count);
