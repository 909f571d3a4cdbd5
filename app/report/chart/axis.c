/* SPDX-License-Identifier: MIT */
#include "report/chart/axis.h"

#include <math.h>

#include "common/text.h"

/* An interval may reach down to 0, which no logarithmic axis has. It is shown down to the mean over this factor. */
static const double INTERVAL_SHOWN = 3;

/* Beyond these, ratios would overflow; no regret is that small or large. */
static const double SHOWN_MIN = 1e-100, SHOWN_MAX = 1e100;

void axis_hold(axis *a, dossier_value value) {
    if (!(value.mean >= SHOWN_MIN && value.mean <= SHOWN_MAX)) return;
    double half = isnan(value.ci95) ? 0 : value.ci95;
    double low = fmax(value.mean - half, value.mean / INTERVAL_SHOWN), high = value.mean + half;
    if (a->low == 0 || low < a->low) a->low = low;
    if (high > a->high) a->high = high;
}

static void add_tick(axis *a, double tick) {
    if (tick >= a->low && tick <= a->high && a->tick_count < AXIS_TICKS_MAX) a->ticks[a->tick_count++] = tick;
}

/* Sets ticks at multiples of every `step`-th power of ten. */
static void set_ticks(axis *a, const double *factors, int step) {
    a->tick_count = 0;
    for (int power = (int)floor(log10(a->low)); power <= (int)floor(log10(a->high)); power += step)
        for (int i = 0; factors[i] > 0; i++) add_tick(a, factors[i] * pow(10, power));
}

/* Within a power of ten the axis is nearly even: sets ticks at equal steps, the widest that give enough of them. */
static void set_even_ticks(axis *a, size_t least) {
    static const double steps[] = {5, 2, 1};
    for (double power = pow(10, floor(log10(a->high))); a->tick_count < least; power /= 10)
        for (int i = 0; i < 3 && a->tick_count < least; i++) {
            double step = steps[i] * power;
            a->tick_count = 0;
            for (double k = ceil(a->low / step); k * step <= a->high; k++) add_tick(a, k * step);
        }
}

void axis_finish(axis *a, double margin, size_t ticks) {
    static const double factors[][7] = {{1, 0}, {1, 3, 0}, {1, 2, 5, 0}, {1, 1.5, 2, 3, 5, 7, 0}};
    if (a->low == 0) a->low = a->high = 1; /* there is nothing to show */
    double room = fmax(pow(a->high / a->low, margin), 1.02);
    a->low /= room;
    a->high *= room;
    int powers = (int)(log10(a->high / a->low));
    for (size_t i = 0; i < sizeof factors / sizeof factors[0] && a->tick_count < ticks; i++)
        set_ticks(a, factors[i], i == 0 ? 1 + powers / 6 : 1);
    if (a->tick_count < ticks) set_even_ticks(a, ticks);
}

/* Sets ticks at multiples of 1, 2 or 5 times a power of ten, from `power` on: the narrowest with at most `most` steps.
 */
static void set_steps(axis *a, double power, double most) {
    static const double steps[] = {1, 2, 5};
    for (;; power *= 10)
        for (int i = 0; i < 3; i++) {
            double step = steps[i] * power;
            if ((a->high - a->low) / step > most) continue;
            for (double k = ceil(a->low / step); k * step <= a->high; k++) add_tick(a, k * step);
            return;
        }
}

axis axis_even(double low, double high, size_t ticks) {
    axis a = {.low = low, .high = high};
    if (low < high) set_steps(&a, pow(10, floor(log10((high - low) / (double)ticks))), (double)ticks - 1);
    return a;
}

axis axis_whole(double low, double high, double steps) {
    axis a = {.low = low, .high = high};
    if (low < high) set_steps(&a, 1, steps);
    return a;
}

double axis_lower_end(double low, dossier_value value) {
    return isnan(value.ci95) ? value.mean : fmax(value.mean - value.ci95, low);
}
