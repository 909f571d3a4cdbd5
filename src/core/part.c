#include "core/part.h"

#include <string.h>

#include "core/registry.h"
#include "core/suggestion.h"

static posse_error find_kind(const workshop *shop, posse_family family, const char *name, const posse_kind **out) {
    suggestion near = {.word = name != NULL ? name : ""};
    for (int i = 0; i < posse_kind_count(family); i++) {
        const posse_kind *kind = registry_kind(family, i);
        if (name != NULL && strcmp(kind->name, name) == 0) {
            *out = kind;
            return POSSE_OK;
        }
        suggestion_consider(&near, kind->name);
    }
    if (name == NULL)
        complain(shop->log, shop->where, NULL, "the kind of %s is missing", posse_family_name(family));
    else
        complain(shop->log, shop->where, NULL, "there is no %s of kind \"%s\"%s", posse_family_name(family), name,
                 suggestion_text(&near));
    return POSSE_ERROR_KIND;
}

posse_error part_make(const workshop *shop, posse_family family, const posse_part *description, part *out,
                      resolution *common) {
    resolution own = {0}, unused = {0};
    if (common == NULL) common = &unused;
    posse_error error = find_kind(shop, family, description->kind, &out->kind);
    if (error != POSSE_OK) return error;
    own.params = out->kind->params;
    common->params = posse_family_params(family);
    error = parameters_resolve(description, shop->surroundings.prior, shop->log, shop->where, &own, common);
    if (error != POSSE_OK) return error;
    posse_setup setup = shop->surroundings;
    setup.settings = own.settings;
    setup.owner = (void *)(uintptr_t)shop;
    error = out->kind->prepare(&setup, &out->plan);
    if (error != POSSE_OK) return error;
    out->state_size = out->kind->state_size(out->plan);
    if (out->state_size % 8 != 0)
        return posse_setup_refuse(&setup, "the state of kind \"%s\" is not made of 8-byte numbers", out->kind->name);
    return POSSE_OK;
}

posse_error part_make_inner(const posse_setup *setup, posse_family family, const posse_part *description,
                            const char *key, int index, part *out) {
    workshop inner = *(const workshop *)setup->owner;
    place where = {inner.where, key, index};
    inner.where = &where;
    return part_make(&inner, family, description, out, NULL);
}

void *posse_setup_allocate(const posse_setup *setup, size_t size) {
    return arena_allocate(((const workshop *)setup->owner)->memory, size);
}

posse_error posse_setup_refuse(const posse_setup *setup, const char *format, ...) {
    const workshop *shop = setup->owner;
    va_list arguments;
    va_start(arguments, format);
    complain_list(shop->log, shop->where, NULL, format, arguments);
    va_end(arguments);
    return POSSE_ERROR_FIT;
}

void part_start(const part *p, void *state) {
    if (p->kind->start != NULL)
        p->kind->start(p->plan, state);
    else
        memset(state, 0, p->state_size);
}

bool part_state_sane(const part *p, const void *state) {
    return p->kind->sane == NULL || p->kind->sane(p->plan, state);
}

bool part_unit_rewards(const part *p) {
    return p->kind->unit_rewards != NULL && p->kind->unit_rewards(p->plan);
}

posse_error setting_spread(const posse_setup *setup, const posse_option *setting, int count, const char *what,
                           const double **out) {
    if (setting->list != NULL && setting->count != (size_t)count)
        return posse_setup_refuse(setup, "%s: a list of %zu numbers, but there are %d %s", setting->key, setting->count,
                                  count, what);
    double *numbers = posse_setup_allocate(setup, (size_t)count * sizeof *numbers);
    if (numbers == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < count; i++) numbers[i] = setting->list != NULL ? setting->list[i] : setting->number;
    *out = numbers;
    return POSSE_OK;
}
