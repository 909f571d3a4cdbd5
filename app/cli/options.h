/* SPDX-License-Identifier: MIT */
/*
 * Reading the arguments of a command, and the options that several commands take. A command lists those that it takes
 * among its own, as OPTION_..., and passes the keys that it does not handle itself to options_parse.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <argp.h>
#include <stdint.h>

#include "cli/execute.h"

enum {
    KEY_OUTPUT = 'o',
    KEY_QUIET = 'q',
    KEY_THREADS = 256,
    KEY_PLUGIN,
    KEY_FRESH,
    KEY_DEVICE,
    KEY_USAGE,
    KEY_OWN /* the first key of a command's own options */
};

#define OPTION_OUTPUT(help_)                                                                                           \
    { "output", KEY_OUTPUT, "DIR", 0, help_, 0 }
#define OPTION_QUIET                                                                                                   \
    { "quiet", KEY_QUIET, NULL, 0, "No progress bar", 0 }
#define OPTION_THREADS                                                                                                 \
    { "threads", KEY_THREADS, "N", 0, "Use N threads instead of one for each processor; the results are the same", 0 }
#define OPTION_DEVICE                                                                                                    \
    {                                                                                                                    \
        "device", KEY_DEVICE, "WHERE", 0,                                                                                \
            "Play on the cpu, which is the default, or on a gpu, or auto: where it is faster; the results are the same", \
            0                                                                                                            \
    }
#define OPTION_FRESH                                                                                                   \
    {                                                                                                                  \
        "fresh", KEY_FRESH, NULL, 0,                                                                                   \
            "Start over: replace all earlier results and unfinished runs, also those of another experiment", 0         \
    }
#define OPTION_PLUGIN                                                                                                  \
    { "plugin", KEY_PLUGIN, "FILE.so", 0, "Load kinds from a shared object first; may be repeated", 0 }

/*
 * Reads the arguments of a command, called "posse run" in messages. Every command also has -h, -?, --help and --usage,
 * which print and end the program, as wrong usage does. Returns what the parser of the command returns.
 */
error_t options_read(const char *name, const struct argp *command, int argc, char **argv, void *input);

/*
 * Handles a shared option. A plugin is loaded at once: argp parses options before arguments, and a file may use its
 * kinds. `how` may be NULL for a command that takes only plugins. If something is wrong, it prints a message and
 * returns EINVAL, which argp_parse then returns.
 */
error_t options_parse(execute_options *how, int key, char *argument, struct argp_state *state);

/* A whole number in a range. If the text is not one, a message names the option and the program ends. */
uint64_t options_whole_number(struct argp_state *state, const char *option, const char *text, uint64_t low,
                              uint64_t high);

#endif
