/* SPDX-License-Identifier: MIT */
#include "belief/robust.h"

#include <string.h>

#include "model/registry.h"

posse_error robust_scale(const posse_setup *setup, const robust_scaling *by, posse_option *settings) {
    posse_option *s = &settings[by->setting];
    s->number = s->number * by->times / by->over;
    if (s->list == NULL) return POSSE_OK;
    double *list = posse_setup_allocate(setup, s->count * sizeof *list);
    if (list == NULL) return POSSE_ERROR_MEMORY;
    for (size_t i = 0; i < s->count; i++) list[i] = s->list[i] * by->times / by->over;
    s->list = list;
    return POSSE_OK;
}

posse_error robust_scale_all(const posse_setup *setup, const robust_scaling *by, int count, posse_option *settings) {
    posse_error error = POSSE_OK;
    for (int i = 0; i < count && by[i].times > 0.0 && error == POSSE_OK; i++)
        error = robust_scale(setup, &by[i], settings);
    return error;
}

/* Moves numbers that a variant has pushed out of their range to its ends. */
static posse_error bring_into_range(const posse_setup *setup, const posse_param *p, posse_option *s) {
    if (p->type != POSSE_TYPE_REAL && p->type != POSSE_TYPE_REALS && p->type != POSSE_TYPE_TABLE) return POSSE_OK;
    s->number = parameter_nearest(p, s->number);
    if (s->list == NULL) return POSSE_OK;
    double *list = posse_setup_allocate(setup, s->count * sizeof *list);
    if (list == NULL) return POSSE_ERROR_MEMORY;
    for (size_t i = 0; i < s->count; i++) list[i] = parameter_nearest(p, s->list[i]);
    s->list = list;
    return POSSE_OK;
}

/*
 * The option of a component that has the value of a setting; NULL: the setting is absent. A setting that only the
 * variant has becomes a new last option.
 */
static posse_option *option_for(posse_part *component, const posse_option *before, const posse_option *now) {
    bool comes = before->key == NULL && now->key != NULL;
    if (!comes) return now->key != NULL ? part_find_option(component, now->key) : NULL;
    int count = 0;
    while (component->options[count].key != NULL) count++;
    return &component->options[count];
}

/*
 * Changes the options of a component into those of a variant. The component has all options that were given or have a
 * default.
 */
static posse_error robust_vary(const posse_setup *setup, const posse_kind *kind, int variant, posse_part *component) {
    posse_option settings[POSSE_OPTIONS_MAX];
    int count = parameters_count(kind->params);
    memcpy(settings, setup->settings, (size_t)count * sizeof *settings);
    posse_error error = OPS_OF(posse_belief_ops, kind)->vary(setup, variant, settings);
    for (int i = 0; i < count && error == POSSE_OK; i++) {
        posse_option *o = option_for(component, &setup->settings[i], &settings[i]);
        if (o == NULL) continue;
        *o = settings[i];
        error = bring_into_range(setup, &kind->params[i], o);
    }
    return error;
}

/* The components: first the belief as it is given, then its variants. */
static posse_error robust_describe(const posse_setup *setup, const posse_kind *kind, const posse_part *description,
                                   int count, posse_part *out) {
    posse_part given;
    posse_error error = posse_part_resolve(POSSE_FAMILY_BELIEF, description, setup->prior, NULL, &given);
    if (error != POSSE_OK) return error;
    part_find_option(&given, belief_params[BELIEF_ROBUST].name)->number = 0.0;
    for (int i = 0; i < count && error == POSSE_OK; i++) {
        out[i] = given;
        if (i > 0) error = robust_vary(setup, kind, i - 1, &out[i]);
    }
    return error;
}

posse_error robust_make(const part_context *context, const posse_part *description, const understanding *plain,
                        part *out) {
    posse_setup setup = part_setup(context, plain);
    const posse_belief_ops *ops = OPS_OF(posse_belief_ops, plain->kind);
    const char *option = belief_params[BELIEF_ROBUST].name;
    if (ops->vary == NULL)
        return posse_setup_refuse(&setup, option, -1, "a belief of kind %s has no robust form", plain->kind->name);
    int count = 1 + ops->variants;
    posse_part *components = posse_setup_allocate(&setup, (size_t)count * sizeof *components);
    double *weights = posse_setup_allocate(&setup, (size_t)count * sizeof *weights);
    if (components == NULL || weights == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < count; i++) weights[i] = 1.0;
    posse_error error = robust_describe(&setup, plain->kind, description, count, components);
    if (error != POSSE_OK) return error;
    posse_part mixture = {
        .kind = belief_mixture.kind.name,
        .options = {{.key = "components", .part = components, .list = weights, .count = (size_t)count}}};
    posse_place where = {context->where, option, -1};
    part_context inner = *context;
    inner.where = &where;
    return part_make(&inner, POSSE_FAMILY_BELIEF, &mixture, out);
}
