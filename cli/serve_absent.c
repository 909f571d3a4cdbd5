/* SPDX-License-Identifier: MIT */
/*
 * posse serve and posse export where the program was built without what they need, and in the Python package.
 */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "options.h"

static int refuse(const char *name, int argc, char **argv) {
    static const struct argp argp = {
        .doc =
            "This is not part of this build. The program has it where libevent, SQLite and libcrypto were there when "
            "it was built (Debian: libevent-dev libsqlite3-dev libssl-dev); the Python package does not have it."};
    static const char *const ways[] = {"--help", "--usage", "-h", "-?"};
    for (int i = 0; i < 4 && argc > 1; i++)
        if (strcmp(argv[1], ways[i]) == 0) options_read(name, &argp, argc, argv, NULL); /* prints, and ends */
    fprintf(stderr,
            "%s is not part of this build: the program has it where libevent, SQLite and libcrypto were there when it "
            "was built (Debian: libevent-dev libsqlite3-dev libssl-dev)\n",
            name);
    return EXIT_UNFINISHED;
}

int command_serve(int argc, char **argv) {
    return refuse("posse serve", argc, argv);
}

int command_export(int argc, char **argv) {
    return refuse("posse export", argc, argv);
}
