/* SPDX-License-Identifier: MIT */
#include "model/parameter.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/suggestion.h"

typedef struct checker {
    const posse_logger *log;
    const posse_place *where;
    bool failed;
} checker;

__attribute__((format(printf, 3, 4))) static void parameter_refuse(checker *c, const char *key, const char *format,
                                                                   ...) {
    va_list arguments;
    va_start(arguments, format);
    complain_list(c->log, c->where, key, format, arguments);
    va_end(arguments);
    c->failed = true;
}

const posse_option *posse_part_option(const posse_part *part, const char *name) {
    if (part == NULL || name == NULL) return NULL;
    for (int i = 0; i < POSSE_OPTIONS_MAX && part->options[i].key != NULL; i++)
        if (strcmp(part->options[i].key, name) == 0) return &part->options[i];
    return NULL;
}

const posse_param *parameters_find(const posse_param *params, const char *name) {
    for (; params != NULL && params->name != NULL; params++)
        if (strcmp(params->name, name) == 0) return params;
    return NULL;
}

/* Whether `word` is one of the words of "one|two|three". */
static bool is_among(const char *words, const char *word) {
    size_t length = strlen(word);
    while (words != NULL && *words != '\0') {
        size_t span = strcspn(words, "|");
        if (span == length && strncmp(words, word, length) == 0) return true;
        words += span + (words[span] == '|');
    }
    return false;
}

/* "at least 0 and below 1" */
static const char *range_text(const posse_param *p, char text[80]) {
    char low[32] = "", high[32] = "";
    if (p->low > -DBL_MAX)
        format_text(low, sizeof low, "%s %.12g", p->flags & POSSE_PARAM_ABOVE ? "above" : "at least", p->low);
    if (p->high < DBL_MAX)
        format_text(high, sizeof high, "%s %.12g", p->flags & POSSE_PARAM_BELOW ? "below" : "at most", p->high);
    snprintf(text, 80, "%s%s%s", low, low[0] && high[0] ? " and " : "", high);
    return text;
}

/* A declaration whose low and high are both 0 has no bounds. */
static bool in_range(const posse_param *p, double x) {
    if (p->low == 0.0 && p->high == 0.0) return true;
    bool above = p->flags & POSSE_PARAM_ABOVE ? x > p->low : x >= p->low;
    bool below = p->flags & POSSE_PARAM_BELOW ? x < p->high : x <= p->high;
    return above && below;
}

double parameter_nearest(const posse_param *p, double x) {
    if (in_range(p, x)) return x;
    if (x <= p->low) return p->flags & POSSE_PARAM_ABOVE ? nextafter(p->low, INFINITY) : p->low;
    return p->flags & POSSE_PARAM_BELOW ? nextafter(p->high, -INFINITY) : p->high;
}

static bool is_range(const posse_param *p, const double *range) {
    return range != NULL && in_range(p, range[0]) && in_range(p, range[1]) && range[0] < range[1];
}

bool parameters_are_declared(const posse_param *params) {
    for (; params != NULL && params->name != NULL; params++) {
        bool has_default = !(params->flags & (POSSE_PARAM_REQUIRED | POSSE_PARAM_OPTIONAL));
        if ((int)params->type < POSSE_TYPE_REAL || params->type > POSSE_TYPE_NAMES) return false;
        bool word = params->fallback_word != NULL;
        if (word && params->type < POSSE_TYPE_TEXT && !is_among(params->words, params->fallback_word)) return false;
        if (has_default && !word && params->type <= POSSE_TYPE_REALS && !in_range(params, params->fallback))
            return false;
        if (has_default && params->type == POSSE_TYPE_RANGE && !is_range(params, params->fallbacks)) return false;
    }
    return true;
}

int parameters_count(const posse_param *params) {
    int count = 0;
    while (params != NULL && params[count].name != NULL) count++;
    return count;
}

static bool parameter_same_text(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool parameters_agree(const posse_param *own, const posse_param *common) {
    for (; own != NULL && own->name != NULL; own++) {
        const posse_param *p = parameters_find(common, own->name);
        if (p == NULL) continue;
        bool same_flags =
            (own->flags & ~(unsigned)POSSE_PARAM_KEPT) == p->flags; /* another default may have to be kept */
        if (own->type != p->type || !same_flags || own->low != p->low || own->high != p->high) return false;
        if (!parameter_same_text(own->words, p->words) || !parameter_same_text(own->excludes, p->excludes))
            return false;
    }
    return true;
}

static void check_number(checker *c, const posse_param *p, double x) {
    char text[80];
    if (!isfinite(x))
        parameter_refuse(c, p->name, "%g is not a finite number", x);
    else if (!in_range(p, x))
        parameter_refuse(c, p->name, "%.12g is out of range; it must be %s", x, range_text(p, text));
    else if (p->type == POSSE_TYPE_COUNT && x != floor(x))
        parameter_refuse(c, p->name, "%.12g is not a whole number", x);
    else if (p->type == POSSE_TYPE_FLAG && x != 0.0 && x != 1.0)
        parameter_refuse(c, p->name, "%.12g is neither yes (1) nor no (0)", x);
}

static bool is_named_before(const char *names, const char *name, size_t length) {
    for (const char *at = names; at < name; at += strcspn(at, ",") + 1)
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0) return true;
    return false;
}

static void check_names(checker *c, const posse_param *p, const char *names) {
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, ",");
        if (length == 0)
            parameter_refuse(c, p->name, "an empty name; names are separated by single commas");
        else if (is_named_before(names, at, length))
            parameter_refuse(c, p->name, "\"%.*s\" is there twice", (int)length, at);
        at += length;
        if (*at == '\0' || c->failed) return;
    }
}

static void check_word(checker *c, const posse_param *p, const char *word) {
    if (p->type == POSSE_TYPE_TEXT && *word == '\0') parameter_refuse(c, p->name, "an empty text");
    if (p->type == POSSE_TYPE_NAMES) check_names(c, p, word);
    if (p->type == POSSE_TYPE_TEXT || p->type == POSSE_TYPE_NAMES) return;
    if (p->type == POSSE_TYPE_PART && strcmp(word, "environment") == 0) return;
    if (p->type == POSSE_TYPE_PART)
        parameter_refuse(c, p->name, "\"%s\" is no belief; give a part, or the word \"environment\"", word);
    else if (!is_among(p->words, word))
        parameter_refuse(c, p->name, "\"%s\" is not among %s%s", word,
                         p->type == POSSE_TYPE_COUNT  ? "whole numbers and "
                         : p->type == POSSE_TYPE_REAL ? "numbers and "
                         : p->type == POSSE_TYPE_FLAG ? "yes, no and "
                                                      : "",
                         p->words);
}

static void check_list(checker *c, const posse_param *p, const posse_option *o) {
    if (o->list == NULL || o->count == 0) {
        parameter_refuse(c, p->name, "a list without numbers");
        return;
    }
    for (size_t i = 0; i < o->count && !c->failed; i++) check_number(c, p, o->list[i]);
    if (p->type != POSSE_TYPE_RANGE || c->failed) return;
    if (o->count != 2)
        parameter_refuse(c, p->name, "a list of %zu numbers; it must be two, [lowest, highest]", o->count);
    else if (!(o->list[0] < o->list[1]))
        parameter_refuse(c, p->name, "[%.12g, %.12g] is empty; the lowest comes first", o->list[0], o->list[1]);
}

static const char *type_text(posse_type type) {
    static const char *const texts[] = {[POSSE_TYPE_REAL] = "a number",
                                        [POSSE_TYPE_COUNT] = "a whole number",
                                        [POSSE_TYPE_FLAG] = "yes or no",
                                        [POSSE_TYPE_WORD] = "a word",
                                        [POSSE_TYPE_REALS] = "a number or a list of numbers",
                                        [POSSE_TYPE_TABLE] = "rows of numbers",
                                        [POSSE_TYPE_PART] = "a belief",
                                        [POSSE_TYPE_PARTS] = "a list of beliefs with weights",
                                        [POSSE_TYPE_RANGE] = "two numbers, [lowest, highest]",
                                        [POSSE_TYPE_TEXT] = "a text",
                                        [POSSE_TYPE_NAMES] = "names"};
    return texts[type];
}

/* The type of value in an option. Since an option has no tag, it follows from the fields that are set. */
typedef enum carried { CARRIES_NUMBER, CARRIES_WORD, CARRIES_LIST, CARRIES_PART, CARRIES_PARTS } carried;

static carried option_carries(const posse_option *o) {
    if (o->word != NULL) return CARRIES_WORD;
    if (o->part != NULL) return o->list != NULL ? CARRIES_PARTS : CARRIES_PART;
    return o->list != NULL || o->count > 0 ? CARRIES_LIST : CARRIES_NUMBER;
}

static bool fits_type(const posse_param *p, carried what) {
    switch (p->type) {
    case POSSE_TYPE_FLAG:
    case POSSE_TYPE_REAL:
    case POSSE_TYPE_COUNT:
        return what == CARRIES_NUMBER || (what == CARRIES_WORD && p->words != NULL);
    case POSSE_TYPE_WORD:
    case POSSE_TYPE_TEXT:
    case POSSE_TYPE_NAMES:
        return what == CARRIES_WORD;
    case POSSE_TYPE_REALS:
        return what == CARRIES_NUMBER || what == CARRIES_LIST;
    case POSSE_TYPE_TABLE:
    case POSSE_TYPE_RANGE:
        return what == CARRIES_LIST;
    case POSSE_TYPE_PART:
        return what == CARRIES_PART || what == CARRIES_WORD;
    case POSSE_TYPE_PARTS:
        return what == CARRIES_PARTS;
    }
    return false;
}

static void parameter_check_option(checker *c, const posse_param *p, const posse_option *o) {
    carried what = option_carries(o);
    if (!fits_type(p, what)) {
        parameter_refuse(c, p->name, "it must be %s", type_text(p->type));
        return;
    }
    if (what == CARRIES_NUMBER) check_number(c, p, o->number);
    if (what == CARRIES_WORD) check_word(c, p, o->word);
    if (what == CARRIES_LIST || what == CARRIES_PARTS) check_list(c, p, o);
}

bool parameter_excludes(const posse_param *p, const char *name) {
    if (strcmp(p->name, name) == 0) return false;
    for (const char *start = p->excludes; start != NULL && *start != '\0';) {
        size_t span = strcspn(start, "|");
        if (strncmp(name, start, span) == 0) return true;
        start += span + (start[span] == '|');
    }
    return false;
}

static void check_exclusion(checker *c, const posse_param *p, const posse_part *part) {
    for (int i = 0; i < POSSE_OPTIONS_MAX && part->options[i].key != NULL; i++)
        if (parameter_excludes(p, part->options[i].key))
            parameter_refuse(c, p->name, "cannot be given together with %s", part->options[i].key);
}

static void check_unknown(checker *c, const char *key, const resolution *own, const resolution *common) {
    suggestion near = {.word = key};
    for (const posse_param *p = own->params; p != NULL && p->name != NULL; p++) suggestion_consider(&near, p->name);
    for (const posse_param *p = common->params; p != NULL && p->name != NULL; p++) suggestion_consider(&near, p->name);
    parameter_refuse(c, key, "there is no such option%s", suggestion_text(&near));
}

static void check_given(checker *c, const posse_part *part, const resolution *own, const resolution *common) {
    for (int i = 0; i < POSSE_OPTIONS_MAX && part->options[i].key != NULL; i++) {
        const posse_option *o = &part->options[i];
        const posse_param *p = parameters_find(own->params, o->key);
        if (p == NULL) p = parameters_find(common->params, o->key);
        if (p == NULL)
            check_unknown(c, o->key, own, common);
        else if (posse_part_option(part, o->key) != o)
            parameter_refuse(c, o->key, "given twice");
        else {
            parameter_check_option(c, p, o);
            check_exclusion(c, p, part);
        }
    }
}

bool posse_param_default(const posse_param *p, posse_option *out) {
    *out = (posse_option){.key = p->name};
    if (p->flags & (POSSE_PARAM_REQUIRED | POSSE_PARAM_OPTIONAL) || p->type == POSSE_TYPE_TABLE ||
        p->type == POSSE_TYPE_PARTS)
        return false;
    out->number = p->fallback;
    out->word = p->fallback_word;
    if (p->type == POSSE_TYPE_PART) out->word = "environment";
    if (p->type == POSSE_TYPE_RANGE) out->list = p->fallbacks, out->count = 2;
    return true;
}

/* The prior's option of the same name, if the parameter is inherited and that option is a single number; else NULL. */
static const posse_option *parameter_inherited(const posse_param *p, const posse_part *prior) {
    const posse_option *o = p->flags & POSSE_PARAM_INHERITED ? posse_part_option(prior, p->name) : NULL;
    return o != NULL && option_carries(o) == CARRIES_NUMBER ? o : NULL;
}

bool parameter_is_inherited(const posse_param *p, const posse_part *prior) {
    return parameter_inherited(p, prior) != NULL;
}

/* The default of a parameter. It has no key if there is none. */
static posse_option parameter_default_of(const posse_param *p, const posse_part *prior) {
    const posse_option *from_prior = parameter_inherited(p, prior);
    posse_option o;
    if (!posse_param_default(p, &o)) o.key = NULL;
    return from_prior != NULL ? *from_prior : o;
}

bool parameter_is_default(const posse_param *p, const posse_part *prior, const posse_option *setting) {
    if (setting->key == NULL) return true;
    posse_option o = parameter_default_of(p, prior);
    if (o.key == NULL || option_carries(setting) != option_carries(&o)) return false;
    if (setting->word != NULL) return strcmp(setting->word, o.word) == 0;
    return option_carries(setting) == CARRIES_NUMBER && setting->number == o.number;
}

static void parameter_fill(checker *c, const posse_part *part, const posse_part *prior, const posse_param *own,
                           resolution *r) {
    for (int i = 0; i < parameters_count(r->params); i++) {
        const posse_param *again = parameters_find(own, r->params[i].name), *p = again != NULL ? again : &r->params[i];
        const posse_option *given = posse_part_option(part, p->name);
        if (given == NULL && p->flags & POSSE_PARAM_REQUIRED)
            parameter_refuse(c, p->name, "is missing; it must be %s", type_text(p->type));
        r->settings[i] = given != NULL ? *given : parameter_default_of(p, prior);
        if (given == NULL && parameter_is_inherited(p, prior)) check_number(c, p, r->settings[i].number);
    }
}

posse_error parameters_resolve(const posse_part *part, const posse_part *prior, const posse_logger *log,
                               const posse_place *where, resolution *own, resolution *common) {
    checker c = {log, where, false};
    check_given(&c, part, own, common);
    parameter_fill(&c, part, prior, own->params, own);
    parameter_fill(&c, part, prior, own->params, common);
    return c.failed ? POSSE_ERROR_OPTION : POSSE_OK;
}

bool parameters_exclude(const posse_param *params, const posse_part *part, const char *name) {
    const posse_param *own = parameters_find(params, name);
    for (int i = 0; i < POSSE_OPTIONS_MAX && part->options[i].key != NULL; i++) {
        const posse_param *given = parameters_find(params, part->options[i].key);
        if (given != NULL && (parameter_excludes(given, name) || parameter_excludes(own, given->name))) return true;
    }
    return false;
}
