/* SPDX-License-Identifier: MIT */
#include "experiment/store/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/text.h"
#include "experiment/store/csv.h"
#include "experiment/store/hdf5_library.h"
#include "experiment/store/key.h"
#include "experiment/store/manifest.h"

static const char runs_file[] = "results.h5", manifest_file[] = "manifest.json";

/* The HDF5 library does not always set errno; nearly always the reason is the disk. */
static bool output_fail(output *o, const char *what) {
    if (o->problem[0] == '\0')
        snprintf(o->problem, sizeof o->problem, "%s cannot be written: %s", what,
                 errno != 0 ? strerror(errno) : "the disk may be full");
    return false;
}

/* ------------------------------------------ what earlier processes left ------------------------------------ */

static bool output_refuse(output *o, const char *where, const char *holds, const char *what) {
    snprintf(o->problem, sizeof o->problem, "%s holds %s of %s", where, holds, what);
    o->refused = true;
    return false;
}

/* Whether this experiment with another number of runs is cut into blocks of the same size. */
static bool same_blocks(const agenda *a, uint32_t runs) {
    experiment other_experiment = *a->experiment;
    other_experiment.runs = runs;
    agenda *other = agenda_make(&other_experiment);
    bool same = other != NULL && other->block_runs == a->block_runs;
    agenda_free(other);
    return same;
}

/* Leftovers are used if they are of this experiment, or of one with fewer runs in blocks of the same size. */
static bool check_leftovers(output *o, const agenda *a, const char *key, const char *other) {
    uint32_t runs;
    const char *difference = key_difference(key, other);
    if (difference == NULL) return true;
    if (!key_extends(key, other, &runs)) return output_refuse(o, o->folder.unfinished, "unfinished runs", difference);
    if (runs <= a->experiment->runs && same_blocks(a, runs))
        return journal_copy(o->folder.unfinished, o->folder.unfinished, key) || output_fail(o, o->folder.unfinished);
    char what[80];
    snprintf(what, sizeof what, "this experiment with --runs %" PRIu32 ", which has to finish first", runs);
    return output_refuse(o, o->folder.unfinished, "unfinished runs", what);
}

/* Uses the finished runs of the same experiment with fewer runs. If they cannot be used, they are played again. */
static bool extend_finished(output *o, const agenda *a, const char *key) {
    uint32_t runs;
    bool ok = true;
    char *other = journal_key(o->folder.runs);
    if (other == NULL || !key_extends(key, other, &runs) || runs >= a->experiment->runs)
        ok = true;
    else if (same_blocks(a, runs))
        ok = journal_copy(o->folder.runs, o->folder.unfinished, key) || output_fail(o, o->folder.unfinished);
    else
        o->extension = extension_open(o->folder.runs, a, other, runs);
    free(other);
    return ok;
}

static bool check_finished(output *o, const experiment *e) {
    char *path = text_format("%s/%s", o->folder.final, manifest_file);
    char *difference = path != NULL ? manifest_difference(path, e) : NULL;
    bool ok = difference == NULL || output_refuse(o, o->folder.final, "finished results", difference);
    free(difference);
    free(path);
    return ok;
}

static bool output_look_around(output *o, const agenda *a, const char *key) {
    char *other = journal_key(o->folder.unfinished);
    bool ok = check_finished(o, a->experiment) &&
              (other != NULL ? check_leftovers(o, a, key, other) : extend_finished(o, a, key));
    free(other);
    return ok;
}

static bool open_journal(output *o, const output_options *how, const agenda *a) {
    char *key = key_make(a->experiment, how->plugins);
    bool ok = key != NULL && (how->fresh || output_look_around(o, a, key));
    if (ok) errno = ENOMEM;
    if (ok) o->journal = journal_open(o->folder.unfinished, a, key, how->fresh);
    free(key);
    return o->journal != NULL || output_fail(o, o->folder.unfinished);
}

uint32_t output_runs_there(const output *o, const agenda *a) {
    uint32_t kept = o->journal != NULL ? journal_kept(o->journal) : 0;
    if (kept == 0 && o->extension != NULL) kept = extension_blocks(o->extension);
    return kept > 0 ? agenda_runs_before(a, kept) : 0;
}

/* -------------------------------------------------- writing ------------------------------------------------ */

bool output_open(output *o, const output_options *how, const agenda *a) {
    *o = (output){.keep = true, .keep_longer = how->keep};
    if (!folder_open(&o->folder, how->directory, a->experiment->name)) {
        if (errno == EWOULDBLOCK)
            snprintf(o->problem, sizeof o->problem, "another posse is at work on %s/%s", how->directory,
                     a->experiment->name);
        return output_fail(o, how->directory);
    }
    if (folder_is_blocked(&o->folder)) {
        snprintf(o->problem, sizeof o->problem, "%s is a file, where a folder of results has to go", o->folder.final);
        o->refused = true;
        return false;
    }
    if (hdf5_library_load() == NULL) {
        snprintf(o->problem, sizeof o->problem, "%s is written with %s, which is not installed", runs_file,
                 hdf5_library_file);
        return false;
    }
    if (!open_journal(o, how, a)) return false;
    const char *path = folder_path(&o->folder, runs_file);
    o->runs = hdf5_open(path, a);
    return o->runs != NULL || output_fail(o, path);
}

bool output_take(output *o, const block *b) {
    return hdf5_take(o->runs, b) || output_fail(o, folder_path(&o->folder, runs_file));
}

const char *output_problem(output *o) {
    errno = o->journal != NULL ? journal_error(o->journal) : 0;
    if (errno != 0) output_fail(o, o->folder.unfinished);
    return o->problem;
}

/* folder_commit waits for the disk, for all files at once. */
static bool output_hand_over(output *o, file_draft *d, const char *path, bool complete) {
    return file_draft_hand_over(d, complete) || output_fail(o, path);
}

static bool write_csv(output *o, table_id table, const results *r) {
    file_draft d;
    const char *path = folder_path(&o->folder, table_formats[table].file);
    errno = 0;
    if (!file_draft_open(&d, path)) return output_fail(o, path);
    csv_write(d.stream, table, r);
    return output_hand_over(o, &d, path, true);
}

static bool write_manifest(output *o, const results *r) {
    file_draft d;
    const char *path = folder_path(&o->folder, manifest_file);
    errno = 0;
    if (!file_draft_open(&d, path)) return output_fail(o, path);
    return output_hand_over(o, &d, path, manifest_write(d.stream, r));
}

bool output_finish(output *o, const results *r) {
    for (table_id table = 0; table < TABLE_COUNT; table++)
        if (table_is_there(table, r->agenda->tasks) && !write_csv(o, table, r)) return false;
    if (!write_manifest(o, r)) return false;
    errno = 0;
    hdf5_file *runs = o->runs;
    o->runs = NULL;
    if (!hdf5_close(runs, r)) return output_fail(o, folder_path(&o->folder, runs_file));
    if (!folder_commit(&o->folder)) return output_fail(o, o->folder.final);
    o->keep = o->keep_longer;
    return true;
}

/*
 * Results are complete without their journal; only an experiment with more runs would have to begin anew. So nothing is
 * reported if the journal cannot be moved.
 */
static void file_journal(const folder *f) {
    if (!journal_move(f->unfinished, f->runs)) journal_forget(f->runs);
    journal_forget(f->unfinished);
}

void output_close(output *o) {
    if (o->runs != NULL) hdf5_close(o->runs, NULL);
    extension_close(o->extension);
    bool opened = o->journal != NULL;
    journal_close(o->journal, true);
    if (opened && !o->keep) file_journal(&o->folder);
    folder_close(&o->folder);
}

void output_forget(const char *directory, const char *name) {
    folder f;
    if (!folder_open(&f, directory, name)) return;
    file_journal(&f);
    folder_close(&f);
}
