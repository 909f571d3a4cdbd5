/* SPDX-License-Identifier: MIT */
#include "cli/stored_posse.h"

error_t stored_posse_parse(int key, char *argument, const struct argp_state *state, stored_posse *out) {
    switch (key) {
    case KEY_DATABASE:
        out->database = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (out->name != NULL) argp_error(state, "it takes one NAME at a time");
        out->name = argument;
        return 0;
    case ARGP_KEY_END:
        if (out->name == NULL) argp_error(state, "the NAME of a posse is needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
