/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity */
#include "experiment/play/runner.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/hands.h"
#include "experiment/play/crew.h"
#include "experiment/play/ranks.h"
#include "experiment/play/watch.h"
#include "experiment/record/statistics.h"

#define LEADER_SPARED 10 /* rank 0 skips every tenth turn */

/* Blocks that are taken at a time, at most. For a few blocks it does not pay to wake other threads. */
#define BATCH 16
#define BATCH_SHARED 4
#define HANDS_MOST 7

typedef struct runner {
    const agenda *agenda;
    const runner_options *options;
    flights *flights; /* NULL: the crew plays */
    crew *crew;
    hands *hands;       /* which share the work of taking many blocks; NULL: there are none */
    uint32_t next;      /* the block to be taken next */
    uint64_t elsewhere; /* rounds that were played by other ranks, or by an earlier process */
    block spare;        /* for blocks that other ranks or the journal deliver */
    runner_message why;
} runner;

static bool told_to_stop(const runner *r) {
    return r->options->stop != NULL && *r->options->stop != 0;
}

/* ------------------------------------------------- the crew ------------------------------------------------ */

/*
 * The processors that this process may use. A launcher may have bound it to some of them, or bound several ranks to the
 * same ones.
 */
static int count_processors(void) {
    cpu_set_t set;
    long own = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
    long share = sysconf(_SC_NPROCESSORS_ONLN) / ranks_here();
    long count = ranks_here() > 1 && share < own ? share : own;
    return count > 0 ? (int)count : 1;
}

/* The rank that plays a block. Ranks take turns; rank 0, which also takes in the blocks of all ranks, skips some. */
static int player_of(uint32_t index) {
    uint32_t ranks = (uint32_t)ranks_count();
    return (int)((index % (LEADER_SPARED * ranks - 1) + 1) % ranks);
}

static bool runner_plays(uint32_t index) {
    return player_of(index) == ranks_own();
}

int runner_device_named(const char *name) {
    static const char *const names[] = {[DEVICE_CPU] = "cpu", [DEVICE_GPU] = "gpu", [DEVICE_AUTO] = "auto"};
    for (int i = DEVICE_CPU; i <= DEVICE_AUTO; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

/* Opens a device, if one is asked for and can play. The crew plays otherwise. threads: of the crew. */
static void open_flights(runner *r, int threads) {
    const runner_options *o = r->options;
    const flights_plan plan = {.ordinal = ranks_own(), .threads = o->device == DEVICE_AUTO ? threads : 0};
    char why[512] = "";
    if (o->device == DEVICE_CPU) return;
    if (o->once)
        snprintf(why, sizeof why, "a learner is written in Python");
    else
        r->flights = flights_open(r->agenda, &plan, why, sizeof why);
    if (r->flights == NULL && o->device == DEVICE_GPU && o->explain != NULL && ranks_own() == 0)
        o->explain(o->context, why);
}

static void begin_crew(runner *r, uint32_t start) {
    int wanted = r->options->threads, threads = wanted > 0 ? wanted : count_processors();
    open_flights(r, threads);
    crew_plan plan = {.first = start, .plays = runner_plays, .threads = threads, .flights = r->flights};
    if (ranks_own() == 0) r->hands = hands_make(threads - 1 < HANDS_MOST ? threads - 1 : HANDS_MOST);
    r->crew = crew_begin(r->agenda, &plan);
}

static const char *crew_trouble(const runner *r) {
    return r->crew != NULL ? crew_problem(r->crew) : posse_error_text(POSSE_ERROR_MEMORY);
}

/* --------------------------------------------- rank 0: collecting ------------------------------------------ */

static uint64_t rounds_of(const agenda *a, uint32_t runs) {
    return agenda_rounds(a) / a->experiment->runs * runs;
}

static void runner_tell(const runner *r) {
    const runner_options *o = r->options;
    if (o->progress != NULL) o->progress(o->context, crew_rounds(r->crew) + r->elsewhere, agenda_rounds(r->agenda));
}

static bool take_again(void *context, const block *b) {
    const runner *r = context;
    const runner_options *o = r->options;
    return !told_to_stop(r) && (o->take == NULL || o->take(o->context, b));
}

static bool runner_give(const runner *r, const block *const *blocks, size_t count) {
    const runner_options *o = r->options;
    bool taken = true;
    for (size_t i = 0; i < count && taken && o->take != NULL; i++) taken = o->take(o->context, blocks[i]);
    return taken;
}

/* Blocks that the journal and the statistics take. */
typedef struct keeping {
    journal *journal;
    statistics *statistics;
    const block *const *blocks;
    size_t count;
    bool ok; /* of the journal */
} keeping;

/* The first task is the journal's, and the others are those of the statistics. */
static void keep_task(void *context, size_t index) {
    keeping *k = context;
    if (index > 0)
        statistics_task(k->statistics, index - 1);
    else
        k->ok = k->journal == NULL || journal_take(k->journal, k->blocks, k->count);
}

/* results.h5 is written while hands do the tasks. The state is saved when journal and statistics have all blocks. */
static bool runner_keep(const runner *r, statistics *s, const block *const *blocks, size_t count) {
    keeping k = {.journal = r->options->journal, .statistics = s, .blocks = blocks, .count = count};
    hands *h = count >= BATCH_SHARED ? r->hands : NULL;
    statistics_begin(s, blocks, count);
    hands_begin(h, 1 + statistics_tasks(s), keep_task, &k);
    bool given = runner_give(r, blocks, count);
    hands_finish(h);
    statistics_end(s);
    return k.ok && (k.journal == NULL || journal_save_if_due(k.journal, s)) && given;
}

/* How many blocks need not be played, because the journal or the extension has them. */
static uint32_t blocks_there(const runner_options *o) {
    uint32_t kept = o->journal != NULL ? journal_kept(o->journal) : 0;
    return kept == 0 && o->extension != NULL ? extension_blocks(o->extension) : kept;
}

/* The context of take_extended. */
typedef struct extending {
    runner *runner;
    statistics *statistics;
} extending;

static bool take_extended(void *context, const block *b) {
    const extending *x = context;
    return !told_to_stop(x->runner) && runner_keep(x->runner, x->statistics, &b, 1);
}

/* Puts the blocks that an earlier process finished into the statistics and the files. */
static runner_status runner_replay(runner *r, statistics *s) {
    const runner_options *o = r->options;
    if (o->journal == NULL) return RUNNER_DONE;
    uint32_t kept = journal_kept(o->journal), there = blocks_there(o);
    bool ok = journal_replay(o->journal, s, &r->spare, take_again, r);
    if (ok && there > kept) ok = extension_replay(o->extension, &r->spare, take_extended, &(extending){r, s});
    if (!ok) return told_to_stop(r) ? RUNNER_STOPPED : RUNNER_REFUSED;
    r->elsewhere = rounds_of(r->agenda, agenda_runs_before(r->agenda, there));
    return RUNNER_DONE;
}

/* How many of the next blocks this rank plays, BATCH at most. The last block may be short, so it comes alone. */
static size_t blocks_at_once(const runner *r) {
    uint32_t most = r->agenda->blocks - 1 - r->next, count = 1;
    while (count < most && count < BATCH && player_of(r->next + count) == 0) count++;
    return count;
}

/*
 * The next blocks; returns how many, maybe 0. Waits a tenth of a second at most, so that progress is shown and a signal
 * is noticed.
 */
static size_t await_blocks(runner *r, const block *blocks[BATCH]) {
    int rank = player_of(r->next);
    if (rank == 0) return crew_await(r->crew, blocks, blocks_at_once(r));
    if (!ranks_receive(rank, r->spare.memory, r->spare.memory_size)) return 0;
    block_fill(&r->spare, r->agenda, r->next);
    r->elsewhere += rounds_of(r->agenda, r->spare.count);
    blocks[0] = &r->spare;
    return 1;
}

static runner_status runner_take(runner *r, statistics *s, const block *const *blocks, size_t count) {
    if (!runner_keep(r, s, blocks, count)) return RUNNER_REFUSED;
    if (blocks[0] != &r->spare) crew_release(r->crew, count);
    r->next += (uint32_t)count;
    return RUNNER_DONE;
}

/* RUNNER_DONE: there is no reason to stop. */
static runner_status runner_look_around(runner *r) {
    if (told_to_stop(r)) return RUNNER_STOPPED;
    if (ranks_trouble(r->why.text)) return r->why.text[0] != '\0' ? RUNNER_FAILED : RUNNER_STOPPED;
    if (crew_trouble(r) == NULL) return RUNNER_DONE;
    snprintf(r->why.text, sizeof r->why.text, "%s", crew_trouble(r));
    return RUNNER_FAILED;
}

static runner_status runner_collect(runner *r, statistics *s) {
    double told = clock_now();
    runner_status status = runner_look_around(r);
    if (status == RUNNER_DONE) status = runner_replay(r, s);
    if (status == RUNNER_DONE) runner_tell(r);
    while (status == RUNNER_DONE && r->next < r->agenda->blocks) {
        const block *blocks[BATCH];
        size_t count = await_blocks(r, blocks);
        status = runner_look_around(r);
        if (status == RUNNER_DONE && count > 0) status = runner_take(r, s, blocks, count);
        if (clock_now() - told > 0.1 && status == RUNNER_DONE) {
            runner_tell(r);
            told = clock_now();
        }
    }
    if (status == RUNNER_DONE) runner_tell(r);
    return status;
}

/* Collects the blocks that the journal does not have, and saves the journal however that ends. */
static runner_status runner_lead(runner *r, statistics *s) {
    journal *j = r->options->journal;
    runner_status status = runner_collect(r, s);
    if (j != NULL && !journal_save(j, s) && status == RUNNER_DONE) status = RUNNER_REFUSED;
    return status;
}

/* --------------------------------------------- the others: playing ----------------------------------------- */

static void runner_serve(runner *r) {
    bool ok = true;
    while (!ranks_dismissed()) {
        const char *trouble = told_to_stop(r) ? "" : crew_trouble(r);
        if (ok && trouble != NULL) ranks_complain(trouble);
        ok = ok && trouble == NULL;
        const block *next;
        if (!ok || crew_await(r->crew, &next, 1) == 0) {
            ranks_rest();
            continue;
        }
        ranks_send(next->memory, block_size(next, r->agenda));
        crew_release(r->crew, 1);
    }
}

/* ------------------------------------------------ all together --------------------------------------------- */

static bool open_spare(runner *r) {
    sheet shape;
    bool ok = sheet_open(&shape, r->agenda) && block_open(&r->spare, r->agenda, &shape);
    sheet_close(&shape);
    return ok;
}

/* Even a rank that lacks memory takes part, because the others wait for its answer. */
static runner_status play_together(runner *r, statistics *s) {
    r->next = (uint32_t)ranks_first(blocks_there(r->options));
    begin_crew(r, r->next);
    runner_status status = RUNNER_FAILED;
    if (ranks_own() > 0)
        runner_serve(r);
    else {
        if (s != NULL && r->crew != NULL) status = runner_lead(r, s);
        ranks_dismiss(r->spare.memory, r->spare.memory_size);
    }
    return (runner_status)ranks_first(status);
}

runner_status experiment_run(const agenda *a, const runner_options *o, results **out, runner_message *why) {
    double begin = clock_now();
    runner r = {.agenda = a, .options = o};
    statistics *s = statistics_make(a);
    results *made = results_make(a);
    bool ok = open_spare(&r) && s != NULL && made != NULL;
    runner_status status = RUNNER_FAILED;
    if (ranks_sum(ok) == (uint64_t)ranks_count()) status = play_together(&r, s);
    uint64_t threads = ranks_sum(r.crew != NULL ? (uint64_t)crew_threads(r.crew) : 0);
    crew_end(r.crew);
    hands_free(r.hands);
    flights_close(r.flights);
    if (status == RUNNER_DONE && ranks_own() == 0) {
        statistics_finish(s, made);
        if (!o->once && !a->logged) watch_beliefs(a, made); /* a log is not played */
        made->threads = (int)threads;
        made->seconds = clock_now() - begin;
    } else {
        results_free(made);
        made = NULL;
    }
    if (why != NULL) {
        *why = r.why;
        if (status == RUNNER_FAILED && why->text[0] == '\0') strcpy(why->text, posse_error_text(POSSE_ERROR_MEMORY));
    }
    *out = made;
    statistics_free(s);
    block_close(&r.spare);
    return status;
}
