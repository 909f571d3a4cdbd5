/* SPDX-License-Identifier: MIT */
/* Every parameter of every kind is declared completely. */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "model/registry.h"

static bool is_a_sentence(const char *text) {
    return text != NULL && strlen(text) >= 8 && strlen(text) <= 120 && strchr(text, '\n') == NULL;
}

static void is_declared_well(posse_family family, const char *kind, const posse_param *p) {
    assert_that(is_a_sentence(p->help), "%s.%s has no help", kind, p->name);
    assert_true(strspn(p->name, "abcdefghijklmnopqrstuvwxyz-.") == strlen(p->name));
    assert_false(p->flags & POSSE_PARAM_REQUIRED && p->flags & POSSE_PARAM_OPTIONAL);
    bool number = p->type == POSSE_TYPE_COUNT || p->type == POSSE_TYPE_REAL || p->type == POSSE_TYPE_FLAG;
    /* these may have words as well */
    assert_int_equal(p->type == POSSE_TYPE_WORD, p->words != NULL && !number);
    assert_true(!(p->flags & POSSE_PARAM_PATH) || p->type == POSSE_TYPE_TEXT);
    if (p->type == POSSE_TYPE_WORD || p->type == POSSE_TYPE_PART || p->type == POSSE_TYPE_TEXT ||
        p->type == POSSE_TYPE_NAMES)
        return;
    assert_that(isfinite(p->low) && isfinite(p->high) && p->low < p->high, "%s.%s has no range", kind, p->name);
    if (p->flags & (POSSE_PARAM_REQUIRED | POSSE_PARAM_OPTIONAL) || p->fallback_word != NULL) return;
    bool above = p->flags & POSSE_PARAM_ABOVE ? p->fallback > p->low : p->fallback >= p->low;
    bool below = p->flags & POSSE_PARAM_BELOW ? p->fallback < p->high : p->fallback <= p->high;
    assert_that(above && below, "%s %s.%s: the default is out of its range", posse_family_name(family), kind, p->name);
    if (p->type == POSSE_TYPE_COUNT || p->type == POSSE_TYPE_FLAG) assert_true(p->fallback == floor(p->fallback));
}

static bool excludes_one(const posse_param *params, const posse_param *p) {
    for (; params->name != NULL; params++)
        if (parameter_excludes(p, params->name)) return true;
    return false;
}

static void are_declared_well(posse_family family, const char *kind, const posse_param *params) {
    int count = 0;
    for (const posse_param *p = params; p->name != NULL; p++, count++) {
        is_declared_well(family, kind, p);
        for (const posse_param *q = params; q < p; q++) assert_string_not_equal(p->name, q->name);
        if (p->excludes != NULL) assert_true(excludes_one(params, p));
    }
    for (const posse_param *p = posse_family_params(family); p->name != NULL; p++)
        count += parameters_find(params, p->name) == NULL;
    assert_true(parameters_are_declared(params));
    assert_true(parameters_agree(params, posse_family_params(family)));
    assert_true(count <= POSSE_OPTIONS_MAX);
}

LAW(declarations_are_complete) {
    for (int f = 0; f < POSSE_FAMILY_COUNT; f++) {
        posse_family family = (posse_family)f;
        assert_true(posse_kind_count(family) > 0);
        assert_non_null(posse_family_name(family));
        are_declared_well(family, posse_family_name(family), posse_family_params(family));
        for (int k = 0; k < posse_kind_count(family); k++) {
            const char *name = posse_kind_name(family, k);
            assert_true(strlen(name) > 0 && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name));
            assert_true(is_a_sentence(posse_kind_help(family, k)));
            for (int other = 0; other < k; other++) assert_string_not_equal(name, posse_kind_name(family, other));
            are_declared_well(family, name, posse_kind_params(family, k));
        }
    }
}
