/* SPDX-License-Identifier: MIT */
/*
 * posse serve and posse export where the program was built without what they need, and in the Python package.
 */
#include <stdio.h>

#include "command.h"

static int refuse(const char *name) {
    fprintf(stderr,
            "%s is not part of this build: the program has it where libevent, SQLite and libcrypto were there when it "
            "was built (Debian: libevent-dev libsqlite3-dev libssl-dev)\n",
            name);
    return EXIT_UNFINISHED;
}

int command_serve(int argc, char **argv) {
    (void)argc, (void)argv;
    return refuse("posse serve");
}

int command_export(int argc, char **argv) {
    (void)argc, (void)argv;
    return refuse("posse export");
}
