/* SPDX-License-Identifier: MIT */
/*
 * Tests of options: every parameter of every kind gets every sort of wrong value that its declaration excludes. Each is
 * refused with an error, and a message with its place and what would be right.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "attempts.h"
#include "model/registry.h"

/* ----------------------------------------------- every parameter ----------------------------------------------- */

/* A parameter of a kind, and a valid part of that kind. */
typedef struct subject {
    posse_family family;
    const posse_param *param;
    const specimen *healthy;
} subject;

/* Options whose help begins with "in contexts" are refused unless rounds have features. */
static bool is_at_home(const specimen *s, const posse_param *param) {
    return strncmp(param->help, "in contexts", 11) != 0 || brings_features(s->home);
}

static const specimen *healthy_for(posse_family family, const char *kind, const posse_param *param) {
    int count;
    const specimen *all = menagerie(family, &count);
    for (int i = 0; i < count; i++)
        if (strcmp(all[i].part.kind, kind) == 0 && stands_beside(family, &all[i].part, param) &&
            is_at_home(&all[i], param))
            return &all[i];
    all = menagerie_of_episodes(family, &count);
    for (int i = 0; i < count; i++)
        if (strcmp(all[i].part.kind, kind) == 0) return &all[i];
    fail_msg("the menagerie has no %s %s in which %s can stand", posse_family_name(family), kind, param->name);
    return NULL;
}

static void for_params(posse_family family, int index, const posse_param *params, void (*law)(const subject *s)) {
    for (; params->name != NULL; params++) {
        subject s = {family, params, healthy_for(family, posse_kind_name(family, index), params)};
        law(&s);
    }
}

static void for_every_param(void (*law)(const subject *s)) {
    menagerie_add_examples();
    for (int f = 0; f < POSSE_FAMILY_COUNT; f++) {
        posse_family family = (posse_family)f;
        assert_menagerie_complete(family);
        for (int k = 0; k < posse_kind_count(family); k++) {
            for_params(family, k, posse_kind_params(family, k), law);
            for_params(family, k, posse_family_params(family), law);
        }
    }
}

/* The option is refused, at its place and with that excerpt. */
static void assert_wrong(const subject *s, posse_option option, posse_error error, const char *excerpt) {
    option.key = s->param->name;
    posse_part wrong = with_option(s->healthy->part, option);
    attempt a = attempt_part(s->family, s->healthy->home, &wrong);
    char place_text[128];
    snprintf(place_text, sizeof place_text, "%s.%s: ", attempt_place(s->family), s->param->name);
    assert_that(a.error == error, "%s of %s gives %s: %s", place_text, wrong.kind, posse_error_name(a.error),
                a.log.text);
    if (error == POSSE_ERROR_OPTION) assert_noted(&a.log, place_text);
    assert_noted(&a.log, s->param->name);
    assert_noted(&a.log, excerpt);
}

static bool is_number(const posse_param *p) {
    return p->type == POSSE_TYPE_REAL || p->type == POSSE_TYPE_COUNT || p->type == POSSE_TYPE_FLAG ||
           p->type == POSSE_TYPE_REALS;
}

static bool is_list(const posse_param *p) {
    return p->type == POSSE_TYPE_REALS || p->type == POSSE_TYPE_TABLE;
}

/* The wrong number is given alone and in a list. A list of weights needs its parts as well. */
static void assert_wrong_number(const subject *s, double x, const char *excerpt) {
    double list[] = {x};
    if (is_number(s->param)) assert_wrong(s, (posse_option){.number = x}, POSSE_ERROR_OPTION, excerpt);
    if (is_list(s->param)) assert_wrong(s, (posse_option){.list = list, .count = 1}, POSSE_ERROR_OPTION, excerpt);
    if (s->param->type == POSSE_TYPE_PARTS) {
        posse_option o = *posse_part_option(&s->healthy->part, s->param->name);
        o.list = list;
        o.count = 1;
        assert_wrong(s, o, POSSE_ERROR_OPTION, excerpt);
    }
}

/* -------------------------------------------------- the tests -------------------------------------------------- */

static void types_are_checked(const subject *s) {
    static const double list[] = {0.5};
    static const posse_part inner = {.kind = "gaussian"};
    posse_type type = s->param->type;
    const char *must = "it must be";
    posse_option number = {.number = 0.5}, numbers = {.list = list, .count = 1}, belief_ = {.part = &inner};
    posse_option parts = {.part = &inner, .list = list, .count = 1}, word = {.word = "nonsense"};
    if (!is_number(s->param)) assert_wrong(s, number, POSSE_ERROR_OPTION, must);
    if (!is_list(s->param)) assert_wrong(s, numbers, POSSE_ERROR_OPTION, must);
    if (type != POSSE_TYPE_PART) assert_wrong(s, belief_, POSSE_ERROR_OPTION, must);
    if (type != POSSE_TYPE_PARTS) assert_wrong(s, parts, POSSE_ERROR_OPTION, must);
    if (type == POSSE_TYPE_TEXT || type == POSSE_TYPE_NAMES)
        return; /* any word is valid; the file or name need not exist */
    bool words = type == POSSE_TYPE_WORD || type == POSSE_TYPE_PART || s->param->words != NULL;
    assert_wrong(s, word, POSSE_ERROR_OPTION, words ? "\"nonsense\" is n" : must);
}

LAW(options_of_the_wrong_type_are_refused) {
    for_every_param(types_are_checked);
}

static void ranges_are_checked(const subject *s) {
    const posse_param *p = s->param;
    if (!is_number(p) && !is_list(p) && p->type != POSSE_TYPE_PARTS) return;
    double step = p->type == POSSE_TYPE_COUNT ? 1.0 : 0.0;
    double under = p->flags & POSSE_PARAM_ABOVE ? p->low : step > 0.0 ? p->low - step : nextafter(p->low, -INFINITY);
    double over = p->flags & POSSE_PARAM_BELOW ? p->high : step > 0.0 ? p->high + step : nextafter(p->high, INFINITY);
    assert_wrong_number(s, under, "out of range; it must be");
    assert_wrong_number(s, over, "out of range; it must be");
    assert_wrong_number(s, -DBL_MAX, "out of range");
    assert_wrong_number(s, DBL_MAX, "out of range");
    assert_wrong_number(s, NAN, "not a finite number");
    assert_wrong_number(s, INFINITY, "not a finite number");
    assert_wrong_number(s, -INFINITY, "not a finite number");
    if (p->type == POSSE_TYPE_COUNT) assert_wrong_number(s, p->low + 0.5, "is not a whole number");
    if (p->type == POSSE_TYPE_FLAG) assert_wrong_number(s, 0.5, "neither yes (1) nor no (0)");
}

LAW(options_out_of_range_are_refused) {
    for_every_param(ranges_are_checked);
}

/* The ends of a range of reals are accepted, or refused because the option has no effect there. `present` and
 * `features` are left out, because they must be arms and features that exist, and `transitions`, which must not all be
 * 0. */
static void ends_are_inside(const subject *s) {
    const posse_param *p = s->param;
    if (p->type != POSSE_TYPE_REAL && p->type != POSSE_TYPE_REALS) return;
    if (strcmp(p->name, "present") == 0 || strcmp(p->name, "features") == 0) return;
    if (strcmp(p->name, "transitions") == 0) return;
    double ends[] = {p->flags & POSSE_PARAM_ABOVE ? nextafter(p->low, INFINITY) : p->low,
                     p->flags & POSSE_PARAM_BELOW ? nextafter(p->high, -INFINITY) : p->high};
    for (int i = 0; i < 2; i++) {
        posse_part fine = with_option(s->healthy->part, (posse_option){.key = p->name, .number = ends[i]});
        attempt a = attempt_part(s->family, s->healthy->home, &fine);
        bool idle = a.error == POSSE_ERROR_FIT && strstr(a.log.text, ": given, but ") != NULL;
        assert_that(a.error == POSSE_OK || idle, "%s %g: %s", p->name, ends[i], a.log.text);
    }
}

/* Two numbers, the lower first, each within its bounds. */
static void pairs_are_checked(const subject *s) {
    if (s->param->type != POSSE_TYPE_RANGE) return;
    double low = s->param->low, high = s->param->high, beyond = nextafter(high, INFINITY);
    const struct {
        double list[3];
        size_t count;
        const char *excerpt;
    } wrong[] = {
        {{1.0, 0.0}, 2, "[1, 0] is empty; the lowest comes first"},
        {{0.5, 0.5}, 2, "is empty"},
        {{0.5}, 1, "a list of 1 numbers; it must be two, [lowest, highest]"},
        {{0.0, 0.5, 1.0}, 3, "a list of 3 numbers; it must be two, [lowest, highest]"},
        {{-beyond, 1.0}, 2, "out of range"},
        {{0.0, beyond}, 2, "out of range"},
        {{NAN, 1.0}, 2, "not a finite number"},
        {{0.0, INFINITY}, 2, "not a finite number"},
        {{0}, 0, "it must be two numbers, [lowest, highest]"},
    };
    for (int i = 0; i < LENGTH(wrong); i++) {
        posse_option o = {.list = wrong[i].count > 0 ? wrong[i].list : NULL, .count = wrong[i].count, .number = 0.5};
        assert_wrong(s, o, POSSE_ERROR_OPTION, wrong[i].excerpt);
    }
    const double widest[] = {low, high};
    if (strcmp(s->param->name, "present") == 0) return; /* at most the number of arms */
    posse_part fine = with_option(s->healthy->part, (posse_option){.key = s->param->name, .list = widest, .count = 2});
    assert_int_equal(attempt_part(s->family, s->healthy->home, &fine).error, POSSE_OK);
}

static void names_are_checked(const subject *s) {
    if (s->param->type == POSSE_TYPE_TEXT)
        assert_wrong(s, (posse_option){.word = ""}, POSSE_ERROR_OPTION, "an empty text");
    if (s->param->type != POSSE_TYPE_NAMES) return;
    assert_wrong(s, (posse_option){.word = "a,,b"}, POSSE_ERROR_OPTION, "an empty name");
    assert_wrong(s, (posse_option){.word = "a,b,"}, POSSE_ERROR_OPTION, "an empty name");
    assert_wrong(s, (posse_option){.word = "a,ab,b,ab"}, POSSE_ERROR_OPTION, "\"ab\" is there twice");
}

LAW(names_are_separated_by_single_commas) {
    for_every_param(names_are_checked);
}

LAW(ranges_are_two_numbers_in_order) {
    for_every_param(pairs_are_checked);
}

LAW(the_ends_of_a_range_are_inside) {
    for_every_param(ends_are_inside);
}

static void lengths_are_checked(const subject *s) {
    const posse_param *p = s->param;
    static double many[97];
    double value = p->low > 0.0 || p->flags & POSSE_PARAM_ABOVE ? p->high : p->low;
    for (int i = 0; i < LENGTH(many); i++) many[i] = value;
    if (is_list(p)) {
        /* `at` and `features` may be lists of any length, but the rounds of `at` must rise, and no feature may be
         * given twice. */
        const char *excerpt = strcmp(p->name, "at") == 0         ? "each larger than the one before"
                              : strcmp(p->name, "features") == 0 ? "feature 0 is there twice"
                                                                 : "97 numbers";
        assert_wrong(s, (posse_option){.list = many, .count = LENGTH(many)}, POSSE_ERROR_FIT, excerpt);
        assert_wrong(s, (posse_option){.list = many, .count = 0}, POSSE_ERROR_OPTION, "a list without numbers");
        assert_wrong(s, (posse_option){.list = NULL, .count = 5}, POSSE_ERROR_OPTION, "a list without numbers");
    }
}

LAW(lists_of_the_wrong_length_are_refused) {
    for_every_param(lengths_are_checked);
}

static void twice_is_once_too_often(const subject *s) {
    const posse_param *p = s->param;
    if (!is_number(p)) return;
    double value = p->flags & POSSE_PARAM_ABOVE ? p->high : p->low;
    posse_part wrong = with_option(s->healthy->part, (posse_option){.key = p->name, .number = value});
    int count = 0;
    while (wrong.options[count].key != NULL) count++;
    wrong.options[count] = (posse_option){.key = p->name, .number = value};
    attempt a = attempt_part(s->family, s->healthy->home, &wrong);
    assert_int_equal(a.error, POSSE_ERROR_OPTION);
    assert_noted(&a.log, "given twice");
    assert_noted(&a.log, p->name);
}

LAW(options_given_twice_are_refused) {
    for_every_param(twice_is_once_too_often);
}

/* For a key with one letter too many, the message suggests the right key. */
static void misspelt(const subject *s) {
    char key[64], meant[96];
    snprintf(key, sizeof key, "%sx", s->param->name);
    snprintf(meant, sizeof meant, "there is no such option; did you mean \"%s\"?", s->param->name);
    posse_part wrong = with_option(s->healthy->part, (posse_option)NUMBER(key, 1.0));
    attempt a = attempt_part(s->family, s->healthy->home, &wrong);
    assert_int_equal(a.error, POSSE_ERROR_OPTION);
    assert_noted(&a.log, meant);
    assert_noted(&a.log, attempt_place(s->family));
}

LAW(unknown_options_are_refused_with_a_suggestion) {
    for_every_param(misspelt);
    posse_part strange = {.kind = "ucb", .options = {NUMBER("zzzzzz", 1.0)}};
    attempt a = attempt_part(POSSE_FAMILY_LEARNER, &habitats[ARMS_5], &strange);
    assert_int_equal(a.error, POSSE_ERROR_OPTION);
    assert_noted(&a.log, "learners[1].zzzzzz: there is no such option\n");
}

static void required_is_required(const subject *s) {
    if (!(s->param->flags & POSSE_PARAM_REQUIRED)) return;
    posse_part wrong = {.kind = s->healthy->part.kind};
    for (int i = 0, k = 0; i < POSSE_OPTIONS_MAX && s->healthy->part.options[i].key != NULL; i++)
        if (strcmp(s->healthy->part.options[i].key, s->param->name) != 0)
            wrong.options[k++] = s->healthy->part.options[i];
    attempt a = attempt_part(s->family, s->healthy->home, &wrong);
    char text[128];
    snprintf(text, sizeof text, "%s.%s: is missing; it must be", attempt_place(s->family), s->param->name);
    assert_int_equal(a.error, POSSE_ERROR_OPTION);
    assert_noted(&a.log, text);
}

LAW(missing_options_are_refused) {
    for_every_param(required_is_required);
}

static void excludes_what_it_says(const subject *s) {
    const posse_param *p = s->param;
    if (p->excludes == NULL) return;
    posse_option own = {.key = p->name};
    static const double ones[] = {0.5, 0.5, 0.5, 0.5, 0.5};
    const posse_option *given = posse_part_option(&s->healthy->part, p->name);
    if (given != NULL)
        own = *given;
    else
        own.list = ones, own.count = 5;
    int excluded = 0;
    const posse_kind *kind = NULL;
    for (int k = 0; k < posse_kind_count(s->family); k++)
        if (strcmp(posse_kind_name(s->family, k), s->healthy->part.kind) == 0) kind = registry_kind(s->family, k);
    for (const posse_param *other = kind->params; other->name != NULL; other++) {
        if (!parameter_excludes(p, other->name)) continue;
        posse_option rival = {.key = other->name, .number = 1.0};
        if (other->type == POSSE_TYPE_WORD) rival.word = "ball";
        posse_part wrong = with_option(with_option(s->healthy->part, own), rival);
        attempt a = attempt_part(s->family, s->healthy->home, &wrong);
        assert_int_equal(a.error, POSSE_ERROR_OPTION);
        assert_noted(&a.log, "cannot be given together with");
        assert_noted(&a.log, other->name);
        excluded++;
    }
    assert_true(excluded > 0);
}

LAW(options_that_exclude_each_other_are_refused) {
    for_every_param(excludes_what_it_says);
}

LAW(all_problems_are_told_at_once) {
    posse_part wrong = {.kind = "ucb", .options = {NUMBER("width", -1.0), NUMBER("delta", 7.0), NUMBER("wide", 1.0)}};
    attempt a = attempt_part(POSSE_FAMILY_LEARNER, &habitats[ARMS_5], &wrong);
    assert_int_equal(a.error, POSSE_ERROR_OPTION);
    assert_int_equal(a.log.count, 3);
    assert_noted(&a.log, "learners[1].width: -1 is out of range; it must be at least 0");
    assert_noted(&a.log, "learners[1].delta: 7 is out of range; it must be");
    assert_noted(&a.log, "learners[1].wide: there is no such option; did you mean \"width\"?");
}

/* ------------------------------------------------- kinds ------------------------------------------------------- */

static void kind_is_refused(posse_family family, const char *kind, const char *excerpt) {
    posse_part wrong = {.kind = kind};
    attempt a = attempt_part(family, &habitats[ARMS_5], &wrong);
    char text[96];
    snprintf(text, sizeof text, "%s.kind: ", attempt_place(family));
    assert_int_equal(a.error, POSSE_ERROR_KIND);
    assert_noted(&a.log, text);
    assert_noted(&a.log, excerpt);
}

LAW(unknown_kinds_are_refused_with_a_suggestion) {
    for (int f = 0; f < POSSE_FAMILY_COUNT; f++) {
        posse_family family = (posse_family)f;
        for (int k = 0; k < posse_kind_count(family); k++) {
            char kind[64], meant[96];
            snprintf(kind, sizeof kind, "%ss", posse_kind_name(family, k));
            snprintf(meant, sizeof meant, "did you mean \"%s\"?", posse_kind_name(family, k));
            kind_is_refused(family, kind, meant);
        }
        kind_is_refused(family, "none like this", "there is no");
        if (family != POSSE_FAMILY_SELECTOR) kind_is_refused(family, NULL, "is missing");
    }
    kind_is_refused(POSSE_FAMILY_LEARNER, "usb", "did you mean \"ucb\"?");
    kind_is_refused(POSSE_FAMILY_LEARNER, "thomson", "did you mean \"thompson\"?");
    kind_is_refused(POSSE_FAMILY_BELIEF, "guassian", "did you mean \"gaussian\"?");
}

/* ------------------------------------------ parts that do not fit ---------------------------------------------- */

static void misfit(posse_family family, int at, posse_part described, const char *excerpt) {
    attempt a = attempt_part(family, at >= 0 ? &habitats[at] : NULL, &described);
    assert_that(a.error == POSSE_ERROR_FIT, "%s: %s", described.kind, posse_error_name(a.error));
    assert_noted(&a.log, attempt_place(family));
    assert_noted(&a.log, excerpt);
}

LAW(parts_that_do_not_fit_are_refused) {
    misfit(POSSE_FAMILY_LEARNER, ARMS_5, (posse_part){.kind = "linear-thompson"}, "these arms are independent");
    misfit(POSSE_FAMILY_LEARNER, ARMS_5, (posse_part){.kind = "linear-ucb"}, "these arms are independent");
    misfit(POSSE_FAMILY_LEARNER, BALL_3, (posse_part){.kind = "linear-ucb"}, "the continuous ball has none");
    misfit(POSSE_FAMILY_LEARNER, BALL_3, (posse_part){.kind = "ucb"}, "the continuous ball has none");
    misfit(POSSE_FAMILY_LEARNER, BALL_3, (posse_part){.kind = "epsilon-greedy"}, "the continuous ball has none");
    misfit(POSSE_FAMILY_LEARNER, BALL_3, (posse_part){.kind = "fixed", .options = {NUMBER("arm", 0)}},
           "the continuous ball");
    misfit(POSSE_FAMILY_LEARNER, ARMS_5, (posse_part){.kind = "fixed", .options = {NUMBER("arm", 5)}},
           "there is no arm 5");
    misfit(POSSE_FAMILY_LEARNER, POINTS_7, (posse_part){.kind = "information-lock"}, "and these are 7");
    misfit(POSSE_FAMILY_LEARNER, BALL_3, (posse_part){.kind = "information-lock"}, "an information lock has");
    misfit(POSSE_FAMILY_BELIEF, ARMS_5, (posse_part){.kind = "linear"}, "these arms are independent");
    misfit(POSSE_FAMILY_BELIEF, BALL_3, (posse_part){.kind = "gaussian"}, "needs separate arms");
    misfit(POSSE_FAMILY_BELIEF, BALL_3, (posse_part){.kind = "beta"}, "needs separate arms");
    misfit(POSSE_FAMILY_BELIEF, POINTS_7, (posse_part){.kind = "information-lock"}, "and these are 7");

    static const double four[] = {1.0, 2.0, 3.0, 4.0};
    misfit(POSSE_FAMILY_BELIEF, BALL_3, (posse_part){.kind = "hypotheses", .options = {LIST("table", four)}},
           "needs separate");
    misfit(POSSE_FAMILY_BELIEF, ARMS_5, (posse_part){.kind = "hypotheses", .options = {LIST("table", four)}},
           "rows of 5 arms");
    misfit(POSSE_FAMILY_ENVIRONMENT, -1, (posse_part){.kind = "information-lock", .options = {NUMBER("arms", 7)}},
           "not a power of two; 4 and 8 are");
    misfit(POSSE_FAMILY_ENVIRONMENT, -1, (posse_part){.kind = "linear", .options = {NUMBER("dim", 3)}},
           "a set and a count");
    misfit(POSSE_FAMILY_ENVIRONMENT, -1,
           (posse_part){.kind = "linear", .options = {NUMBER("dim", 3), LIST("arms.points", four)}}, "rows of 3");
    misfit(POSSE_FAMILY_ENVIRONMENT, -1,
           (posse_part){.kind = "linear",
                        .options = {NUMBER("dim", 3), WORD("arms.set", "sphere"), WORD("arms.count", "all")}},
           "goes with the set `ball`");
}

/* An option that can have no effect is refused with the reason, unless it has its default. */
LAW(options_without_effect_are_refused) {
    static const char *const kinds[] = {"bms", "bms-plus"};
    static const posse_option in_contexts[] = {NUMBER("memory", 3),  WORD("memory", "all"),  NUMBER("recency", 2),
                                               NUMBER("hold", 0.9),  NUMBER("hold-most", 9), NUMBER("candidates", 3),
                                               NUMBER("consider", 1)};
    for (int k = 0; k < LENGTH(kinds); k++) {
        posse_part bms = {.kind = kinds[k], .options = {WORD("patience", "endless")}};
        misfit(POSSE_FAMILY_SELECTOR, ARMS_5, with_option(bms, (posse_option)NUMBER("commitment", 0.2)),
               "commitment: given, but patience is endless");
        misfit(POSSE_FAMILY_SELECTOR, ARMS_5, with_option(bms, (posse_option)NUMBER("forgetting", 1)),
               "forgetting: given, but patience is endless");
        misfit(POSSE_FAMILY_SELECTOR, OFFERS_6, with_option(bms, (posse_option)NUMBER("commitment", 0.2)),
               "commitment: given, but patience is endless");
        for (int i = 0; i < LENGTH(in_contexts); i++)
            misfit(POSSE_FAMILY_SELECTOR, ARMS_5, with_option(bms, in_contexts[i]),
                   "given, but it is for rounds with features, and these have none");
    }
    misfit(POSSE_FAMILY_LEARNER, ARMS_5, (posse_part){.kind = "epsilon-greedy", .options = {NUMBER("precision", 7)}},
           "precision: given, but it is for rounds with features");
    misfit(POSSE_FAMILY_LEARNER, ARMS_5, (posse_part){.kind = "epsilon-greedy", .options = {NUMBER("bias", 0.5)}},
           "bias: given, but it is for rounds with features");
    misfit(POSSE_FAMILY_LEARNER, ARMS_5, (posse_part){.kind = "epsilon-greedy", .options = {NUMBER("forget", 0.9)}},
           "forget: given, but it is for rounds with features");
    misfit(POSSE_FAMILY_ENVIRONMENT, -1,
           (posse_part){.kind = "contextual",
                        .options = {NUMBER("dim", 3), NUMBER("arms", 4), WORD("link", "logistic"), NUMBER("noise", 2)}},
           "noise: given, but it goes with link `identity`");
    misfit(POSSE_FAMILY_ENVIRONMENT, -1,
           (posse_part){.kind = "log", .options = {WORD("file", "a.vw"), WORD("arm", "chosen")}},
           "arm: given, but it names columns of CSV");
    posse_part defaults = {
        .kind = "bms",
        .options = {NUMBER("commitment", 1), NUMBER("forgetting", 0), NUMBER("hold", 0.02), NUMBER("hold-most", 256)}};
    assert_int_equal(attempt_part(POSSE_FAMILY_SELECTOR, &habitats[ARMS_5], &defaults).error, POSSE_OK);
    posse_part inherited = {.kind = "epsilon-greedy", .options = {WORD("precision", "auto"), NUMBER("bias", 0)}};
    assert_int_equal(attempt_part(POSSE_FAMILY_LEARNER, &habitats[ARMS_5], &inherited).error, POSSE_OK);
}

/* Components of a mixture must have worlds of the same shape. Each is checked like any belief, at its own place. */
LAW(components_are_checked_at_their_place) {
    static const double weights[] = {1.0, 1.0};
    posse_part parts[] = {{.kind = "linear"}, {.kind = "gaussian"}};
    posse_part mixture = {.kind = "mixture",
                          .options = {{.key = "components", .part = parts, .list = weights, .count = 2}}};
    misfit(POSSE_FAMILY_BELIEF, POINTS_7, mixture,
           "components[1]: a gaussian belief and a linear belief have different coordinates");
    parts[1] = (posse_part){.kind = "linear", .options = {NUMBER("noise", -1.0)}};
    attempt a = attempt_part(POSSE_FAMILY_BELIEF, &habitats[POINTS_7], &mixture);
    assert_int_equal(a.error, POSSE_ERROR_OPTION);
    assert_noted(&a.log, "selector.belief.components[1].noise: -1 is out of range");
    static double many_weights[65];
    static posse_part many[65];
    for (int i = 0; i < 65; i++) {
        many[i] = (posse_part){.kind = "linear"};
        many_weights[i] = 1.0;
    }
    mixture.options[0] = (posse_option){.key = "components", .part = many, .list = many_weights, .count = 65};
    misfit(POSSE_FAMILY_BELIEF, POINTS_7, mixture, "65 are too many; at most 64");
}

/* Mixtures may contain mixtures, up to a limit. */
LAW(parts_nest_to_a_limit) {
    static const double weight[] = {1.0};
    static posse_part layers[8];
    layers[0] = (posse_part){.kind = "gaussian"};
    for (int depth = 1; depth < 8; depth++) {
        layers[depth] =
            (posse_part){.kind = "mixture",
                         .options = {{.key = "components", .part = &layers[depth - 1], .list = weight, .count = 1}}};
        attempt a = attempt_part(POSSE_FAMILY_BELIEF, &habitats[ARMS_5], &layers[depth]);
        assert_int_equal(a.error, depth <= 3 ? POSSE_OK : POSSE_ERROR_OPTION);
    }
}

static attempt attempt_def(posse_def def) {
    attempt a = {0};
    posse *p = (posse *)&a;
    def.host.log = notes_logger(&a.log);
    a.error = posse_create(&def, &p);
    assert_null(p);
    assert_that(a.log.count > 0, "%s without a word", posse_error_name(a.error));
    return a;
}

LAW(wrong_arms_are_refused) {
    static const double bad_points[] = {1.0, NAN, 0.0, 1.0}, huge[] = {1.0, 1e101, 0.0, 1.0};
    posse_def base = habitat_def(&habitats[ARMS_5]), def;
    static const posse_part thompson = {.kind = "thompson"};
    base.learners = &thompson;
    base.learner_count = 1;
#define WRONG(change, code, excerpt)                                                                                   \
    do {                                                                                                               \
        def = base;                                                                                                    \
        change;                                                                                                        \
        attempt a_ = attempt_def(def);                                                                                 \
        assert_int_equal(a_.error, code);                                                                              \
        assert_noted(&a_.log, excerpt);                                                                                \
    } while (0)
    WRONG(def.arms = -1, POSSE_ERROR_FIT, "arms: -1 is out of range");
    WRONG(def.arms = 1000001, POSSE_ERROR_FIT, "arms: 1000001 is out of range");
    WRONG(def.arms = 0, POSSE_ERROR_FIT, "arms: there must be at least one");
    WRONG(def.dim = -2, POSSE_ERROR_FIT, "dim: -2 is out of range");
    WRONG(def.dim = 1025, POSSE_ERROR_FIT, "dim: 1025 is out of range");
    WRONG(def.context = -1, POSSE_ERROR_FIT, "context: -1 is out of range");
    WRONG((def.dim = 1000, def.context = 25), POSSE_ERROR_FIT, "context: 25 is out of range");
    WRONG((def.context = 3, def.arms = 0), POSSE_ERROR_FIT, "arms: there must be at least one");
    WRONG((def.context = 3, def.points = huge), POSSE_ERROR_FIT, "points: fixed");
    WRONG((def.context = 500, def.arms = 100000), POSSE_ERROR_FIT, "arms: 100000 arms with 500 features each");
    WRONG(def.points = huge, POSSE_ERROR_FIT, "points: given without");
    WRONG((def.points = bad_points, def.arms = def.dim = 2), POSSE_ERROR_FIT, "points: number 1 is nan");
    WRONG((def.points = huge, def.arms = def.dim = 2), POSSE_ERROR_FIT, "points: number 1 is 1e+101");
    WRONG(def.learner_count = 0, POSSE_ERROR_ARGUMENT, "learners: there must be at least one");
    WRONG(def.learner_count = -1, POSSE_ERROR_ARGUMENT, "learners: there must be at least one");
    WRONG(def.learners = NULL, POSSE_ERROR_ARGUMENT, "learners: there must be at least one");
    WRONG(def.learner_count = 5000, POSSE_ERROR_ARGUMENT, "learners: 5000 are too many");
    WRONG(def.prior = (posse_part){0}, POSSE_ERROR_FIT, "a belief is needed");
    WRONG(def.prior.kind = "gausian", POSSE_ERROR_KIND, "did you mean \"gaussian\"?");
#undef WRONG
}

/* A value that is inherited from the prior must be in the range like any other. */
LAW(inherited_options_are_checked) {
    posse_part learner = {.kind = "linear-thompson"};
    posse_def def = habitat_def(&habitats[POINTS_7]);
    def.prior = (posse_part){.kind = "linear", .options = {NUMBER("precision", -1.0)}};
    def.selector = (posse_part){0};
    def.learners = &learner;
    def.learner_count = 1;
    attempt a = attempt_def(def);
    assert_int_equal(a.error, POSSE_ERROR_OPTION);
    assert_noted(&a.log, "precision: -1 is out of range");
}
