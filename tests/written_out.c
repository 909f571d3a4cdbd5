/* SPDX-License-Identifier: MIT */
#include "written_out.h"

#include <math.h>
#include <string.h>

/* A component like the belief as it is given, with `robust` left out. */
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
    if (o == NULL) return 1.0; /* the default of all that is varied */
    return o->list != NULL ? o->list[arm] : o->number;
}

static double clamped(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/* A component with an option multiplied and divided. */
static void add_scaled(written_out *w, const posse_part *belief, const char *key, double times, double over, double low,
                       double high) {
    posse_part *to = add_component(w, belief);
    const posse_option *given = posse_part_option(belief, key);
    posse_option o = {.key = key, .number = clamped(number_of(belief, key, 0) * times / over, low, high)};
    if (given != NULL && given->list != NULL) {
        double *list = w->numbers[w->lists++];
        assert_true(given->count <= WRITTEN_ARMS);
        for (size_t i = 0; i < given->count; i++) list[i] = clamped(given->list[i] * times / over, low, high);
        o = (posse_option){.key = key, .list = list, .count = given->count};
    }
    *to = with_option(*to, o);
}

static void add_noises(written_out *w, const posse_part *belief, double low, double high) {
    add_scaled(w, belief, "noise", 1.0, 3.0, low, high);
    add_scaled(w, belief, "noise", 3.0, 1.0, low, high);
}

static void add_wider_beta(written_out *w, const posse_part *belief, int arms, double times) {
    posse_part *to = add_component(w, belief);
    double *alpha = w->numbers[w->lists++], *beta = w->numbers[w->lists++];
    for (int a = 0; a < arms; a++) {
        double sum = number_of(belief, "alpha", a) + number_of(belief, "beta", a);
        double wider = fmin(sum, fmax(2.0, (sum + 1.0) / (times * times) - 1.0));
        alpha[a] = clamped(number_of(belief, "alpha", a) * wider / sum, 1e-6, 1e15);
        beta[a] = clamped(number_of(belief, "beta", a) * wider / sum, 1e-6, 1e15);
    }
    *to = with_option(*to, (posse_option){.key = "alpha", .list = alpha, .count = (size_t)arms});
    *to = with_option(*to, (posse_option){.key = "beta", .list = beta, .count = (size_t)arms});
}

static void add_variants(written_out *w, const posse_part *belief, int arms) {
    if (strcmp(belief->kind, "gaussian") == 0) {
        add_scaled(w, belief, "sd", 3.0, 1.0, 1e-50, 1e50);
        add_scaled(w, belief, "sd", 10.0, 1.0, 1e-50, 1e50);
        add_noises(w, belief, 1e-50, 1e50);
    } else if (strcmp(belief->kind, "linear") == 0) {
        add_scaled(w, belief, "precision", 1.0, 9.0, 1e-12, 1e12);
        add_scaled(w, belief, "precision", 1.0, 100.0, 1e-12, 1e12);
        add_noises(w, belief, 1e-6, 1e6);
    } else if (strcmp(belief->kind, "beta") == 0) {
        add_wider_beta(w, belief, arms, 3.0);
        add_wider_beta(w, belief, arms, 10.0);
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
