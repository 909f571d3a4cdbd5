/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/plugin.h"
#include "data/decimal.h"
#include "experiment/play/runner.h"

#define THREADS_MAX 4096

/* argp has these too, but with -? alone, which shells take for a pattern. Group -1 comes last. */
static const struct argp_option help_options[] = {{"help", 'h', NULL, 0, "This text", -1},
                                                  {NULL, '?', NULL, OPTION_ALIAS, NULL, 0},
                                                  {"usage", KEY_USAGE, NULL, 0, "A short usage message", 0},
                                                  {0}};

static error_t parse_help(int key, char *argument, struct argp_state *state) {
    (void)argument;
    if (key != 'h' && key != '?' && key != KEY_USAGE) return ARGP_ERR_UNKNOWN;
    argp_state_help(state, stdout, key == KEY_USAGE ? ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK : ARGP_HELP_STD_HELP);
    return 0;
}

error_t options_read(const char *name, const struct argp *command, int argc, char **argv, void *input) {
    static const struct argp help = {.options = help_options, .parser = parse_help};
    const struct argp_child parts[] = {{command, 0, NULL, 0}, {&help, 0, NULL, 0}, {0}};
    const struct argp whole = {.children = parts}; /* without a parser, argp passes its input to the first child */
    char own_name[32], *called = argv[0];
    snprintf(own_name, sizeof own_name, "%s", name);
    argp_err_exit_status = EXIT_USAGE;
    argv[0] = own_name;
    error_t status = argp_parse(&whole, argc, argv, ARGP_NO_HELP, NULL, input);
    argv[0] = called;
    return status;
}

uint64_t options_whole_number(struct argp_state *state, const char *option, const char *text, uint64_t low,
                              uint64_t high) {
    uint64_t value = 0;
    size_t digits = decimal_read_whole(text, &value);
    if (digits == 0 || text[digits] != '\0' || value < low || value > high)
        argp_error(state, "--%s takes a whole number from %llu to %llu, not \"%s\"", option, (unsigned long long)low,
                   (unsigned long long)high, text);
    return value;
}

static const char *folder_name(struct argp_state *state, char *name) {
    if (name[0] == '\0') argp_error(state, "-o takes the name of a folder");
    for (size_t end = strlen(name); end > 1 && name[end - 1] == '/'; end--) name[end - 1] = '\0';
    return name;
}

static int options_device(struct argp_state *state, const char *name) {
    int device = runner_device_named(name);
    if (device < 0) argp_error(state, "--device takes cpu, gpu or auto, not \"%s\"", name);
    return device;
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
    case KEY_DEVICE:
        how->device = options_device(state, argument);
        return 0;
    case KEY_PLUGIN:
        return load_plugin(argument) ? 0 : EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
