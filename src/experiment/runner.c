#include "experiment/runner.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "experiment/player.h"
#include "experiment/statistics.h"

/*
 * Blocks are claimed in order and taken in order; a window of slots lies between. Block b lives in slot b % slots from
 * when it is claimed until it has been taken, and a worker waits before it claims a block beyond the window: so memory
 * is bounded even if one block takes for ever.
 */
typedef struct slot {
    block block;
    bool ready;
} slot;

typedef struct runner {
    const agenda *agenda;
    const runner_options *options;
    player_line line;

    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t freed; /* a slot, or it is over */
    pthread_cond_t ready; /* a block, or it is over */
    slot *slots;
    uint32_t slot_count;
    uint32_t claimed, taken;
    runner_message why; /* the first thing that went wrong, or empty */
} runner;

/* ------------------------------------------------- workers ------------------------------------------------- */

static void fail(runner *r, const char *who, uint32_t run, posse_error error) {
    pthread_mutex_lock(&r->lock);
    if (r->why.text[0] == '\0') {
        if (who != NULL)
            snprintf(r->why.text, sizeof r->why.text, "%s, run %u: %s", who, run, posse_error_text(error));
        else
            snprintf(r->why.text, sizeof r->why.text, "%s", posse_error_text(error));
    }
    atomic_store(&r->line.halt, true);
    pthread_cond_broadcast(&r->freed);
    pthread_cond_signal(&r->ready);
    pthread_mutex_unlock(&r->lock);
}

static void note_problem(void *context, const char *message) {
    runner *r = context;
    pthread_mutex_lock(&r->lock);
    if (r->why.text[0] == '\0') snprintf(r->why.text, sizeof r->why.text, "%s", message);
    pthread_mutex_unlock(&r->lock);
}

/* The next block's slot; NULL when there is none left, or it is over. */
static slot *claim_block(runner *r, uint32_t *index) {
    slot *claimed = NULL;
    pthread_mutex_lock(&r->lock);
    while (!atomic_load(&r->line.halt) && r->claimed < r->agenda->blocks && r->claimed - r->taken == r->slot_count)
        pthread_cond_wait(&r->freed, &r->lock);
    if (!atomic_load(&r->line.halt) && r->claimed < r->agenda->blocks) {
        *index = r->claimed++;
        claimed = &r->slots[*index % r->slot_count];
    }
    pthread_mutex_unlock(&r->lock);
    return claimed;
}

static bool play_block(runner *r, player *p, sheet *scratch, uint32_t index, block *b) {
    const agenda *a = r->agenda;
    block_begin(b, a, index);
    uint32_t count = agenda_block_count(a, index);
    for (uint32_t i = 0; i < count; i++) {
        posse_error error;
        int who;
        if (!player_play(p, b->first + i, scratch, &error, &who)) {
            if (error != POSSE_OK) fail(r, a->competitor[who].name, b->first + i, error);
            return false;
        }
        block_add(b, a, scratch);
    }
    return true;
}

static void hand_over(runner *r, slot *s) {
    pthread_mutex_lock(&r->lock);
    s->ready = true;
    pthread_cond_signal(&r->ready);
    pthread_mutex_unlock(&r->lock);
}

static void *work(void *context) {
    runner *r = context;
    posse_logger log = {note_problem, r};
    player *p = NULL;
    sheet scratch = {0};
    posse_error error = player_make(r->agenda, &r->line, &log, &p);
    if (error == POSSE_OK && !sheet_open(&scratch, r->agenda)) error = POSSE_ERROR_MEMORY;
    if (error != POSSE_OK) fail(r, NULL, 0, error);
    uint32_t index;
    slot *s;
    while (error == POSSE_OK && (s = claim_block(r, &index)) != NULL) {
        if (!play_block(r, p, &scratch, index, &s->block)) break;
        hand_over(r, s);
    }
    sheet_close(&scratch);
    player_free(p);
    return NULL;
}

/* -------------------------------------------- the caller's thread ------------------------------------------ */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void tell(const runner *r) {
    const runner_options *o = r->options;
    if (o->progress != NULL) o->progress(o->context, atomic_load(&r->line.rounds), agenda_rounds(r->agenda));
}

static bool told_to_stop(const runner *r) {
    return r->options->stop != NULL && *r->options->stop != 0;
}

/* Waits a tenth of a second at most, so that progress is told and a signal is heeded. Returns the block, or NULL. */
static slot *await_block(runner *r) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&r->lock);
    slot *next = &r->slots[r->taken % r->slot_count];
    if (!next->ready && !atomic_load(&r->line.halt)) pthread_cond_timedwait(&r->ready, &r->lock, &until);
    bool ready = next->ready;
    pthread_mutex_unlock(&r->lock);
    return ready ? next : NULL;
}

static void free_slot(runner *r, slot *s) {
    pthread_mutex_lock(&r->lock);
    s->ready = false;
    r->taken++;
    pthread_cond_broadcast(&r->freed);
    pthread_mutex_unlock(&r->lock);
}

/* The journal comes first, and so has all that the statistics have, whatever becomes of the files. */
static runner_status take(runner *r, statistics *s, const block *b) {
    const runner_options *o = r->options;
    statistics_take(s, b);
    if (o->journal != NULL && !journal_take(o->journal, b, s)) return RUNNER_REFUSED;
    return o->take == NULL || o->take(o->context, b) ? RUNNER_DONE : RUNNER_REFUSED;
}

static runner_status collect(runner *r, statistics *s) {
    double told = now();
    tell(r);
    while (r->taken < r->agenda->blocks) {
        slot *next = await_block(r);
        if (told_to_stop(r)) return RUNNER_STOPPED;
        if (atomic_load(&r->line.halt)) return RUNNER_FAILED;
        if (next != NULL) {
            runner_status status = take(r, s, &next->block);
            if (status != RUNNER_DONE) return status;
            free_slot(r, next);
        }
        if (now() - told > 0.1) {
            tell(r);
            told = now();
        }
    }
    tell(r);
    return RUNNER_DONE;
}

/* ------------------------------------------------ all together --------------------------------------------- */

static int count_threads(const agenda *a, int wanted) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    long threads = wanted > 0 ? wanted : online > 0 ? online : 1;
    return threads < (long)a->blocks ? (int)threads : (int)a->blocks;
}

static bool open_slots(runner *r, int threads) {
    sheet shape;
    r->slot_count = (uint32_t)threads + 2;
    if (r->slot_count > r->agenda->blocks) r->slot_count = r->agenda->blocks;
    r->slots = calloc(r->slot_count, sizeof *r->slots);
    bool whole = r->slots != NULL && sheet_open(&shape, r->agenda);
    for (uint32_t i = 0; i < r->slot_count && whole; i++) whole = block_open(&r->slots[i].block, r->agenda, &shape);
    if (r->slots != NULL) sheet_close(&shape);
    return whole;
}

static void open_locks(runner *r) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->freed, NULL);
    pthread_cond_init(&r->ready, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void close_runner(runner *r) {
    for (uint32_t i = 0; i < r->slot_count && r->slots != NULL; i++) block_close(&r->slots[i].block);
    free(r->slots);
    pthread_cond_destroy(&r->ready);
    pthread_cond_destroy(&r->freed);
    pthread_mutex_destroy(&r->lock);
}

static void halt(runner *r) {
    pthread_mutex_lock(&r->lock);
    atomic_store(&r->line.halt, true);
    pthread_cond_broadcast(&r->freed);
    pthread_mutex_unlock(&r->lock);
}

/* Before there are workers: the first slot is free to read into. */
static runner_status replay(runner *r, statistics *s) {
    const runner_options *o = r->options;
    if (o->journal == NULL) return RUNNER_DONE;
    uint32_t kept = journal_kept(o->journal);
    if (!journal_replay(o->journal, s, &r->slots[0].block, o->take, o->context)) return RUNNER_REFUSED;
    r->claimed = r->taken = kept;
    atomic_store(&r->line.rounds,
                 agenda_rounds(r->agenda) / r->agenda->experiment->runs * agenda_runs_before(r->agenda, kept));
    return RUNNER_DONE;
}

/* Fewer workers than wanted are fine: the results are the same. */
static runner_status work_and_collect(runner *r, statistics *s, int *threads) {
    pthread_t *workers = calloc((size_t)*threads, sizeof *workers);
    int started = 0;
    while (workers != NULL && started < *threads && pthread_create(&workers[started], NULL, work, r) == 0) started++;
    runner_status status = started > 0 ? collect(r, s) : RUNNER_FAILED;
    halt(r);
    for (int i = 0; i < started; i++) pthread_join(workers[i], NULL);
    free(workers);
    *threads = started;
    return status;
}

/* Plays what the journal does not have, and leaves it up to date whatever comes in between. */
static runner_status go_through(runner *r, statistics *s, int *threads) {
    journal *j = r->options->journal;
    runner_status status = replay(r, s);
    if (status == RUNNER_DONE) status = work_and_collect(r, s, threads);
    if (j != NULL && !journal_save(j, s) && status == RUNNER_DONE) status = RUNNER_REFUSED;
    return status;
}

runner_status experiment_run(const agenda *a, const runner_options *o, results **out, runner_message *why) {
    double begin = now();
    runner r = {.agenda = a, .options = o};
    int threads = count_threads(a, o->threads);
    open_locks(&r);
    statistics *s = statistics_make(a);
    results *made = results_make(a);
    runner_status status = RUNNER_FAILED;
    if (s != NULL && made != NULL && open_slots(&r, threads)) status = go_through(&r, s, &threads);
    if (status == RUNNER_DONE) {
        statistics_finish(s, made);
        made->threads = threads;
        made->seconds = now() - begin;
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
    close_runner(&r);
    return status;
}
