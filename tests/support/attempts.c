/* SPDX-License-Identifier: MIT */
#include "attempts.h"

#include <string.h>

#include "model/registry.h"

const char *attempt_place(posse_family family) {
    static const char *const places[] = {[POSSE_FAMILY_ENVIRONMENT] = "environment",
                                         [POSSE_FAMILY_BELIEF] = "selector.belief",
                                         [POSSE_FAMILY_LEARNER] = "learners[1]",
                                         [POSSE_FAMILY_SELECTOR] = "selector"};
    return places[family];
}

/* A learner that fits every habitat. */
static const posse_part thompson = {.kind = "thompson"};

posse_error make_posse(posse_family family, const habitat *h, const posse_part *described, posse_host host,
                       posse **out) {
    posse_part learners[] = {thompson, *described};
    posse_def def = habitat_def(h);
    def.host = host;
    def.learners = learners;
    def.learner_count = family == POSSE_FAMILY_LEARNER ? 2 : 1;
    if (family == POSSE_FAMILY_SELECTOR) def.selector = *described;
    if (family == POSSE_FAMILY_BELIEF) def.selector.options[0] = (posse_option){.key = "belief", .part = described};
    return posse_create(&def, out);
}

attempt attempt_part(posse_family family, const habitat *h, const posse_part *described) {
    attempt a = {0};
    purse mine = {0};
    posse_host host = purse_host(&mine);
    host.log = notes_logger(&a.log);
    if (family == POSSE_FAMILY_ENVIRONMENT) {
        posse_environment *e = (posse_environment *)&host;
        a.error = posse_environment_create(described, 1, &host, &e);
        assert_int_equal(e == NULL, a.error != POSSE_OK);
        posse_environment_free(e);
    } else {
        posse *p = (posse *)&host;
        a.error = make_posse(family, h, described, host, &p);
        assert_int_equal(p == NULL, a.error != POSSE_OK);
        posse_free(p);
    }
    assert_int_equal(mine.blocks, 0);
    assert_that(a.log.count > 0 || a.error == POSSE_OK, "%s without a word", posse_error_name(a.error));
    assert_that(a.log.count == 0 || a.error != POSSE_OK, "done, and yet: %s", a.log.text);
    return a;
}

bool stands_beside(posse_family family, const posse_part *described, const posse_param *param) {
    for (int i = 0; i < POSSE_OPTIONS_MAX && described->options[i].key != NULL; i++) {
        const char *key = described->options[i].key;
        const posse_param *other = posse_kind_param(family, posse_kind_find(family, described->kind), key);
        if (parameter_excludes(param, key) || (other != NULL && parameter_excludes(other, param->name))) return false;
    }
    bool clicks = posse_part_option(described, "link") != NULL;
    return strcmp(described->kind, "contextual") != 0 || strcmp(param->name, "bias") != 0 || clicks;
}
