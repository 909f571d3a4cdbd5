/* SPDX-License-Identifier: MIT */
/*
 * posse, the program.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "experiment/play/launcher.h"
#include "posse_inside.h"

typedef enum group { EXPERIMENTS, SERVICE, GROUPS } group;

static const struct {
    const char *heading, *example;
} groups[GROUPS] = {
    [EXPERIMENTS] = {"Experiments", "posse run experiments/paper/ucb.yaml --runs 100"},
    [SERVICE] = {"Service", "posse serve --listen 127.0.0.1:7677 --database posse.db"},
};

static const struct command {
    const char *name;
    group group;
    int (*run)(int argc, char **argv);
    const char *usage;
    const char *help;
} commands[] = {
    {"run", EXPERIMENTS, command_run, "run FILE... [OPTION...]",
     "Run experiments and write results, pictures and pages"},
    {"paper", EXPERIMENTS, command_paper, "paper [OPTION...]",
     "Run every experiment of the paper and write one report"},
    {"check", EXPERIMENTS, command_check, "check FILE...", "Check experiment files without running them"},
    {"list", EXPERIMENTS, command_list, "list [KIND]",
     "List environments, beliefs, learners and selectors with their keys"},
    {"report", EXPERIMENTS, command_report, "report DIR...", "Draw pictures and write pages again, from result files"},
    {"prior", EXPERIMENTS, command_prior, "prior fit FILE -o FILE", "Fit a prior to past instances or logged rewards"},
    {"serve", SERVICE, command_serve, "serve [OPTION...]", "Make decisions over HTTP and store them in a database"},
    {"export", SERVICE, command_export, "export NAME", "Write the history of a served posse as CSV"},
    {"erase", SERVICE, command_erase, "erase NAME --unit ID", "Erase what belongs to one unit from a database"},
};

static const size_t command_count = sizeof commands / sizeof commands[0];

static void main_print_line(FILE *out, const char *usage, const char *what) {
    fprintf(out, "  posse %-24s %s\n", usage, what);
}

/* The lines of commands are parsed by tools/man.sh, tools/reference.py and the completion of shells. */
static void print_help(FILE *out) {
    fprintf(out, "posse %s: Bayesian online model selection\n", posse_version());
    for (int g = 0; g < GROUPS; g++) {
        fprintf(out, "\n%s\n", groups[g].heading);
        for (size_t i = 0; i < command_count; i++)
            if (commands[i].group == (group)g) main_print_line(out, commands[i].usage, commands[i].help);
        fprintf(out, "  For example: %s\n", groups[g].example);
    }
    fprintf(out, "\nHelp\n");
    main_print_line(out, "--version", "Print the version");
    main_print_line(out, "help [COMMAND]", "Print this text, or the help of a command; also --help and -h");
}

static const struct command *find_command(const char *name) {
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(name, commands[i].name) == 0) return &commands[i];
    fprintf(stderr, "posse: there is no command \"%s\"; `posse --help` lists them\n", name);
    return NULL;
}

static bool main_is(const char *word, const char *long_form, const char *short_form) {
    return strcmp(word, long_form) == 0 || strcmp(word, short_form) == 0;
}

static bool is_help(const char *word) {
    return main_is(word, "--help", "-h") || main_is(word, "help", "-?");
}

/* `posse help COMMAND` is `posse COMMAND --help`. */
static int main_help(char *name) {
    if (name == NULL || is_help(name)) {
        print_help(stdout);
        return EXIT_DONE;
    }
    const struct command *command = find_command(name);
    char option[] = "--help";
    char *argv[] = {name, option, NULL};
    return command != NULL ? command->run(2, argv) : EXIT_USAGE;
}

static int main_answer(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (main_is(argv[1], "--version", "-V")) {
        printf("posse %s\n", posse_version());
        return EXIT_DONE;
    }
    if (is_help(argv[1])) return main_help(strcmp(argv[1], "help") == 0 ? argv[2] : NULL);
    if (posse_kernels() == NULL) {
        fprintf(stderr,
                "posse: POSSE_ISA is \"%s\", which this processor cannot run; set it to scalar, baseline, avx2 or "
                "avx512, or unset it to use the fastest\n",
                getenv("POSSE_ISA"));
        return EXIT_USAGE;
    }
    const struct command *command = find_command(argv[1]);
    return command != NULL ? command->run(argc - 1, argv + 1) : EXIT_USAGE;
}

/* A command whose output was lost has failed. */
int main(int argc, char **argv) {
    launcher_silence();
    int status = main_answer(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    fprintf(stderr, "posse: standard output cannot be written\n");
    return EXIT_UNFINISHED;
}
