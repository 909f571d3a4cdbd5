/* SPDX-License-Identifier: MIT */
#include "cli/execute.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/plugin.h"
#include "cli/progress_bar.h"
#include "cli/text_table.h"
#include "common/fingerprint.h"
#include "common/text.h"
#include "experiment/play/ranks.h"
#include "experiment/play/runner.h"
#include "experiment/record/doubt.h"
#include "experiment/store/key.h"
#include "experiment/store/output.h"
#include "report/report.h"

static volatile sig_atomic_t stop;

static void execute_on_signal(int number) {
    (void)number;
    stop = 1;
}

void execute_heed_signals(void) {
    struct sigaction action = {.sa_handler = execute_on_signal, .sa_flags = SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* A file beyond the size limit is treated like a full disk: the write fails, which is reported. */
    signal(SIGXFSZ, SIG_IGN);
}

bool execute_stopped(void) {
    return ranks_largest(stop != 0) != 0;
}

bool execute_join(void) {
    const char *problem = ranks_begin();
    if (problem != NULL) fprintf(stderr, "posse: %s\n", problem);
    return problem == NULL;
}

int execute_worst(int status) {
    int worst = (int)ranks_largest((uint64_t)status);
    if (status == EXIT_DONE && worst != EXIT_DONE)
        fprintf(stderr, "posse: another rank failed to read the files, which this one could read\n");
    return worst;
}

int execute_leave(int status) {
    ranks_end();
    return ranks_own() == 0 ? status : EXIT_DONE;
}

/* The context of the functions that the runner calls. */
typedef struct execution {
    const char *name;
    output output;
    progress_bar bar;
} execution;

static void execute_show(void *context, uint64_t rounds, uint64_t total) {
    progress_bar_show(&((execution *)context)->bar, rounds, total);
}

static void execute_explain(void *context, const char *text) {
    fprintf(stderr, "posse: %s: played on the CPU, because %s\n", ((execution *)context)->name, text);
}

static bool execute_take(void *context, const block *b) {
    return output_take(&((execution *)context)->output, b);
}

/* Prints which leftovers of an earlier process are used, and which are not. */
static void say_what_is_used(const agenda *a, const output *out) {
    const experiment *e = a->experiment;
    uint32_t kept = output_runs_there(out, a);
    if (journal_refusal(out->journal) != NULL)
        fprintf(stderr, "posse: %s: leftovers %s are not used\n", e->name, journal_refusal(out->journal));
    if (kept > 0)
        fprintf(stderr, "posse: %s: continuing after %" PRIu32 " of %" PRIu32 " runs\n", e->name, kept, e->runs);
}

/* Prints why an experiment did not finish, and what is kept of it. Without a journal there was nothing to keep. */
static int say_why_unfinished(const agenda *a, runner_status status, const char *problem, const journal *j) {
    const experiment *e = a->experiment;
    uint32_t kept = j != NULL ? agenda_runs_before(a, journal_kept(j)) : 0;
    if (status == RUNNER_STOPPED)
        fprintf(stderr, "posse: %s was stopped before its end", e->name);
    else
        fprintf(stderr, "posse: %s: %s", e->name, problem);
    if (kept > 0)
        fprintf(stderr, "; %" PRIu32 " of %" PRIu32 " runs are kept, and the same command continues after them", kept,
                e->runs);
    else if (j != NULL)
        fprintf(stderr, "; nothing of it was kept");
    fputc('\n', stderr);
    return EXIT_UNFINISHED;
}

/* Prints which results are in the way. Nothing was played, and existing results were not changed. */
static int say_what_is_in_the_way(const experiment *e, output *out) {
    fprintf(stderr, "posse: %s: %s; --fresh replaces what is there, -o DIR writes elsewhere\n", e->name,
            output_problem(out));
    return EXIT_USAGE;
}

/* Only rank 0 has files. */
static bool open_output(output *out, const execute_options *o, const agenda *a) {
    output_options how = {
        .directory = o->directory, .plugins = plugin_fingerprint(), .fresh = o->fresh, .keep = o->several};
    if (ranks_own() > 0) return true;
    if (!output_open(out, &how, a)) return false;
    say_what_is_used(a, out);
    return true;
}

/* Plays the runs and writes their files. *made is NULL if that failed, and in all ranks but 0. */
static int execute_run(const agenda *a, const execute_options *o, results **made) {
    execution x = {.name = a->experiment->name};
    runner_options how = {.threads = o->threads,
                          .device = (runner_device)o->device,
                          .stop = &stop,
                          .progress = execute_show,
                          .take = execute_take,
                          .explain = execute_explain,
                          .context = &x};
    runner_message why = {0};
    int status = EXIT_DONE;
    *made = NULL;
    runner_status ran = RUNNER_REFUSED;
    bool ready = open_output(&x.output, o, a);
    if (ranks_first(ready)) {
        progress_bar_open(&x.bar, a->experiment->name, o->quiet);
        how.journal = x.output.journal;
        how.extension = x.output.extension;
        ran = experiment_run(a, &how, made, &why);
        progress_bar_close(&x.bar);
    }
    if (ranks_own() > 0) return ran == RUNNER_DONE ? EXIT_DONE : EXIT_UNFINISHED;
    if (x.output.refused)
        status = say_what_is_in_the_way(a->experiment, &x.output);
    else if (ran != RUNNER_DONE || !output_finish(&x.output, *made))
        status =
            say_why_unfinished(a, ran, ran == RUNNER_FAILED ? why.text : output_problem(&x.output), x.output.journal);
    output_close(&x.output);
    return status;
}

static void warn_of_doubts(const results *r) {
    for (int kind = 0; kind < DOUBTS; kind++)
        for (int selector = 0; selector < r->agenda->selectors; selector++) {
            char *text = doubt_text(r, selector, (doubt)kind);
            if (text != NULL) fprintf(stderr, "posse: %s: %s\n", r->agenda->experiment->name, text);
            free(text);
        }
}

static void count_claims(const results *r, execute_outcome *outcome) {
    *outcome = (execute_outcome){.seconds = r->seconds};
    for (int i = 0; i < r->agenda->experiment->claim_count; i++) {
        claim_verdict verdict = r->claims[i].verdict;
        *(verdict == CLAIM_HOLDS   ? &outcome->holds
          : verdict == CLAIM_FAILS ? &outcome->fails
                                   : &outcome->undecided) += 1;
    }
}

void execute_forget(const experiment *e, const execute_options *o) {
    if (ranks_own() == 0) output_forget(o->directory, e->name);
}

static int execute_report(const experiment *e, const execute_options *o) {
    char *path = text_format("%s/%s", o->directory, e->name);
    int status = path != NULL ? report_make(path, stderr) : EXIT_UNFINISHED;
    free(path);
    if (status == 0) return EXIT_DONE;
    fprintf(stderr, "posse: %s: the result files in %s/%s are complete, but pictures or the page could not be made\n",
            e->name, o->directory, e->name);
    return EXIT_UNFINISHED;
}

/* Prints the results and makes the report. */
static int execute_present(const results *r, const execute_options *o, execute_outcome *outcome) {
    const experiment *e = r->agenda->experiment;
    count_claims(r, outcome);
    if (!o->brief) table_print(stdout, r);
    fflush(stdout);
    warn_of_doubts(r);
    int status = o->plots ? execute_report(e, o) : EXIT_DONE;
    if (!o->brief && status == EXIT_DONE) printf("results: %s/%s/\n\n", o->directory, e->name);
    fflush(stdout);
    return status == EXIT_DONE && outcome->fails > 0 ? EXIT_CLAIM : status;
}

/*
 * Whether all ranks have the same build and the same files. Otherwise blocks of another build or another file could
 * become part of the results.
 */
static bool ranks_agree(const experiment *e) {
    char *key = key_make(e, plugin_fingerprint());
    uint64_t hash = key != NULL ? fingerprint_memory(FINGERPRINT_START, key, strlen(key)) : 0;
    bool same = key != NULL && hash == ranks_first(hash);
    free(key);
    return ranks_sum(same) == (uint64_t)ranks_count();
}

int execute(const experiment *e, const execute_options *o, execute_outcome *outcome) {
    execute_outcome own;
    if (outcome == NULL) outcome = &own;
    *outcome = (execute_outcome){0};
    int status = EXIT_UNFINISHED;
    results *r = NULL;
    agenda *a = agenda_make(e);
    if (ranks_sum(a != NULL) < (uint64_t)ranks_count())
        fprintf(stderr, "posse: %s: %s\n", e->name, posse_error_text(POSSE_ERROR_MEMORY));
    else if (!ranks_agree(e))
        fprintf(stderr, "posse: %s: the ranks have different builds of posse, plugins or files\n", e->name);
    else
        status = execute_run(a, o, &r);
    if (r != NULL && status == EXIT_DONE) status = execute_present(r, o, outcome);
    results_free(r);
    agenda_free(a);
    return (int)ranks_first((uint64_t)status);
}
