/* SPDX-License-Identifier: MIT */
/*
 * Options that several commands take. A command lists those that it takes among its own, as OPTION_..., and hands the
 * keys that it does not know itself to options_parse.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <argp.h>
#include <stdint.h>

#include "execute.h"

enum {
    KEY_OUTPUT = 'o',
    KEY_QUIET = 'q',
    KEY_THREADS = 256,
    KEY_PLUGIN,
    KEY_FRESH,
    KEY_OWN /* the first key of a command's own options */
};

#define OPTION_OUTPUT(help_)                                                                                           \
    { "output", KEY_OUTPUT, "DIR", 0, help_, 0 }
#define OPTION_QUIET                                                                                                   \
    { "quiet", KEY_QUIET, NULL, 0, "No progress bar", 0 }
#define OPTION_THREADS                                                                                                 \
    { "threads", KEY_THREADS, "N", 0, "N threads instead of one per processor; results do not depend on it", 0 }
#define OPTION_FRESH                                                                                                   \
    { "fresh", KEY_FRESH, NULL, 0, "Start over: replace what was stopped, killed or finished, whatever it is of", 0 }
#define OPTION_PLUGIN                                                                                                  \
    { "plugin", KEY_PLUGIN, "FILE.so", 0, "Load learners from a shared object first; may be given again", 0 }

/*
 * Handles a shared option. A plugin is loaded at once: argp parses options before arguments, and a file may name its
 * learners. `how` may be NULL for a command that takes only plugins. Returns EINVAL, which argp_parse then returns,
 * after saying what is wrong.
 */
error_t options_parse(execute_options *how, int key, char *argument, struct argp_state *state);

/* A whole number in a range. If the text is not one, a message names the option and the program ends. */
uint64_t options_whole_number(struct argp_state *state, const char *option, const char *text, uint64_t low,
                              uint64_t high);

#endif
