/* SPDX-License-Identifier: MIT */
#include "cli/plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "experiment/store/key.h"
#include "posse_extend.h"

static uint64_t fingerprint;

uint64_t plugin_fingerprint(void) {
    return fingerprint;
}

/* dlopen searches the folders of the system for a name without a slash, so such a name gets "./" before it. */
static void *plugin_open_file(const char *path) {
    char *here = text_format("%s%s", strchr(path, '/') != NULL ? "" : "./", path);
    if (here == NULL) return NULL;
    void *object = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    free(here);
    return object;
}

/* A list of one family that a plugin may export. Every table begins with its posse_kind. */
typedef struct export {
    const char *symbol;
    posse_family family;
    posse_error (*enter)(const void *table);
}
export;

static posse_error enter_learner(const void *table) {
    return posse_learner_register(table);
}

static posse_error enter_belief(const void *table) {
    return posse_belief_register(table);
}

static posse_error enter_selector(const void *table) {
    return posse_selector_register(table);
}

static posse_error enter_environment(const void *table) {
    return posse_environment_register(table);
}

static const export exports[] = {{"posse_plugin_learners", POSSE_FAMILY_LEARNER, enter_learner},
                                 {"posse_plugin_beliefs", POSSE_FAMILY_BELIEF, enter_belief},
                                 {"posse_plugin_selectors", POSSE_FAMILY_SELECTOR, enter_selector},
                                 {"posse_plugin_environments", POSSE_FAMILY_ENVIRONMENT, enter_environment}};

static bool enter_list(const export *e, const void *const *tables, const char *path, char why[PLUGIN_TEXT]) {
    for (; *tables != NULL; tables++) {
        posse_error error = e->enter(*tables);
        if (error == POSSE_OK) continue;
        /* In a table of another version, only the first number is known; anything may follow it. */
        const char *name = error != POSSE_ERROR_VERSION ? ((const posse_kind *)*tables)->name : NULL;
        snprintf(why, PLUGIN_TEXT, "the plugin %s: %s \"%s\": %s", path, posse_family_name(e->family),
                 name != NULL ? name : "?", posse_error_text(error));
        return false;
    }
    return true;
}

bool plugin_load(const char *path, char why[PLUGIN_TEXT]) {
    void *object = plugin_open_file(path);
    if (object == NULL) {
        snprintf(why, PLUGIN_TEXT, "the plugin cannot be loaded: %s", dlerror());
        return false;
    }
    int found = 0;
    for (size_t i = 0; i < sizeof exports / sizeof exports[0]; i++) {
        const void *const *tables = dlsym(object, exports[i].symbol);
        if (tables == NULL) continue;
        found++;
        if (!enter_list(&exports[i], tables, path, why)) return false;
    }
    if (found == 0) {
        snprintf(
            why, PLUGIN_TEXT,
            "the plugin %s exports none of posse_plugin_learners, posse_plugin_beliefs, posse_plugin_selectors and "
            "posse_plugin_environments",
            path);
        return false;
    }
    fingerprint = key_file(fingerprint, path);
    return true;
}
