/*
 * Options that several commands take. A command has those that it takes among its own, as OPTION_..., and gives
 * options_parse the keys it does not know itself.
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
    KEY_OWN /* the first of a command's own */
};

#define OPTION_OUTPUT(help_)                                                                                           \
    { "output", KEY_OUTPUT, "DIR", 0, help_, 0 }
#define OPTION_QUIET                                                                                                   \
    { "quiet", KEY_QUIET, NULL, 0, "No progress bar", 0 }
#define OPTION_THREADS                                                                                                 \
    { "threads", KEY_THREADS, "N", 0, "N threads instead of one per processor; results do not depend on it", 0 }
#define OPTION_FRESH                                                                                                   \
    { "fresh", KEY_FRESH, NULL, 0, "Start over instead of continuing what was stopped or killed", 0 }
#define OPTION_PLUGIN                                                                                                  \
    { "plugin", KEY_PLUGIN, "FILE.so", 0, "Load learners from a shared object first; may be given again", 0 }

/*
 * Takes a shared option; a plugin is loaded at once, before any argument is looked at. `how` may be NULL for a command
 * that takes plugins only. EINVAL, of which the user has been told, is what argp_parse then returns.
 */
error_t options_parse(execute_options *how, int key, char *argument, struct argp_state *state);

/* A whole number in a range; where it is not one, a message that names the option, and the end. */
uint64_t options_whole_number(struct argp_state *state, const char *option, const char *text, uint64_t low,
                              uint64_t high);

#endif
