/* SPDX-License-Identifier: MIT */
/*
 * Up to 19 digits with a small power of ten, which is nearly every number that is ever written, take one product or one
 * division in 128 bits. Others are decimal digits that are shifted bit by bit, as schoolbooks do long division; the
 * method is that of Go's strconv (decimal.go).
 */
#include "data/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/format.h"

__extension__ typedef unsigned __int128 uint128_t;

/* A midpoint of two doubles has at most 767 digits. Of the digits behind these it only matters whether one is not 0. */
#define DIGITS_MAX 800

/* 0.d1 d2 d3 … 10^point, without leading zeros. */
typedef struct decimal {
    uint8_t digits[DIGITS_MAX];
    int count;
    int point;
    bool more; /* there are digits that did not fit, not all of them 0 */
} decimal;

/* ------------------------------------------------ from text ---------------------------------------------------- */

static void decimal_append(decimal *d, int digit) {
    if (d->count < DIGITS_MAX)
        d->digits[d->count++] = (uint8_t)digit;
    else if (digit != 0)
        d->more = true;
}

/* Takes digits; returns their number. fraction: they stand behind the point. */
static size_t decimal_take_digits(const char **text, bool fraction, decimal *d) {
    size_t taken = 0;
    for (; ascii_is_digit(**text); (*text)++, taken++) {
        int digit = **text - '0';
        bool leads = d->count == 0 && digit == 0;
        if (!leads) decimal_append(d, digit);
        if (fraction ? leads : !leads) d->point += fraction ? -1 : 1;
    }
    return taken;
}

/*
 * Further digits of an exponent are ignored once it has reached this. Only a text with ten million zeros could offset
 * such an exponent, and no table has such a number.
 */
#define EXPONENT_MAX 10000000

static bool take_exponent(const char **text, int *exponent) {
    *exponent = 0;
    if (**text != 'e' && **text != 'E') return true;
    (*text)++;
    bool negative = **text == '-';
    *text += **text == '-' || **text == '+';
    if (!ascii_is_digit(**text)) return false;
    for (; ascii_is_digit(**text); (*text)++)
        if (*exponent < EXPONENT_MAX) *exponent = 10 * *exponent + (**text - '0');
    if (negative) *exponent = -*exponent;
    return true;
}

static bool take_decimal(const char *text, decimal *d) {
    d->count = d->point = 0;
    d->more = false;
    int exponent;
    size_t digits = decimal_take_digits(&text, false, d);
    if (*text == '.') {
        text++;
        digits += decimal_take_digits(&text, true, d);
    }
    if (digits == 0 || !take_exponent(&text, &exponent) || *text != '\0') return false;
    d->point += exponent;
    while (d->count > 0 && d->digits[d->count - 1] == 0) d->count--;
    return true;
}

/* ------------------------------------------------ to bits ------------------------------------------------------ */

#define MANTISSA_BITS 53
#define EXPONENT_LEAST (-1021) /* of the smallest normal number, 1/2 2^-1021 */
#define EXPONENT_MOST 1024

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* mantissa 2^(exponent - 53), a mantissa of 53 bits, or of fewer with the least exponent; rounding may have made 54. */
static decimal_status decimal_assemble(uint64_t mantissa, int exponent, double *out) {
    if (mantissa >> MANTISSA_BITS != 0) {
        mantissa >>= 1;
        exponent++;
    }
    if (exponent > EXPONENT_MOST || mantissa == 0) return DECIMAL_BEYOND;
    bool normal = mantissa >> (MANTISSA_BITS - 1) != 0;
    uint64_t biased = normal ? (uint64_t)(exponent - EXPONENT_LEAST + 1) : 0;
    *out = from_bits(biased << (MANTISSA_BITS - 1) | (mantissa & ((UINT64_C(1) << (MANTISSA_BITS - 1)) - 1)));
    return DECIMAL_FINE;
}

/* The nearest double to value 2^exponent, or to a number slightly above it if `more`. */
static decimal_status round_wide(uint128_t value, int exponent, bool more, double *out) {
    while ((value >> 127) == 0) value <<= 1, exponent--;
    uint64_t mantissa = (uint64_t)(value >> (128 - MANTISSA_BITS));
    uint128_t rest = value << MANTISSA_BITS, half = (uint128_t)1 << 127;
    bool up = rest > half || (rest == half && (more || (mantissa & 1) != 0));
    return decimal_assemble(mantissa + up, exponent + 128, out);
}

static const uint64_t powers_of_ten[] = {UINT64_C(1),
                                         UINT64_C(10),
                                         UINT64_C(100),
                                         UINT64_C(1000),
                                         UINT64_C(10000),
                                         UINT64_C(100000),
                                         UINT64_C(1000000),
                                         UINT64_C(10000000),
                                         UINT64_C(100000000),
                                         UINT64_C(1000000000),
                                         UINT64_C(10000000000),
                                         UINT64_C(100000000000),
                                         UINT64_C(1000000000000),
                                         UINT64_C(10000000000000),
                                         UINT64_C(100000000000000),
                                         UINT64_C(1000000000000000),
                                         UINT64_C(10000000000000000),
                                         UINT64_C(100000000000000000),
                                         UINT64_C(1000000000000000000),
                                         UINT64_C(10000000000000000000)};
#define POWER_MAX 19

/* Whether digits and power of ten fit into 64 bits each. */
static bool is_short(const decimal *d) {
    int power = d->point - d->count;
    return !d->more && d->count <= POWER_MAX && power >= -POWER_MAX && power <= POWER_MAX;
}

static decimal_status convert_short(const decimal *d, double *out) {
    int power = d->point - d->count;
    uint64_t digits = 0;
    for (int i = 0; i < d->count; i++) digits = 10 * digits + d->digits[i];
    if (power >= 0) return round_wide((uint128_t)digits * powers_of_ten[power], 0, false, out);
    /* The quotient has at least 64 bits, so that the remainder lies behind the bits that are kept. */
    uint128_t dividend = digits;
    int exponent = 0;
    while ((dividend >> 127) == 0) dividend <<= 1, exponent--;
    uint64_t divisor = powers_of_ten[-power];
    return round_wide(dividend / divisor, exponent, dividend % divisor != 0, out);
}

/* -------------------------------------------- shifting digits -------------------------------------------------- */

/* A digit that is shifted by this many bits, and a carry, fit into 64 bits. */
#define SHIFT_MAX 59

static void shift_right(decimal *d, int bits) {
    uint64_t left = 0, mask = (UINT64_C(1) << bits) - 1;
    int read = 0, count = d->count, point = d->point - 1;
    /* The first digits of the quotient are zeros, which are not kept. */
    while (left >> bits == 0) {
        left = 10 * left + (read < count ? d->digits[read] : 0);
        if (left >> bits == 0) point--;
        read++;
    }
    d->count = 0;
    for (;;) {
        int digit = (int)(left >> bits);
        left &= mask;
        decimal_append(d, digit);
        if (read >= count && left == 0) break;
        if (d->count == DIGITS_MAX) {
            d->more = true;
            break;
        }
        left = 10 * left + (read < count ? d->digits[read] : 0);
        read++;
    }
    d->point = point + 1;
}

static void shift_left(decimal *d, int bits) {
    uint64_t carry = 0;
    for (int i = d->count - 1; i >= 0; i--) {
        carry += (uint64_t)d->digits[i] << bits;
        d->digits[i] = (uint8_t)(carry % 10);
        carry /= 10;
    }
    uint8_t lead[20];
    int leads = 0;
    for (; carry > 0; carry /= 10) lead[leads++] = (uint8_t)(carry % 10);
    int kept = d->count + leads <= DIGITS_MAX ? d->count : DIGITS_MAX - leads;
    for (int i = kept; i < d->count; i++) d->more = d->more || d->digits[i] != 0;
    memmove(d->digits + leads, d->digits, (size_t)kept);
    for (int i = 0; i < leads; i++) d->digits[i] = lead[leads - 1 - i];
    d->count = kept + leads;
    d->point += leads;
    while (d->count > 0 && d->digits[d->count - 1] == 0) d->count--;
}

/* Multiplies by 2^bits. */
static void decimal_shift(decimal *d, int bits) {
    while (bits != 0) {
        int step = bits > SHIFT_MAX ? SHIFT_MAX : bits < -SHIFT_MAX ? -SHIFT_MAX : bits;
        if (step > 0)
            shift_left(d, step);
        else
            shift_right(d, -step);
        bits -= step;
    }
}

/* The nearest whole number to a number below 2^54; of two that are equally near, the even one. */
static uint64_t round_whole(const decimal *d) {
    uint64_t whole = 0;
    for (int i = 0; i < d->point; i++) whole = 10 * whole + (i < d->count ? d->digits[i] : 0);
    if (d->point < 0 || d->point >= d->count) return whole;
    int next = d->digits[d->point];
    bool half = next == 5 && d->point + 1 == d->count && !d->more;
    return whole + (half ? whole & 1 : next >= 5);
}

static decimal_status convert_long(decimal *d, double *out) {
    if (d->point > 310 || d->point < -330) return DECIMAL_BEYOND;
    int exponent = 0;
    /* Shifts until the number is below 1 and at least 1/2. A digit is worth more than 3 bits. */
    while (d->point > 0) {
        int bits = d->point < 19 ? 3 * d->point + 1 : SHIFT_MAX;
        decimal_shift(d, -bits);
        exponent += bits;
    }
    while (d->point < 0 || d->digits[0] < 5) {
        int bits = d->point == 0 ? 1 : -d->point < 19 ? -3 * d->point : SHIFT_MAX;
        decimal_shift(d, bits);
        exponent -= bits;
    }
    int missing = exponent < EXPONENT_LEAST ? EXPONENT_LEAST - exponent : 0;
    decimal_shift(d, MANTISSA_BITS - missing);
    return decimal_assemble(round_whole(d), exponent + missing, out);
}

decimal_status decimal_read(const char *text, double *out) {
    decimal d;
    bool negative = *text == '-';
    double x = 0.0;
    if (!take_decimal(text + (*text == '-' || *text == '+'), &d)) return DECIMAL_NONE;
    decimal_status status = d.count == 0 ? DECIMAL_FINE : is_short(&d) ? convert_short(&d, &x) : convert_long(&d, &x);
    if (status == DECIMAL_FINE) *out = negative ? -x : x;
    return status;
}

size_t decimal_read_whole(const char *text, uint64_t *out) {
    size_t digits = 0;
    uint64_t number = 0;
    for (; ascii_is_digit(text[digits]); digits++) {
        unsigned digit = (unsigned)(text[digits] - '0');
        if (number > (UINT64_MAX - digit) / 10) return 0;
        number = 10 * number + digit;
    }
    if (digits > 0) *out = number;
    return digits;
}

/* ------------------------------------------------- to text ----------------------------------------------------- */

const char *decimal_write_rounded(double x, int digits, char text[DECIMAL_TEXT]) {
    format_text(text, DECIMAL_TEXT, "%.*g", digits, x);
    return text;
}

/* True of most shares and plays, and quick to write. Not of -0, whose sign a whole number would lose. */
static bool decimal_is_whole(double x) {
    return x > -1e15 && x < 1e15 && x == (double)(int64_t)x && (x != 0.0 || !signbit(x));
}

const char *decimal_write(double x, char text[DECIMAL_TEXT]) {
    if (decimal_is_whole(x)) {
        snprintf(text, DECIMAL_TEXT, "%lld", (long long)x);
        return text;
    }
    double back;
    for (int digits = 15; digits <= 17; digits++)
        if (decimal_read(decimal_write_rounded(x, digits, text), &back) == DECIMAL_FINE && back == x) break;
    return text;
}
