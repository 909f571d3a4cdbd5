/* SPDX-License-Identifier: MIT */
#include "report/page/front.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "report/chart/build.h"
#include "report/chart/json.h"
#include "report/page/template.h"

enum { THUMBNAIL_POINTS = 60 };

/* Where the page is written, and the memory for the paths of the files beside it. */
typedef struct front_folder {
    const char *directory;
    pool *memory;
} front_folder;

static bool front_is_there(front_folder at, const char *name, const char *file) {
    const char *path = pool_format(at.memory, "%s/%s%s", at.directory, name, file);
    return path != NULL && access(path, F_OK) == 0;
}

/* ---- cards ------------------------------------------------------------------------------------------------------- */

/* The chart of regret or value with few points and without intervals. NULL: no memory. */
static json_t *thumbnail_json(const dossier *r, pool *memory) {
    chart c;
    if (!curves_of_regret(r, &c, memory)) return NULL;
    chart_panel *p = c.panels;
    size_t step = (p->count + THUMBNAIL_POINTS - 1) / THUMBNAIL_POINTS, kept = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (i % step != 0 && i + 1 < p->count) continue;
        p->at[kept] = p->at[i];
        for (size_t s = 0; s < p->series_count; s++)
            p->series[s].values[kept] = (dossier_value){p->series[s].values[i].mean, NAN};
        kept++;
    }
    p->count = kept;
    return chart_json(&c);
}

/*
 * The comment that the experiment file begins with, as far as its first full stop at the end of a line: what the
 * experiment shows, and which figure of the paper. NULL: it begins with none.
 */
static const char *front_about(const dossier *r, pool *memory) {
    const char *at = json_string_value(json_object_get(r->manifest, "source"));
    char *text = at != NULL && *at == '#' ? pool_allocate(memory, strlen(at) + 1) : NULL;
    size_t used = 0;
    for (bool ended = false; text != NULL && *at == '#' && !ended; at += *at == '\n') {
        at += 1 + strspn(at + 1, " ");
        size_t length = strcspn(at, "\r\n");
        if (used > 0) text[used++] = ' ';
        memcpy(text + used, at, length);
        used += length;
        ended = used > 0 && text[used - 1] == '.';
        at += strcspn(at, "\n");
    }
    if (text != NULL) text[used] = '\0';
    return text;
}

static json_t *card_json(const dossier *r, const char *folder, const scaling *s, front_folder at) {
    const scaling_family *family = scaling_family_of(s, r);
    return json_pack("{s:s, s:s, s:s, s:s, s:s?, s:b, s:s?, s:O?, s:O?, s:O?, s:O?, s:o, s:o, s:o}", "folder", folder,
                     "measure", r->has_value ? "value" : "regret", "name", r->name, "title", r->title, "about",
                     front_about(r, at.memory), "page", front_is_there(at, folder, "/index.html"), "family",
                     family != NULL ? family->stem : NULL, "rounds", json_object_get(r->manifest, "rounds"), "runs",
                     json_object_get(r->manifest, "runs"), "seed", json_object_get(r->manifest, "seed"), "version",
                     json_object_get(r->manifest, "version"), "competitors", json_competitors(r), "thumbnail",
                     thumbnail_json(r, at.memory), "claims", json_table(&r->tables[TABLE_CLAIMS]));
}

static json_t *cards_json(const dossier *const *dossiers, const char *const *folders, size_t count, const scaling *s,
                          front_folder at) {
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) json_add(&all, card_json(dossiers[i], folders[i], s, at));
    return all;
}

/* ---- who wins where ---------------------------------------------------------------------------------------------- */

static json_t *contest_json(const comparison *c, size_t e, pool *memory) {
    chart contest;
    return contest_of_selectors(c, e, &contest, memory) ? chart_json(&contest) : NULL;
}

static json_t *experiments_json(const comparison *c, pool *memory) {
    json_t *all = json_array();
    for (size_t e = 0; e < c->experiment_count; e++) {
        const dossier_competitor *learner = dossier_best_learner(c->experiments[e]);
        json_add(&all,
                 json_pack("{s:s, s:o, s:o}", "name", c->experiments[e]->name, "learner_regret",
                           json_number(learner ? learner->regret.mean : NAN), "chart", contest_json(c, e, memory)));
    }
    return all;
}

static json_t *cell_json(const comparison_cell *cell) {
    if (cell->who == NULL) return json_null();
    return json_pack("{s:o, s:o, s:s, s:s, s:o, s:o}", "regret", json_number(cell->who->regret.mean), "ci95",
                     json_number(cell->who->regret.ci95), "verdict", comparison_verdicts[cell->verdict], "best",
                     cell->best->name, "difference", json_number(cell->difference.mean), "difference_ci95",
                     json_number(cell->difference.ci95));
}

static json_t *front_rows_json(const comparison *c) {
    json_t *all = json_array();
    for (size_t i = 0; i < c->row_count; i++) {
        const comparison_row *row = &c->rows[i];
        json_t *cells = json_array();
        for (size_t e = 0; e < c->experiment_count; e++) json_add(&cells, cell_json(comparison_at(c, i, e)));
        json_add(&all,
                 json_pack("{s:s, s:s, s:b, s:I, s:I, s:o}", "name", row->name, "kind", row->kind, "share", row->shares,
                           "wins", (json_int_t)row->wins, "met", (json_int_t)row->met, "cells", cells));
    }
    return all;
}

static json_t *comparison_json(const comparison *c, front_folder at) {
    if (c->experiment_count == 0) return json_null();
    return json_pack("{s:o, s:o, s:b}", "experiments", experiments_json(c, at.memory), "rows", front_rows_json(c),
                     "pictures", front_is_there(at, "comparison", ".svg"));
}

/* ---- scaling ----------------------------------------------------------------------------------------------------- */

static json_t *growth_json(const scaling_family *f, pool *memory) {
    chart growth;
    return growth_of_family(f, &growth, memory) ? chart_json(&growth) : NULL;
}

static json_t *line_json(const scaling_line *line) {
    return json_pack("{s:s, s:b, s:o, s:o, s:o, s:I}", "name", line->name, "share", line->shares, "exponent",
                     json_number(line->exponent.mean), "exponent_ci95", json_number(line->exponent.ci95), "style",
                     json_style(style_among_selectors(line->rank)), "sizes", (json_int_t)line->points);
}

static json_t *families_json(const scaling *s, front_folder at) {
    json_t *all = json_array();
    for (size_t i = 0; i < s->family_count; i++) {
        const scaling_family *f = &s->families[i];
        json_t *lines = json_array();
        for (size_t l = 0; l < f->line_count; l++) json_add(&lines, line_json(&f->lines[l]));
        json_add(&all,
                 json_pack("{s:s, s:o, s:o, s:s, s:b}", "stem", f->stem, "chart", growth_json(f, at.memory), "lines",
                           lines, "picture", f->picture, "pictures", front_is_there(at, f->picture, ".svg")));
    }
    return all;
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

enum { NOTE_MOST = 1 << 20 };

/* Whether a path is a regular file. It may be a folder, or a pipe, which would wait for a writer. */
static bool is_regular(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

static int is_note(const struct dirent *entry) {
    const char *suffix = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && suffix != NULL && strcmp(suffix, ".md") == 0;
}

/* A note with its text. NULL: it is no text in UTF-8 of at most 1 MiB, or there is no memory. */
static json_t *note_json(const char *path, const char *name, pool *memory) {
    size_t size = 0;
    json_error_t error;
    json_t *note = NULL;
    bool regular = is_regular(path);
    char *text = regular ? file_read(path, NOTE_MOST + 1, &size) : NULL;
    if (text != NULL && size <= NOTE_MOST) {
        note = json_pack_ex(&error, 0, "{s:s, s:s%}", "file", name, "text", text, size);
        if (note == NULL && json_error_code(&error) == json_error_out_of_memory) pool_fail(memory);
    } else if (regular && text == NULL && errno == ENOMEM)
        pool_fail(memory);
    free(text);
    return note;
}

/* The Markdown files in the folder, which describe what was measured beside the experiments. */
static json_t *notes_json(front_folder at, FILE *messages) {
    struct dirent **entries = NULL;
    int count = scandir(at.directory, &entries, is_note, alphasort);
    json_t *all = json_array();
    if (count < 0 && errno == ENOMEM) pool_fail(at.memory);
    for (int i = 0; i < count; i++) {
        const char *path = pool_format(at.memory, "%s/%s", at.directory, entries[i]->d_name);
        json_t *note = path != NULL ? note_json(path, entries[i]->d_name, at.memory) : NULL;
        if (note != NULL)
            json_add(&all, note);
        else if (!pool_failed(at.memory))
            fprintf(messages, "%s is not on the page: it is no text in UTF-8 of at most 1 MiB\n", path);
        free(entries[i]);
    }
    free(entries);
    return all;
}

bool front_make(const dossier *const *dossiers, const char *const *folders, size_t count, const comparison *c,
                const scaling *s, const char *directory, pool *memory, FILE *messages) {
    front_folder at = {directory, memory};
    json_t *data =
        json_pack("{s:o, s:o, s:o, s:o}", "cards", cards_json(dossiers, folders, count, s, at), "comparison",
                  comparison_json(c, at), "families", families_json(s, at), "notes", notes_json(at, messages));
    if (pool_failed(memory)) {
        json_decref(data);
        data = NULL;
    }
    bool made = template_write(directory, "index.html", "front.html", "posse: experiments", data, messages);
    json_decref(data);
    return made;
}
