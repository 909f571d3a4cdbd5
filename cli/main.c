/* SPDX-License-Identifier: MIT */
/*
 * posse, the program.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "experiment/play/launcher.h"
#include "posse.h"

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage;
    const char *help;
} commands[] = {
    {"run", command_run, "run FILE... [OPTION...]", "run experiments: results, pictures and a page each"},
    {"paper", command_paper, "paper [OPTION...]", "every experiment of the paper, and one report"},
    {"check", command_check, "check FILE...", "read and validate experiment files only"},
    {"list", command_list, "list [KIND]", "environments, beliefs, learners, selectors, with keys, defaults and ranges"},
    {"report", command_report, "report DIR...", "pictures and pages again, from result files"},
    {"prior", command_prior, "prior fit FILE -o FILE", "a prior from past instances or logged plays"},
    {"serve", command_serve, "serve [OPTION...]", "decisions over HTTP, kept in a database"},
    {"export", command_export, "export NAME", "what happened to a posse that was served, as CSV"},
};

static const size_t command_count = sizeof commands / sizeof commands[0];

static void print_help(FILE *out) {
    fprintf(out, "posse %s: Bayesian online model selection\n\n", posse_version());
    for (size_t i = 0; i < command_count; i++) fprintf(out, "  posse %-24s %s\n", commands[i].usage, commands[i].help);
    fprintf(out, "  posse %-24s %s\n", "--version", "the version");
    fprintf(out, "  posse %-24s %s\n", "help [COMMAND]", "this text, or that of a command; also --help and -h");
}

static const struct command *find_command(const char *name) {
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(name, commands[i].name) == 0) return &commands[i];
    fprintf(stderr, "posse: there is no command \"%s\"; `posse --help` lists them\n", name);
    return NULL;
}

/* `posse help COMMAND` is `posse COMMAND --help`. */
static int help(char *name) {
    if (name == NULL) {
        print_help(stdout);
        return EXIT_DONE;
    }
    const struct command *command = find_command(name);
    char option[] = "--help";
    char *argv[] = {name, option, NULL};
    return command != NULL ? command->run(2, argv) : EXIT_USAGE;
}

static bool is(const char *word, const char *long_form, const char *short_form) {
    return strcmp(word, long_form) == 0 || strcmp(word, short_form) == 0;
}

static int answer(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (is(argv[1], "--version", "-V")) {
        printf("posse %s\n", posse_version());
        return EXIT_DONE;
    }
    if (is(argv[1], "--help", "-h") || strcmp(argv[1], "-?") == 0) return help(NULL);
    if (strcmp(argv[1], "help") == 0) return help(argv[2]);
    if (posse_kernels() == NULL) {
        fprintf(stderr,
                "posse: POSSE_ISA is \"%s\", which this processor cannot run; it may be scalar, baseline, avx2 or "
                "avx512, and without it the fastest is taken\n",
                getenv("POSSE_ISA"));
        return EXIT_USAGE;
    }
    const struct command *command = find_command(argv[1]);
    return command != NULL ? command->run(argc - 1, argv + 1) : EXIT_USAGE;
}

/* A command whose output was lost has not done what it was asked for. */
int main(int argc, char **argv) {
    launcher_silence();
    int status = answer(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    fprintf(stderr, "posse: standard output cannot be written\n");
    return EXIT_UNFINISHED;
}
