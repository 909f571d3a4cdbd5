/* SPDX-License-Identifier: MIT */
#include "experiment/store/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/store/csv.h"
#include "experiment/store/key.h"
#include "experiment/store/manifest.h"

static const char runs_file[] = "results.h5", manifest_file[] = "manifest.json";

/* The HDF5 library does not always set errno; nearly always the reason is the disk. */
static bool fail(output *o, const char *what) {
    if (o->problem[0] == '\0')
        snprintf(o->problem, sizeof o->problem, "%s cannot be written: %s", what,
                 errno != 0 ? strerror(errno) : "the disk may be full");
    return false;
}

static bool open_journal(output *o, const output_options *how, const agenda *a) {
    char *key = key_make(a->experiment, how->plugins);
    errno = ENOMEM;
    if (key != NULL) o->journal = journal_open(o->folder.unfinished, a, key, how->fresh);
    free(key);
    return o->journal != NULL || fail(o, o->folder.unfinished);
}

bool output_open(output *o, const output_options *how, const agenda *a) {
    *o = (output){.keep = true, .keep_longer = how->keep};
    if (!folder_open(&o->folder, how->directory, a->experiment->name)) {
        if (errno == EWOULDBLOCK)
            snprintf(o->problem, sizeof o->problem, "another posse is at work on %s/%s", how->directory,
                     a->experiment->name);
        return fail(o, how->directory);
    }
    if (!open_journal(o, how, a)) return false;
    const char *path = folder_path(&o->folder, runs_file);
    o->runs = hdf5_open(path, a);
    return o->runs != NULL || fail(o, path);
}

bool output_take(output *o, const block *b) {
    return hdf5_take(o->runs, b) || fail(o, folder_path(&o->folder, runs_file));
}

const char *output_problem(output *o) {
    errno = o->journal != NULL ? journal_error(o->journal) : 0;
    if (errno != 0) fail(o, o->folder.unfinished);
    return o->problem;
}

/* Closes a file; only then is it known whether all of it could be written. */
static bool finished(output *o, FILE *out, const char *path, bool ok) {
    if (out == NULL) return fail(o, path);
    ok = ok && fflush(out) == 0 && !ferror(out);
    if (!ok) fail(o, path);
    return fclose(out) == 0 ? ok : fail(o, path);
}

static bool write_csv(output *o, table_id table, const results *r) {
    const char *path = folder_path(&o->folder, table_formats[table].file);
    errno = 0;
    FILE *out = fopen(path, "w");
    if (out != NULL) csv_write(out, table, r);
    return finished(o, out, path, true);
}

static bool write_manifest(output *o, const results *r) {
    const char *path = folder_path(&o->folder, manifest_file);
    errno = 0;
    FILE *out = fopen(path, "w");
    return finished(o, out, path, out != NULL && manifest_write(out, r));
}

bool output_finish(output *o, const results *r) {
    for (table_id table = 0; table < TABLE_COUNT; table++)
        if (!write_csv(o, table, r)) return false;
    if (!write_manifest(o, r)) return false;
    errno = 0;
    hdf5_file *runs = o->runs;
    o->runs = NULL;
    if (!hdf5_close(runs, r)) return fail(o, folder_path(&o->folder, runs_file));
    if (!folder_commit(&o->folder)) return fail(o, o->folder.final);
    o->keep = o->keep_longer;
    return true;
}

void output_close(output *o) {
    if (o->runs != NULL) hdf5_close(o->runs, NULL);
    journal_close(o->journal, o->keep);
    folder_close(&o->folder);
}

void output_forget(const char *directory, const char *name) {
    folder f;
    if (!folder_open(&f, directory, name)) return;
    journal_forget(f.unfinished);
    folder_close(&f);
}
