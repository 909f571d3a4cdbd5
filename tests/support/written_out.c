/* SPDX-License-Identifier: MIT */
#include "written_out.h"

#include <math.h>
#include <string.h>

/* Adds a component equal to the given belief, without `robust`. */
static posse_part *add_component(written_out *w, const posse_part *belief) {
    assert_true(w->count < WRITTEN_MAX);
    posse_part *to = &w->components[w->count];
    int kept = 0;
    *to = (posse_part){.kind = belief->kind};
    for (int i = 0; i < POSSE_OPTIONS_MAX && belief->options[i].key != NULL; i++)
        if (strcmp(belief->options[i].key, "robust") != 0) to->options[kept++] = belief->options[i];
    w->weights[w->count++] = 1.0;
    return to;
}

static double number_of(const posse_part *belief, const char *key, int arm) {
    const posse_option *o = posse_part_option(belief, key);
    if (o == NULL && (strcmp(key, "scale") == 0 || strcmp(key, "noise.scale") == 0)) return 2.0;
    if (o == NULL) return 1.0; /* the default of all other options that are varied */
    return o->list != NULL ? o->list[arm] : o->number;
}

static double clamped(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/* Multiplies an option of a component by times / over, within limits. */
static void scale_option(written_out *w, posse_part *to, const char *key, double times, double over, double low,
                         double high) {
    const posse_option *given = posse_part_option(to, key);
    posse_option o = {.key = key, .number = clamped(number_of(to, key, 0) * times / over, low, high)};
    if (given != NULL && given->list != NULL) {
        double *list = w->numbers[w->lists++];
        assert_true(given->count <= WRITTEN_ARMS);
        for (size_t i = 0; i < given->count; i++) list[i] = clamped(given->list[i] * times / over, low, high);
        o = (posse_option){.key = key, .list = list, .count = given->count};
    }
    *to = with_option(*to, o);
}

static void add_scaled(written_out *w, const posse_part *belief, const char *key, double times, double over, double low,
                       double high) {
    scale_option(w, add_component(w, belief), key, times, over, low, high);
}

/* Unknown noise: variants have a larger or smaller scale of the noise. The weight of the means changes with it, so
 * that their spread stays the same. */
static void add_unknown_noises(written_out *w, const posse_part *belief, const char *scale, const char *weight) {
    for (int larger = 0; larger < 2; larger++) {
        posse_part *to = add_component(w, belief);
        scale_option(w, to, scale, larger ? 9.0 : 1.0, larger ? 1.0 : 9.0, 1e-100, 1e100);
        scale_option(w, to, weight, larger ? 9.0 : 1.0, larger ? 1.0 : 9.0, 1e-12, 1e12);
    }
}

static void add_noises(written_out *w, const posse_part *belief, double low, double high) {
    add_scaled(w, belief, "noise", 1.0, 3.0, low, high);
    add_scaled(w, belief, "noise", 3.0, 1.0, low, high);
}

/* Changes a beta prior to one of its two variants: wider ones, or lower and higher rates. */
static void vary_beta(double *alpha, double *beta, bool second) {
    double sum = *alpha + *beta, times = second ? 10.0 : 3.0, wider = fmax(2.0, (sum + 1.0) / (times * times) - 1.0);
    double *less = second ? beta : alpha, *more = second ? alpha : beta;
    if (sum > 26.0) {
        *alpha = clamped(*alpha * wider / sum, 1e-6, 1e15);
        *beta = clamped(*beta * wider / sum, 1e-6, 1e15);
    } else if (*less < 9e-6) {
        *more *= 9.0;
    } else {
        *less /= 9.0;
    }
}

static void add_varied_beta(written_out *w, const posse_part *belief, int arms, bool second) {
    posse_part *to = add_component(w, belief);
    double *alpha = w->numbers[w->lists++], *beta = w->numbers[w->lists++];
    for (int a = 0; a < arms; a++) {
        alpha[a] = number_of(belief, "alpha", a);
        beta[a] = number_of(belief, "beta", a);
        vary_beta(&alpha[a], &beta[a], second);
    }
    *to = with_option(*to, (posse_option){.key = "alpha", .list = alpha, .count = (size_t)arms});
    *to = with_option(*to, (posse_option){.key = "beta", .list = beta, .count = (size_t)arms});
}

static void add_wider_gamma(written_out *w, const posse_part *belief, int arms, double times) {
    posse_part *to = add_component(w, belief);
    double *shape = w->numbers[w->lists++], *rate = w->numbers[w->lists++];
    for (int a = 0; a < arms; a++) {
        double before = number_of(belief, "shape", a), wider = fmax(before / (times * times), fmin(before, 1.0));
        shape[a] = clamped(wider, 1e-6, 1e15);
        rate[a] = clamped(number_of(belief, "rate", a) * wider / before, 1e-6, 1e15);
    }
    *to = with_option(*to, (posse_option){.key = "shape", .list = shape, .count = (size_t)arms});
    *to = with_option(*to, (posse_option){.key = "rate", .list = rate, .count = (size_t)arms});
}

/* Variants have the spreads that belong to the noise of the given belief. */
static void add_hierarchies(written_out *w, const posse_part *belief) {
    static const double usual[] = {0.1, 0.2, 0.35, 0.6, 1.0, 1.7};
    posse_part with_spread = *belief;
    if (posse_part_option(belief, "spread") == NULL) {
        double *list = w->numbers[w->lists++];
        for (int g = 0; g < LENGTH(usual); g++) list[g] = usual[g] * number_of(belief, "noise", 0);
        with_spread = with_option(*belief, (posse_option){.key = "spread", .list = list, .count = LENGTH(usual)});
    }
    for (double times = 3.0; times <= 10.0; times += 7.0) {
        posse_part *to = add_component(w, &with_spread);
        scale_option(w, to, "mean-sd", times, 1.0, 1e-50, 1e50);
        scale_option(w, to, "spread", times, 1.0, 1e-50, 1e50);
    }
    add_noises(w, &with_spread, 1e-50, 1e50);
}

static void add_variants(written_out *w, const posse_part *belief, int arms) {
    if (strcmp(belief->kind, "hierarchical") == 0) {
        add_hierarchies(w, belief);
    } else if (strcmp(belief->kind, "gaussian") == 0) {
        add_scaled(w, belief, "sd", 3.0, 1.0, 1e-50, 1e50);
        add_scaled(w, belief, "sd", 10.0, 1.0, 1e-50, 1e50);
        add_noises(w, belief, 1e-50, 1e50);
    } else if (strcmp(belief->kind, "linear") == 0) {
        add_scaled(w, belief, "precision", 1.0, 9.0, 1e-12, 1e12);
        add_scaled(w, belief, "precision", 1.0, 100.0, 1e-12, 1e12);
        if (posse_part_option(belief, "noise.shape") != NULL || posse_part_option(belief, "noise.scale") != NULL)
            add_unknown_noises(w, belief, "noise.scale", "precision");
        else
            add_noises(w, belief, 1e-6, 1e6);
    } else if (strcmp(belief->kind, "normal-gamma") == 0) {
        add_scaled(w, belief, "weight", 1.0, 9.0, 1e-12, 1e12);
        add_scaled(w, belief, "weight", 1.0, 100.0, 1e-12, 1e12);
        add_unknown_noises(w, belief, "scale", "weight");
    } else if (strcmp(belief->kind, "gamma") == 0) {
        add_wider_gamma(w, belief, arms, 3.0);
        add_wider_gamma(w, belief, arms, 10.0);
    } else if (strcmp(belief->kind, "joint-gaussian") == 0) {
        bool table = posse_part_option(belief, "covariance") != NULL;
        for (double times = 3.0; times <= 10.0; times += 7.0) {
            if (table)
                add_scaled(w, belief, "covariance", times * times, 1.0, -1e12, 1e12);
            else
                add_scaled(w, belief, "sd", times, 1.0, 1e-6, 1e6);
        }
        add_noises(w, belief, 1e-6, 1e6);
    } else if (strcmp(belief->kind, "logistic") == 0) {
        add_scaled(w, belief, "precision", 1.0, 9.0, 1e-12, 1e12);
        add_scaled(w, belief, "precision", 1.0, 100.0, 1e-12, 1e12);
    } else if (strcmp(belief->kind, "beta") == 0) {
        add_varied_beta(w, belief, arms, false);
        add_varied_beta(w, belief, arms, true);
    } else {
        add_noises(w, belief, 1e-50, 1e50);
    }
}

posse_part written_out_robust(const posse_part *belief, int arms, written_out *w) {
    w->count = w->lists = 0;
    add_component(w, belief);
    add_variants(w, belief, arms);
    return (posse_part){
        .kind = "mixture",
        .options = {{.key = "components", .part = w->components, .list = w->weights, .count = (size_t)w->count}}};
}
