/* SPDX-License-Identifier: MIT */
/*
 * Wide: LANES doubles side by side, so that an algorithm is written once and compiled for 1 (plain scalars), 2
 * (SSE2, NEON or whatever the compiler makes of it), 4 (AVX2) or 8 (AVX-512) lanes. Define LANES before including.
 *
 *     wide         LANES doubles; + - * / work on them, also with a plain double on one side
 *     wide_word    LANES 64-bit unsigned integers; + - & | ^ << >> work on them
 *     wide_mask    true or false per lane, from a comparison
 *     wide_short   SHORT_LANES 16-bit signed integers; >> works on them
 *
 * Each operation is IEEE-754's, or exact, lane by lane: no reciprocal estimates and no fused multiply-add.
 */
#ifndef POSSE_NUMERIC_WIDE_H
#define POSSE_NUMERIC_WIDE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(LANES)
#error "define LANES before including wide.h"
#endif

#if defined(__CUDACC__) /* a lane is a thread of a GPU */
#define WIDE static __device__ __forceinline__
#else
#define WIDE static inline __attribute__((always_inline, unused))
#endif

#if LANES == 1

typedef double wide;
typedef uint64_t wide_word;
typedef int wide_mask;

WIDE wide_mask wide_above(wide a, wide b) {
    return a > b;
}
WIDE wide wide_select(wide_mask mask, wide yes, wide no) {
    return mask ? yes : no;
}
WIDE wide_word wide_select_word(wide_mask mask, wide_word yes, wide_word no) {
    return mask ? yes : no;
}
WIDE unsigned wide_mask_bits(wide_mask mask) {
    return (unsigned)mask;
}
WIDE wide_mask wide_equal(wide a, wide b) {
    return a == b;
}
WIDE wide wide_sqrt(wide a) {
#if defined(__CUDACC__)
    return __dsqrt_rn(a);
#else
    return __builtin_sqrt(a);
#endif
}
WIDE wide wide_larger(wide a, wide b) {
    return a > b ? a : b;
}
WIDE wide wide_smaller(wide a, wide b) {
    return a < b ? a : b;
}
WIDE wide_mask wide_mask_and(wide_mask a, wide_mask b) {
    return a & b;
}
WIDE wide_mask wide_mask_or(wide_mask a, wide_mask b) {
    return a | b;
}
WIDE wide_mask wide_mask_without(wide_mask a, wide_mask b) {
    return a & !b;
}
WIDE wide_word wide_word_xor(wide_word a, wide_word b, wide_word c) {
    return a ^ b ^ c;
}
WIDE wide_word wide_multiply_low(wide_word a, wide_word b) {
#if defined(__CUDA_ARCH__)
    uint64_t product; /* of the plain expression nvcc makes three instructions instead of one */
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"((uint32_t)a), "r"((uint32_t)b));
    return product;
#else
    return (uint64_t)(uint32_t)a * (uint32_t)b;
#endif
}
WIDE wide wide_all(double a) {
    return a;
}
WIDE wide_word wide_word_all(uint64_t a) {
    return a;
}
WIDE wide_word wide_word_steps(uint64_t first) {
    return first;
}

WIDE void wide_store_pairs(uint64_t *to, wide_word even, wide_word odd) {
    to[0] = even;
    to[1] = odd;
}

#else

typedef double wide __attribute__((vector_size(LANES * 8)));
typedef uint64_t wide_word __attribute__((vector_size(LANES * 8)));

WIDE wide wide_all(double a) {
    return a - (wide){0};
}
WIDE wide_word wide_word_all(uint64_t a) {
    return (wide_word){0} + a;
}

#if LANES == 8

#include <immintrin.h>

typedef __mmask8 wide_mask;

WIDE wide_mask wide_above(wide a, wide b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ);
}
WIDE wide wide_select(wide_mask mask, wide yes, wide no) {
    return _mm512_mask_blend_pd(mask, no, yes);
}
WIDE wide_word wide_select_word(wide_mask mask, wide_word yes, wide_word no) {
    return (wide_word)_mm512_mask_blend_epi64(mask, (__m512i)no, (__m512i)yes);
}
WIDE unsigned wide_mask_bits(wide_mask mask) {
    return mask;
}
WIDE wide_mask wide_equal(wide a, wide b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
}
WIDE wide wide_sqrt(wide a) {
    return _mm512_sqrt_pd(a);
}
WIDE wide wide_larger(wide a, wide b) {
    return _mm512_max_pd(a, b);
}
WIDE wide wide_smaller(wide a, wide b) {
    return _mm512_min_pd(a, b);
}
WIDE wide_mask wide_mask_and(wide_mask a, wide_mask b) {
    return (wide_mask)(a & b);
}
WIDE wide_mask wide_mask_or(wide_mask a, wide_mask b) {
    return (wide_mask)(a | b);
}
WIDE wide_mask wide_mask_without(wide_mask a, wide_mask b) {
    return (wide_mask)(a & ~b);
}
WIDE wide_word wide_word_xor(wide_word a, wide_word b, wide_word c) {
    return (wide_word)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0x96);
}
WIDE wide_word wide_multiply_low(wide_word a, wide_word b) {
    return (wide_word)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}
WIDE wide_word wide_word_steps(uint64_t first) {
    return (wide_word){0, 1, 2, 3, 4, 5, 6, 7} + first;
}

#elif LANES == 4

#include <immintrin.h>

typedef wide wide_mask;

WIDE wide_mask wide_above(wide a, wide b) {
    return _mm256_cmp_pd(a, b, _CMP_GT_OQ);
}
WIDE wide wide_select(wide_mask mask, wide yes, wide no) {
    return _mm256_blendv_pd(no, yes, mask);
}
WIDE wide_word wide_select_word(wide_mask mask, wide_word yes, wide_word no) {
    return (wide_word)_mm256_blendv_pd((wide)no, (wide)yes, mask);
}
WIDE unsigned wide_mask_bits(wide_mask mask) {
    return (unsigned)_mm256_movemask_pd(mask);
}
WIDE wide_mask wide_equal(wide a, wide b) {
    return _mm256_cmp_pd(a, b, _CMP_EQ_OQ);
}
WIDE wide wide_sqrt(wide a) {
    return _mm256_sqrt_pd(a);
}
WIDE wide wide_larger(wide a, wide b) {
    return _mm256_max_pd(a, b);
}
WIDE wide wide_smaller(wide a, wide b) {
    return _mm256_min_pd(a, b);
}
WIDE wide_mask wide_mask_and(wide_mask a, wide_mask b) {
    return _mm256_and_pd(a, b);
}
WIDE wide_mask wide_mask_or(wide_mask a, wide_mask b) {
    return _mm256_or_pd(a, b);
}
WIDE wide_mask wide_mask_without(wide_mask a, wide_mask b) {
    return _mm256_andnot_pd(b, a);
}
WIDE wide_word wide_word_xor(wide_word a, wide_word b, wide_word c) {
    return a ^ (b ^ c);
}
WIDE wide_word wide_multiply_low(wide_word a, wide_word b) {
    return (wide_word)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}
WIDE wide_word wide_word_steps(uint64_t first) {
    return (wide_word){0, 1, 2, 3} + first;
}

#elif LANES == 2

typedef wide_word wide_mask;

WIDE wide_mask wide_above(wide a, wide b) {
    return (wide_mask)(a > b);
}
WIDE wide_word wide_select_word(wide_mask mask, wide_word yes, wide_word no) {
    return (mask & yes) | (~mask & no);
}
WIDE wide wide_select(wide_mask mask, wide yes, wide no) {
    return (wide)wide_select_word(mask, (wide_word)yes, (wide_word)no);
}
WIDE wide_mask wide_equal(wide a, wide b) {
    return (wide_mask)(a == b);
}
WIDE wide wide_larger(wide a, wide b) {
    return wide_select(wide_above(a, b), a, b);
}
WIDE wide wide_smaller(wide a, wide b) {
    return wide_select(wide_above(b, a), a, b);
}
WIDE wide_mask wide_mask_and(wide_mask a, wide_mask b) {
    return a & b;
}
WIDE wide_mask wide_mask_or(wide_mask a, wide_mask b) {
    return a | b;
}
WIDE wide_mask wide_mask_without(wide_mask a, wide_mask b) {
    return a & ~b;
}
WIDE wide_word wide_word_xor(wide_word a, wide_word b, wide_word c) {
    return a ^ (b ^ c);
}
WIDE wide_word wide_word_steps(uint64_t first) {
    return (wide_word){0, 1} + first;
}

#if defined(__SSE2__)
#include <emmintrin.h>
WIDE unsigned wide_mask_bits(wide_mask mask) {
    return (unsigned)_mm_movemask_pd((wide)mask);
}
WIDE wide wide_sqrt(wide a) {
    return _mm_sqrt_pd(a);
}
WIDE wide_word wide_multiply_low(wide_word a, wide_word b) {
    return (wide_word)_mm_mul_epu32((__m128i)a, (__m128i)b);
}
#else
WIDE unsigned wide_mask_bits(wide_mask mask) {
    return (unsigned)((mask[0] & 1) | (mask[1] & 2));
}
WIDE wide wide_sqrt(wide a) {
    return (wide){__builtin_sqrt(a[0]), __builtin_sqrt(a[1])};
}
#if defined(__aarch64__)
#include <arm_neon.h>
WIDE wide_word wide_multiply_low(wide_word a, wide_word b) {
    return (wide_word)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b));
}
#else
WIDE wide_word wide_multiply_low(wide_word a, wide_word b) {
    return (a & 0xffffffff) * (b & 0xffffffff);
}
#endif
#endif

#else
#error "LANES is 1, 2, 4 or 8"
#endif

/* Stores even[0], odd[0], even[1], odd[1], … */
WIDE void wide_store_pairs(uint64_t *to, wide_word even, wide_word odd) {
#if LANES == 8
    wide_word low = __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
    wide_word high = __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
#elif LANES == 4
    wide_word low = __builtin_shufflevector(even, odd, 0, 4, 1, 5);
    wide_word high = __builtin_shufflevector(even, odd, 2, 6, 3, 7);
#else
    wide_word low = __builtin_shufflevector(even, odd, 0, 2);
    wide_word high = __builtin_shufflevector(even, odd, 1, 3);
#endif
    memcpy(to, &low, sizeof low);
    memcpy(to + LANES, &high, sizeof high);
}

#endif

/* The mask whose lanes are the lowest bits of a word. */
WIDE wide_mask wide_mask_of(uint64_t bits) {
#if LANES == 8
    return (wide_mask)bits;
#elif LANES == 4
    wide_word each = {1, 2, 4, 8};
    return (wide_mask)((wide_word_all(bits) & each) == each);
#elif LANES == 2
    wide_word each = {1, 2};
    return (wide_mask)((wide_word_all(bits) & each) == each);
#else
    return (wide_mask)(bits & 1);
#endif
}

WIDE wide wide_load(const double *from) {
    wide a;
    memcpy(&a, from, sizeof a);
    return a;
}

WIDE void wide_store(double *to, wide a) {
    memcpy(to, &a, sizeof a);
}

WIDE wide_word wide_word_load(const uint64_t *from) {
    wide_word a;
    memcpy(&a, from, sizeof a);
    return a;
}

WIDE wide_word wide_bits(wide a) {
    wide_word bits;
    memcpy(&bits, &a, sizeof a);
    return bits;
}

WIDE wide wide_from_bits(wide_word bits) {
    wide a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

WIDE wide wide_absolute(wide a) {
#if defined(__CUDA_ARCH__)
    return fabs(a); /* without an instruction of its own */
#else
    return wide_from_bits(wide_bits(a) & 0x7fffffffffffffff);
#endif
}

/*
 * Writes the lanes of a that are set, and their places (first + the number of the lane), one after the other; returns
 * how many. Up to LANES entries may be overwritten, whatever is set.
 */
WIDE size_t wide_keep(wide_mask set, wide a, uint32_t first, double *kept, uint32_t *places) {
    unsigned bits = wide_mask_bits(set);
#if LANES == 8
    wide_store(kept, _mm512_maskz_compress_pd(set, a));
    __m256i place = _mm256_add_epi32(_mm256_set1_epi32((int)first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    _mm256_storeu_si256((__m256i *)places, _mm256_maskz_compress_epi32(set, place));
    return (size_t)__builtin_popcount(bits);
#else
    /* There is no branch, which would be mispredicted: an entry that is not kept is overwritten by the next. */
    double lanes[LANES];
    size_t count = 0;
    wide_store(lanes, a);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        kept[count] = lanes[lane];
        places[count] = first + lane;
        count += bits >> lane & 1;
    }
    return count;
#endif
}

/* Lane by lane, from[at[lane]]. */
WIDE wide wide_gather(const double *from, const uint32_t *at) {
    /* The vector is built in registers: one that is read back after single stores would have to wait for them. */
#if LANES == 8
    return (wide){from[at[0]], from[at[1]], from[at[2]], from[at[3]],
                  from[at[4]], from[at[5]], from[at[6]], from[at[7]]};
#elif LANES == 4
    return (wide){from[at[0]], from[at[1]], from[at[2]], from[at[3]]};
#elif LANES == 2
    return (wide){from[at[0]], from[at[1]]};
#else
    return from[at[0]];
#endif
}

/* Stores non-negative whole numbers as integers. */
WIDE void wide_store_whole(uint32_t *to, wide a) {
#if LANES == 8
    _mm256_storeu_si256((__m256i *)to, _mm512_cvttpd_epi32(a));
#elif LANES == 4
    _mm_storeu_si128((__m128i *)to, _mm256_cvttpd_epi32(a));
#else
    double lanes[LANES];
    wide_store(lanes, a);
    for (size_t lane = 0; lane < LANES; lane++) to[lane] = (uint32_t)(int32_t)lanes[lane];
#endif
}

/* ------------------------------------------------- shorts ------------------------------------------------------ */

/* With one lane there are none: kernel/sketches.h takes an arm at a time. */
#if LANES > 1

#define SHORT_LANES (4 * LANES)
typedef int16_t wide_short __attribute__((vector_size(LANES * 8)));

WIDE wide_short wide_short_all(int a) {
    return (wide_short){0} + (int16_t)a;
}

/* The same bits, unsigned. */
typedef uint16_t wide_bits_short __attribute__((vector_size(LANES * 8)));

/* a + b, which wraps. */
WIDE wide_short wide_short_add(wide_short a, wide_short b) {
    return (wide_short)((wide_bits_short)a + (wide_bits_short)b);
}

WIDE wide_short wide_short_load(const void *from) {
    wide_short a;
    memcpy(&a, from, sizeof a);
    return a;
}

/*
 * Lane by lane, the product of the lower bytes plus the product of the upper bytes; the bytes of a are unsigned, those
 * of b are signed. Every sum must fit 16 bits.
 */
#if LANES == 8
WIDE wide_short wide_short_pairs(wide_short a, wide_short b) {
    return (wide_short)_mm512_maddubs_epi16((__m512i)a, (__m512i)b);
}
#elif LANES == 4
WIDE wide_short wide_short_pairs(wide_short a, wide_short b) {
    return (wide_short)_mm256_maddubs_epi16((__m256i)a, (__m256i)b);
}
#else
WIDE wide_short wide_short_pairs(wide_short a, wide_short b) {
    wide_short a_upper = (wide_short)((wide_bits_short)a >> 8), b_lower = (wide_short)((wide_bits_short)b << 8) >> 8;
    return (a & 0xff) * b_lower + a_upper * (b >> 8);
}
#endif

/* wide_short_above_bits: a bit for each lane of a that is above that of b, SHORT_BITS apart. */
#if LANES == 8
#define SHORT_BITS 1
WIDE wide_short wide_short_largest(wide_short a, wide_short b) {
    return (wide_short)_mm512_max_epi16((__m512i)a, (__m512i)b);
}
WIDE unsigned wide_short_above_bits(wide_short a, wide_short b) {
    return _mm512_cmpgt_epi16_mask((__m512i)a, (__m512i)b);
}
#elif LANES == 4
#define SHORT_BITS 2
WIDE wide_short wide_short_largest(wide_short a, wide_short b) {
    return (wide_short)_mm256_max_epi16((__m256i)a, (__m256i)b);
}
WIDE unsigned wide_short_above_bits(wide_short a, wide_short b) {
    return (unsigned)_mm256_movemask_epi8(_mm256_cmpgt_epi16((__m256i)a, (__m256i)b)) & 0x55555555;
}
#elif LANES == 2 && defined(__SSE2__)
#define SHORT_BITS 2
WIDE wide_short wide_short_largest(wide_short a, wide_short b) {
    return (wide_short)_mm_max_epi16((__m128i)a, (__m128i)b);
}
WIDE unsigned wide_short_above_bits(wide_short a, wide_short b) {
    return (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi16((__m128i)a, (__m128i)b)) & 0x5555;
}
#else
#define SHORT_BITS 1
WIDE wide_short wide_short_largest(wide_short a, wide_short b) {
    wide_short above = a > b;
    return (above & a) | (~above & b);
}
WIDE unsigned wide_short_above_bits(wide_short a, wide_short b) {
    wide_short above = a > b;
    unsigned bits = 0;
    for (unsigned lane = 0; lane < SHORT_LANES; lane++) bits |= (unsigned)(above[lane] & 1) << lane;
    return bits;
}
#endif

/* The largest of all lanes: the halves of a vector are compared until one lane is left. */
#if defined(__SSE2__)
WIDE int wide_short_most(wide_short a) {
#if LANES == 8
    __m256i half = _mm256_max_epi16(_mm512_castsi512_si256((__m512i)a), _mm512_extracti64x4_epi64((__m512i)a, 1));
#elif LANES == 4
    __m256i half = (__m256i)a;
#endif
#if LANES == 2
    __m128i b = (__m128i)a;
#else
    __m128i b = _mm_max_epi16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
#endif
    b = _mm_max_epi16(b, _mm_shuffle_epi32(b, 0x4e));
    b = _mm_max_epi16(b, _mm_shuffle_epi32(b, 0xb1));
    b = _mm_max_epi16(b, _mm_srli_epi32(b, 16));
    return (int16_t)_mm_extract_epi16(b, 0);
}
#else
WIDE int wide_short_most(wide_short a) {
    int16_t lanes[SHORT_LANES], most = INT16_MIN;
    memcpy(lanes, &a, sizeof lanes);
    for (size_t lane = 0; lane < SHORT_LANES; lane++) most = lanes[lane] > most ? lanes[lane] : most;
    return most;
}
#endif

#endif

/*
 * a / b, where a, b and the quotient are far from the smallest and the largest numbers. On a GPU this saves the test
 * for those: two steps of Newton's method make 1 / b, and a quotient that is corrected by its own remainder is
 * correctly rounded (P. Markstein, IBM J. Res. Dev. 34 (1990) 111-119).
 */
WIDE wide wide_divide(wide a, wide b) {
#if defined(__CUDA_ARCH__)
    double inverse;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(b));
    double error = __fma_rn(-b, inverse, 1.0);
    inverse = __fma_rn(__fma_rn(error, error, error), inverse, inverse);
    inverse = __fma_rn(__fma_rn(-b, inverse, 1.0), inverse, inverse);
    double near = a * inverse;
    return __fma_rn(__fma_rn(-b, near, a), inverse, near);
#else
    return a / b;
#endif
}

/* a with the sign of b; a is not negative. */
WIDE wide wide_signed_as(wide a, wide b) {
    return wide_from_bits(wide_bits(a) | (wide_bits(b) & 0x8000000000000000));
}

#endif
