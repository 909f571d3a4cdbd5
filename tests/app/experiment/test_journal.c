/* SPDX-License-Identifier: MIT */
/*
 * Tests of the journal: a run that ends early and is resumed has the same results as an unbroken one. Leftovers that
 * are damaged, cut or of another experiment never become part of any results.
 */
#include "experiment/store/extension.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text.h"
#include "experiment/play/runner.h"
#include "experiment/store/csv.h"
#include "experiment/store/key.h"
#include "helpers.h"
#include "scenes.h"

static const char *const files[] = {"key", "runs", "state"};

/* ------------------------------------------ what results contain ------------------------------------------- */

/* All CSV files and the hash, in one text to be freed. */
static char *told(const results *r) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (table_id table = 0; table < TABLE_COUNT; table++) csv_write(out, table, r);
    fprintf(out, "%016llx\n", (unsigned long long)r->hash);
    fclose(out);
    return text;
}

static char *told_unbroken(const experiment *e) {
    agenda *a;
    results *r = scene_run(e, 2, &a);
    char *text = told(r);
    results_free(r);
    agenda_free(a);
    return text;
}

/* ------------------------------------------------- attempts ------------------------------------------------ */

/* A run with a journal that stops after `most` blocks. */
typedef struct attempt {
    volatile sig_atomic_t stop;
    uint32_t next; /* the run that is expected next */
    uint32_t blocks, most;
    uint32_t kept; /* blocks that the journal had when it was opened */
    bool refused;  /* the journal had leftovers that it did not use */
} attempt;

static bool take(void *context, const block *b) {
    attempt *t = context;
    assert_int_equal(b->first, t->next);
    t->next += b->count;
    if (++t->blocks >= t->most) t->stop = 1;
    return true;
}

/* Returns the text of the results, to be freed, or NULL if the run was stopped. */
static char *attempt_run(attempt *t, const char *folder, const experiment *e, const char *key) {
    agenda *a = agenda_make(e);
    journal *j = journal_open(folder, a, key, false);
    assert_non_null(j);
    t->kept = journal_kept(j);
    t->refused = journal_refusal(j) != NULL;
    runner_options how = {.threads = 2, .stop = &t->stop, .take = take, .context = t, .journal = j};
    results *r;
    runner_message why;
    runner_status status = experiment_run(a, &how, &r, &why);
    assert_that(status == RUNNER_DONE || status == RUNNER_STOPPED, "status %d", status);
    journal_close(j, status != RUNNER_DONE);
    char *text = r != NULL ? told(r) : NULL;
    results_free(r);
    agenda_free(a);
    return text;
}

static char *scratch_made(void) {
    char *folder = strdup("/tmp/posse-journal-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

/* Removes a folder, which must be empty again. */
static void scratch_removed(char *folder) {
    assert_int_equal(rmdir(folder), 0);
    free(folder);
}

LAW(a_run_in_pieces_is_the_run) {
    for (int i = 0; i < scene_count(); i++) {
        const experiment *e = scene(i);
        char *whole = told_unbroken(e), *folder = scratch_made(), *key = key_make(e, 0), *text = NULL;
        uint32_t kept = 0;
        for (uint32_t most = 1; text == NULL; most += 1 + most / 4) {
            attempt t = {.most = most};
            text = attempt_run(&t, folder, e, key);
            assert_true(t.kept >= kept && !t.refused);
            kept = t.kept;
            if (text == NULL) assert_true(t.blocks >= most);
        }
        assert_string_equal(text, whole);
        free(text), free(key), free(whole);
        scratch_removed(folder);
    }
}

/* Runs an experiment with the journal in a folder, and leaves the journal there. Returns the text of the results. */
static char *told_with(const experiment *e, const char *folder, const char *key, extension *x) {
    agenda *a = agenda_make(e);
    journal *j = journal_open(folder, a, key, false);
    attempt t = {.most = UINT32_MAX};
    runner_options how = {.threads = 2, .take = take, .context = &t, .journal = j, .extension = x};
    results *r;
    assert_int_equal(experiment_run(a, &how, &r, NULL), RUNNER_DONE);
    assert_int_equal(t.next, e->runs);
    journal_close(j, true);
    char *text = told(r);
    results_free(r);
    agenda_free(a);
    return text;
}

/* Whatever the sizes of blocks, the statistics are those of an experiment that has played all runs itself. */
LAW(finished_runs_are_the_first_of_a_longer_run) {
    for (int i = 0; i < scene_count(); i++) {
        experiment shorter = *scene(i), longer = *scene(i);
        longer.runs = shorter.runs < 10 ? shorter.runs + 1 : 3 * shorter.runs + 70;
        char *folder = scratch_made(), *key = key_make(&shorter, 0), *longer_key = key_make(&longer, 0);
        uint32_t runs = 0;
        assert_true(key_extends(longer_key, key, &runs) && runs == shorter.runs);
        free(told_with(&shorter, folder, key, NULL));
        agenda *a = agenda_make(&longer);
        extension *x = extension_open(folder, a, key, runs);
        assert_non_null(x);
        assert_true(extension_blocks(x) > 0 && extension_blocks(x) * a->block_runs <= shorter.runs);
        char *other = scratch_made(), *text = told_with(&longer, other, longer_key, x), *whole = told_unbroken(&longer);
        assert_string_equal(text, whole);
        extension_close(x);
        agenda_free(a);
        journal_forget(folder), journal_forget(other);
        scratch_removed(folder), scratch_removed(other);
        free(text), free(whole), free(key), free(longer_key);
    }
}

/* ------------------------------------------------- leftovers ----------------------------------------------- */

typedef struct content {
    char *bytes;
    size_t size;
} content;

static char *path_of(const char *folder, const char *file) {
    return text_format("%s/%s", folder, file);
}

static content read_content(const char *folder, const char *file) {
    char *path = path_of(folder, file);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    content c = {malloc(1 << 22), 0};
    c.size = fread(c.bytes, 1, 1 << 22, in);
    assert_true(c.size < 1 << 22);
    fclose(in);
    free(path);
    return c;
}

static void write_content(const char *folder, const char *file, content c) {
    char *path = path_of(folder, file);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(c.bytes, 1, c.size, out), c.size);
    fclose(out);
    free(path);
}

/* Leftovers of an experiment that was stopped after about 20 blocks. */
typedef struct leftovers {
    const experiment *experiment;
    char *folder, *key, *whole;
    content content[LENGTH(files)];
} leftovers;

static leftovers leftovers_made(const experiment *e) {
    leftovers l = {e, scratch_made(), key_make(e, 0), told_unbroken(e), {{0}}};
    attempt t = {.most = 20};
    assert_null(attempt_run(&t, l.folder, e, l.key));
    for (int i = 0; i < LENGTH(files); i++) l.content[i] = read_content(l.folder, files[i]);
    return l;
}

static void leftovers_free(leftovers *l) {
    for (int i = 0; i < LENGTH(files); i++) free(l->content[i].bytes);
    free(l->key), free(l->whole);
    scratch_removed(l->folder);
}

/* Runs to the end from the leftovers, with one file replaced by `other`; -1 replaces none. */
static attempt finished_with(const leftovers *l, int file, content other) {
    attempt t = {.most = UINT32_MAX};
    for (int i = 0; i < LENGTH(files); i++) write_content(l->folder, files[i], i == file ? other : l->content[i]);
    char *text = attempt_run(&t, l->folder, l->experiment, l->key);
    assert_non_null(text);
    assert_string_equal(text, l->whole);
    free(text);
    return t;
}

LAW(leftovers_are_gone_on_with) {
    leftovers l = leftovers_made(scene_named("gaussian"));
    attempt t = finished_with(&l, -1, (content){0});
    assert_true(t.kept >= 20 && !t.refused);
    leftovers_free(&l);
}

/* A run that is stopped while it still reads leftovers stops at once, and all leftovers are there the next time. */
LAW(leftovers_outlast_a_stop_while_they_are_read) {
    leftovers l = leftovers_made(scene_named("gaussian"));
    attempt stopped = {.most = 5};
    assert_null(attempt_run(&stopped, l.folder, l.experiment, l.key));
    assert_int_equal(stopped.blocks, 5);
    attempt t = {.most = UINT32_MAX};
    char *text = attempt_run(&t, l.folder, l.experiment, l.key);
    assert_string_equal(text, l.whole);
    assert_true(stopped.kept >= 20 && t.kept == stopped.kept);
    free(text);
    leftovers_free(&l);
}

LAW(a_damaged_byte_of_leftovers_is_noticed) {
    leftovers l = leftovers_made(scene_named("teams"));
    for (int i = 0; i < LENGTH(files); i++)
        for (size_t at = 0; at < l.content[i].size; at += 1 + l.content[i].size / 37) {
            content *c = &l.content[i];
            c->bytes[at] ^= 1 << at % 8;
            attempt t = finished_with(&l, i, *c);
            assert_that(t.kept == 0 && t.refused, "byte %zu of %s went unnoticed", at, files[i]);
            c->bytes[at] ^= 1 << at % 8;
        }
    leftovers_free(&l);
}

/* A record has the rows of its runs, then the length of each packed chunk. */
LAW(chunks_longer_than_there_is_room_for_are_noticed) {
    const experiment *e = scene_named("gaussian");
    leftovers l = leftovers_made(e);
    agenda *a = agenda_make(e);
    sheet shape;
    assert_true(sheet_open(&shape, a));
    size_t sizes = agenda_block_count(a, 0) * shape.row_count * sizeof(double);
    memset(l.content[1].bytes + sizes, 255, sizeof(uint32_t));
    attempt t = finished_with(&l, 1, l.content[1]);
    assert_true(t.kept == 0 && t.refused);
    sheet_close(&shape);
    agenda_free(a);
    leftovers_free(&l);
}

LAW(leftovers_that_were_cut_are_noticed) {
    leftovers l = leftovers_made(scene_named("ranges"));
    for (int i = 0; i < LENGTH(files); i++)
        for (size_t size = 0; size < l.content[i].size; size += 1 + l.content[i].size / 23) {
            attempt t = finished_with(&l, i, (content){l.content[i].bytes, size});
            assert_that(t.kept == 0 && t.refused, "%s of %zu bytes went unnoticed", files[i], size);
        }
    leftovers_free(&l);
}

/* The process was killed while it wrote runs that no saved state includes yet. */
LAW(a_torn_tail_is_cut_off) {
    leftovers l = leftovers_made(scene_named("gaussian"));
    content longer = {malloc(l.content[1].size + 5000), l.content[1].size + 5000};
    memset(longer.bytes, 7, longer.size);
    memcpy(longer.bytes, l.content[1].bytes, l.content[1].size);
    attempt t = finished_with(&l, 1, longer);
    assert_true(t.kept >= 20 && !t.refused);
    free(longer.bytes);
    leftovers_free(&l);
}

/* The later state includes runs that never reached the disk; the older one does not. */
LAW(an_older_state_serves_where_the_later_is_of_no_use) {
    leftovers l = leftovers_made(scene_named("gaussian"));
    for (int i = 0; i < LENGTH(files); i++) write_content(l.folder, files[i], l.content[i]);
    write_content(l.folder, "safe", l.content[2]);
    attempt further = {.most = 30};
    assert_null(attempt_run(&further, l.folder, l.experiment, l.key));
    content later = read_content(l.folder, "state");
    write_content(l.folder, "safe", l.content[2]);
    attempt t = finished_with(&l, 2, later);
    assert_true(t.kept >= 20 && t.kept < 30 && !t.refused);
    free(later.bytes);
    leftovers_free(&l);
}

/* A file that cannot be read may still be intact, so the run must not start again without it. */
LAW(leftovers_that_cannot_be_read_stay) {
    leftovers l = leftovers_made(scene_named("gaussian"));
    agenda *a = agenda_make(l.experiment);
    for (int i = 0; i < LENGTH(files); i++) {
        for (int k = 0; k < LENGTH(files); k++) write_content(l.folder, files[k], l.content[k]);
        char *path = path_of(l.folder, files[i]);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(mkdir(path, 0700), 0);
        assert_null(journal_open(l.folder, a, l.key, false));
        assert_int_equal(rmdir(path), 0);
        free(path);
        write_content(l.folder, files[i], l.content[i]);
        attempt t = {.most = UINT32_MAX};
        char *text = attempt_run(&t, l.folder, l.experiment, l.key);
        assert_true(t.kept >= 20 && !t.refused);
        assert_string_equal(text, l.whole);
        free(text);
    }
    agenda_free(a);
    leftovers_free(&l);
}

/* --------------------------------------------------- keys -------------------------------------------------- */

static void assert_difference(const experiment *e, uint64_t plugins, const char *difference) {
    char *key = key_make(scene_named("gaussian"), 0), *other = key_make(e, plugins);
    const char *found = key_difference(key, other);
    if (difference == NULL)
        assert_null(found);
    else
        assert_string_equal(found, difference);
    free(key), free(other);
}

LAW(keys_differ_where_results_would) {
    experiment e = *scene_named("gaussian");
    e.title = "of no importance";
    assert_difference(&e, 0, NULL);
    assert_difference(&e, 1, "other plugins");
    e.seed++;
    assert_difference(&e, 0, "another seed");
    e.runs++;
    assert_difference(&e, 0, "another number of runs");
    e.rounds++;
    assert_difference(&e, 0, "another number of rounds");
    e.solo = false;
    assert_difference(&e, 0, "another experiment");
}

/* The key depends on the content of a data file and not on its path. */
LAW(other_data_are_another_experiment) {
    char *folder = scratch_made(), *path = text_format("%s/x.csv", folder);
    experiment e = *scene_named("gaussian");
    e.environment = (posse_part){.kind = "table", .options = {WORD("file", path), WORD("label", "a")}};
    e.path = text_format("%s/x.yaml", folder);
    char one[] = "a,b\n1,2\n", another[] = "a,b\n1,3\n";
    write_content(folder, "x.csv", (content){one, 8});
    char *key = key_make(&e, 0), *same = key_make(&e, 0);
    write_content(folder, "x.csv", (content){another, 8});
    char *other = key_make(&e, 0);
    assert_null(key_difference(key, same));
    assert_string_equal(key_difference(key, other), "other data");
    assert_int_equal(unlink(path), 0);
    free(key), free(same), free(other), free(path), free((void *)(uintptr_t)e.path);
    scratch_removed(folder);
}

LAW(keys_of_anything_else_differ) {
    char *key = key_make(scene_named("gaussian"), 0), *longer = text_format("%smore\n", key);
    assert_string_equal(key_difference(key, ""), "another version of posse");
    assert_string_equal(key_difference(key, "version 0.0.1\n"), "another version of posse");
    assert_string_equal(key_difference(key, longer), "something else");
    free(key), free(longer);
}
