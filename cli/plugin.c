#include "plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/base/text.h"
#include "experiment/store/key.h"
#include "posse.h"

static uint64_t fingerprint;

uint64_t plugin_fingerprint(void) {
    return fingerprint;
}

/* dlopen searches the system's folders for a name without a slash; here a file is meant. */
static void *open_file(const char *path) {
    char *here = text_format("%s%s", strchr(path, '/') != NULL ? "" : "./", path);
    if (here == NULL) return NULL;
    void *object = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    free(here);
    return object;
}

bool plugin_load(const char *path) {
    static const char symbol[] = "posse_plugin_learners";
    void *object = open_file(path);
    if (object == NULL) {
        fprintf(stderr, "posse: the plugin cannot be loaded: %s\n", dlerror());
        return false;
    }
    const posse_learner_ops *const *learners = dlsym(object, symbol);
    if (learners == NULL) {
        fprintf(stderr, "posse: the plugin %s does not export `%s`\n", path, symbol);
        return false;
    }
    for (; *learners != NULL; learners++) {
        posse_error error = posse_learner_register(*learners);
        if (error == POSSE_OK) continue;
        const char *name = (*learners)->kind.name;
        fprintf(stderr, "posse: the plugin %s: learner \"%s\": %s\n", path, name != NULL ? name : "?",
                posse_error_text(error));
        return false;
    }
    fingerprint = key_file(fingerprint, path);
    return true;
}
