/* SPDX-License-Identifier: MIT */
#include "model/part.h"

#include <string.h>

#include "base/assert.h"
#include "base/suggestion.h"
#include "model/registry.h"

/* The largest state in bytes. Sums of sizes of a posse's states cannot overflow then. */
#define STATE_MAX ((size_t)1 << 48)

/* Finds the kind that a description names. */
static posse_error find_kind(const posse_logger *log, const posse_place *where, posse_family family, const char *name,
                             const posse_kind **out) {
    *out = registry_kind(family, posse_kind_find(family, name));
    if (*out != NULL) return POSSE_OK;
    suggestion near = {.word = name != NULL ? name : ""};
    for (int i = 0; i < posse_kind_count(family); i++) suggestion_consider(&near, posse_kind_name(family, i));
    if (name == NULL)
        complain(log, where, "kind", "is missing; it must be a kind of %s", posse_family_name(family));
    else
        complain(log, where, "kind", "there is no %s of kind \"%s\"%s", posse_family_name(family), name,
                 suggestion_text(&near));
    return POSSE_ERROR_KIND;
}

/* Finds the kind and checks the options against its declarations. */
static posse_error part_understand_for(const posse_part *description, posse_family family, const posse_part *prior,
                                       const posse_logger *log, const posse_place *where, understanding *out) {
    posse_error error = find_kind(log, where, family, description->kind, &out->kind);
    if (error != POSSE_OK) return error;
    out->own.params = out->kind->params;
    out->common.params = posse_family_params(family);
    return parameters_resolve(description, prior, log, where, &out->own, &out->common);
}

posse_error part_understand(const part_context *context, posse_family family, const posse_part *description,
                            understanding *out) {
    *out = (understanding){0};
    posse_error error =
        part_understand_for(description, family, context->surroundings.prior, context->log, context->where, out);
    const posse_space *space = context->surroundings.space;
    if (error == POSSE_OK && space != NULL && posse_space_features(space) > 0)
        out->kind = registry_kind_in_contexts(family, out->kind);
    return error;
}

posse_setup part_setup(const part_context *context, const understanding *understood) {
    posse_setup setup = context->surroundings;
    setup.settings = understood->own.settings;
    setup.reserved = (void *)(uintptr_t)context;
    return setup;
}

posse_error part_prepare(const part_context *context, const understanding *understood, part *out) {
    part_context inner = *context;
    inner.params = understood->own.params;
    posse_setup setup = part_setup(&inner, understood);
    out->kind = understood->kind;
    if (setup.arms_before > 0 && out->kind->grow == NULL)
        return posse_setup_refuse(&setup, NULL, -1, "kind \"%s\" does not support arms that are added or retired later",
                                  out->kind->name);
    posse_error error = out->kind->prepare(&setup, &out->plan);
    if (error != POSSE_OK) return error;
    out->state_size = out->kind->state_size(out->plan);
    if (out->state_size % 8 != 0)
        return posse_setup_refuse(&setup, NULL, -1, "the state of kind \"%s\" is not made of 8-byte numbers",
                                  out->kind->name);
    if (out->state_size > STATE_MAX)
        return posse_setup_refuse(&setup, NULL, -1, "the state of kind \"%s\" has %zu bytes, more than any memory",
                                  out->kind->name, out->state_size);
    return POSSE_OK;
}

posse_error part_make(const part_context *context, posse_family family, const posse_part *description, part *out) {
    understanding understood;
    posse_error error = part_understand(context, family, description, &understood);
    return error == POSSE_OK ? part_prepare(context, &understood, out) : error;
}

/* ------------------------------------------------- defaults -------------------------------------------------- */

posse_part part_with_kept_defaults(posse_family family, const posse_part *description, const posse_part *prior) {
    posse_part out = *description;
    const posse_param *params = posse_kind_params(family, posse_kind_find(family, description->kind));
    int count = part_count_options(&out);
    for (int i = 0; i < parameters_count(params); i++) {
        bool kept = params[i].flags & POSSE_PARAM_KEPT && !parameter_is_inherited(&params[i], prior);
        bool absent = kept && posse_part_option(description, params[i].name) == NULL;
        if (absent && count < POSSE_OPTIONS_MAX) count += posse_param_default(&params[i], &out.options[count]);
    }
    return out;
}

/* ------------------------------------------ parts by themselves --------------------------------------------- */

static posse_error check_deep(posse_family family, const posse_part *part_, const posse_logger *log,
                              const posse_place *where, int depth);

/* Checks the beliefs inside an option. Problems are reported with the place of their belief. */
static posse_error check_inside(const posse_option *o, const posse_logger *log, const posse_place *where, int depth) {
    posse_error error = POSSE_OK;
    for (size_t k = 0; k < part_count_inside(o); k++) {
        posse_place inner = {where, o->key, o->list != NULL ? (int)k : -1};
        posse_error below = check_deep(POSSE_FAMILY_BELIEF, &o->part[k], log, &inner, depth + 1);
        if (below != POSSE_OK) error = below;
    }
    return error;
}

static posse_error check_deep(posse_family family, const posse_part *part_, const posse_logger *log,
                              const posse_place *where, int depth) {
    understanding unused = {0};
    if (depth > PART_DEPTH_MAX) {
        complain(log, where, NULL, "parts inside parts, more than %d deep", PART_DEPTH_MAX);
        return POSSE_ERROR_OPTION;
    }
    posse_error error = part_understand_for(part_, family, NULL, log, where, &unused);
    for (int i = 0; i < POSSE_OPTIONS_MAX && part_->options[i].key != NULL; i++) {
        posse_error below = check_inside(&part_->options[i], log, where, depth);
        if (error == POSSE_OK) error = below;
    }
    return error;
}

posse_error posse_part_check(posse_family family, const posse_part *part_, const posse_logger *log) {
    if (part_ == NULL || posse_family_name(family) == NULL) return POSSE_ERROR_ARGUMENT;
    return check_deep(family, part_, log, NULL, 0);
}

/* Appends the settings, except those of the parameters in `except`, which were appended before. */
static void append_settings(const resolution *r, const posse_param *except, const posse_part *given, posse_part *out,
                            int *count) {
    for (int i = 0; i < parameters_count(r->params); i++) {
        const char *name = r->params[i].name;
        if (parameters_find(except, name) != NULL) continue;
        bool absent = r->settings[i].key == NULL;
        bool excluded = posse_part_option(given, name) == NULL && parameters_exclude(r->params, given, name);
        if (!absent && !excluded) out->options[(*count)++] = r->settings[i];
    }
}

posse_error posse_part_resolve(posse_family family, const posse_part *part_, const posse_part *prior,
                               const posse_logger *log, posse_part *out) {
    if (part_ == NULL || out == NULL || posse_family_name(family) == NULL) return POSSE_ERROR_ARGUMENT;
    understanding understood = {0};
    posse_part given = *part_;
    posse_error error = part_understand_for(&given, family, prior, log, NULL, &understood);
    if (error != POSSE_OK) return error;
    int count = 0;
    *out = (posse_part){.kind = understood.kind->name, .name = given.name};
    append_settings(&understood.own, NULL, &given, out, &count);
    append_settings(&understood.common, understood.own.params, &given, out, &count);
    return POSSE_OK;
}

posse_option *part_find_option(posse_part *description, const char *name) {
    const posse_option *found = posse_part_option(description, name);
    return found != NULL ? &description->options[found - description->options] : NULL;
}

static const posse_option *option_of_type(const posse_part *part_, const posse_param *params, posse_type type) {
    for (; params != NULL && params->name != NULL; params++)
        if (params->type == type) return posse_part_option(part_, params->name);
    return NULL;
}

const posse_option *posse_part_option_of_type(posse_family family, const posse_part *part_, posse_type type) {
    if (part_ == NULL) return NULL;
    int index = posse_kind_find(family, part_->kind);
    const posse_option *own = option_of_type(part_, posse_kind_params(family, index), type);
    return own != NULL ? own : option_of_type(part_, posse_family_params(family), type);
}

/* ------------------------------------------ functions for `prepare` ----------------------------------------- */

arena *part_memory(const posse_setup *setup) {
    return ((const part_context *)setup->reserved)->memory;
}

posse_error part_refuse_idle(const posse_setup *setup, int option, const char *why) {
    const part_context *context = setup->reserved;
    POSSE_ASSERT(option >= 0 && option < parameters_count(context->params));
    const posse_param *p = &context->params[option];
    if (context->kept || parameter_is_default(p, setup->prior, &setup->settings[option])) return POSSE_OK;
    return posse_setup_refuse(setup, p->name, -1, "given, but %s", why);
}

/* A size that is no multiple of 8 may be that of a structure with something behind it, so it is rounded up. */
void *posse_setup_allocate(const posse_setup *setup, size_t size) {
    size_t whole = size % 8 != 0 && size < SIZE_MAX - 16 ? (size + 15) / 16 * 16 : size;
    return arena_allocate(part_memory(setup), whole);
}

const posse_allocator *part_allocator(const posse_setup *setup) {
    return &((const part_context *)setup->reserved)->memory->allocator;
}

posse_error part_share_table(const posse_setup *setup, const table_key *key, shared_table **out) {
    return arena_share_table(part_memory(setup), key, out);
}

posse_error posse_setup_refuse(const posse_setup *setup, const char *option, int entry, const char *format, ...) {
    const part_context *context = setup->reserved;
    posse_place inner = {context->where, option, entry};
    va_list arguments;
    va_start(arguments, format);
    complain_list(context->log, option != NULL ? &inner : context->where, NULL, format, arguments);
    va_end(arguments);
    return POSSE_ERROR_FIT;
}

posse_error posse_setup_numbers(const posse_setup *setup, const posse_option *setting, int count, const char *what,
                                const double **out) {
    const char *advice = setup->arms_before > 0 ? "; if arms are added later, give one number for all" : "";
    if (setting->list != NULL && setting->count != (size_t)count)
        return posse_setup_refuse(setup, setting->key, -1, "a list of %zu numbers, but there are %d %s%s",
                                  setting->count, count, what, advice);
    double *numbers = posse_setup_allocate(setup, (size_t)count * sizeof *numbers);
    if (numbers == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < count; i++) numbers[i] = setting->list != NULL ? setting->list[i] : setting->number;
    *out = numbers;
    return POSSE_OK;
}

/* ----------------------------------------------- parts that are made ---------------------------------------- */

void part_start(const part *p, void *state) {
    if (p->kind->start != NULL)
        p->kind->start(p->plan, state);
    else
        memset(state, 0, p->state_size);
}

bool part_state_sane(const part *p, const void *state) {
    return p->kind->sane == NULL || p->kind->sane(p->plan, state);
}

void part_grow(const part *p, void *state, const part *former, const void *former_state) {
    POSSE_ASSERT(p->kind->grow != NULL && former->kind == p->kind);
    part_start(p, state);
    p->kind->grow(p->plan, state, former->plan, former_state);
}

posse_rewards rewards_common(posse_rewards a, posse_rewards b) {
    return (posse_rewards){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

posse_rewards part_rewards(posse_family family, const part *p) {
    posse_rewards (*said)(const void *plan) = registry_rewards(family, p->kind);
    bool unit = p->kind->unit_rewards != NULL && p->kind->unit_rewards(p->plan);
    posse_rewards rewards = said != NULL ? rewards_common(said(p->plan), ALL_REWARDS) : ALL_REWARDS;
    return unit ? rewards_common(rewards, (posse_rewards){0.0, 1.0}) : rewards;
}
