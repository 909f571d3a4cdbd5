/* SPDX-License-Identifier: MIT */
/*
 * posse serve, export and erase in a program that was built without the libraries that they need, and in the Python
 * package, which is compiled with POSSE_PYTHON_PACKAGE.
 */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"

#ifdef POSSE_PYTHON_PACKAGE
#define WHY "is not part of the Python package; install the program"
#else
#define WHY                                                                                                            \
    "is not part of this build: build it again with libevent, SQLite and libcrypto (Debian: libevent-dev "             \
    "libsqlite3-dev libssl-dev)"
#endif

static int serve_absent_refuse(const char *name, int argc, char **argv) {
    static const struct argp argp = {.doc = "This command " WHY "."};
    static const char *const ways[] = {"--help", "--usage", "-h", "-?"};
    for (int i = 0; i < 4 && argc > 1; i++)
        if (strcmp(argv[1], ways[i]) == 0) options_read(name, &argp, argc, argv, NULL); /* prints, and ends */
    fprintf(stderr, "%s " WHY "\n", name);
    return EXIT_UNFINISHED;
}

int command_serve(int argc, char **argv) {
    return serve_absent_refuse("posse serve", argc, argv);
}

int command_export(int argc, char **argv) {
    return serve_absent_refuse("posse export", argc, argv);
}

int command_erase(int argc, char **argv) {
    return serve_absent_refuse("posse erase", argc, argv);
}
