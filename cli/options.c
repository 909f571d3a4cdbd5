/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

#define THREADS_MAX 4096

uint64_t options_whole_number(struct argp_state *state, const char *option, const char *text, uint64_t low,
                              uint64_t high) {
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (strspn(text, "0123456789") != strlen(text) || text[0] == '\0' || errno != 0 || value < low || value > high)
        argp_error(state, "--%s takes a whole number from %llu to %llu, not \"%s\"", option, (unsigned long long)low,
                   (unsigned long long)high, text);
    return value;
}

static const char *folder_name(struct argp_state *state, char *name) {
    if (name[0] == '\0') argp_error(state, "-o takes the name of a folder");
    for (size_t end = strlen(name); end > 1 && name[end - 1] == '/'; end--) name[end - 1] = '\0';
    return name;
}

static bool load_plugin(const char *path) {
    char why[PLUGIN_TEXT];
    bool loaded = plugin_load(path, why);
    if (!loaded) fprintf(stderr, "posse: %s\n", why);
    return loaded;
}

error_t options_parse(execute_options *how, int key, char *argument, struct argp_state *state) {
    switch (key) {
    case KEY_OUTPUT:
        how->directory = folder_name(state, argument);
        return 0;
    case KEY_QUIET:
        how->quiet = true;
        return 0;
    case KEY_FRESH:
        how->fresh = true;
        return 0;
    case KEY_THREADS:
        how->threads = (int)options_whole_number(state, "threads", argument, 1, THREADS_MAX);
        return 0;
    case KEY_PLUGIN:
        return load_plugin(argument) ? 0 : EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
