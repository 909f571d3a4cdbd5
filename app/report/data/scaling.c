/* SPDX-License-Identifier: MIT */
#include "report/data/scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "data/decimal.h"
#include "report/data/draft.h"
#include "report/data/trend.h"

enum { MEMBERS_MIN = 3, DIGITS_MAX = 15 }; /* a double holds every number of 15 digits exactly */

/* ---- families ---------------------------------------------------------------------------------------------------- */

/*
 * How long the stem of a name is; 0 if the name is not of the form STEM-N. Stems become names of files, but a manifest
 * may have any text as a name. So only the characters that names of experiments have are accepted.
 */
static size_t stem_length(const char *name, double *size) {
    const char *dash = strrchr(name, '-');
    if (dash == NULL || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0') return 0;
    size_t digits = strspn(dash + 1, "0123456789");
    if (digits == 0 || digits > DIGITS_MAX || dash[1 + digits] != '\0') return 0;
    return decimal_read(dash + 1, size) == DECIMAL_FINE && *size > 0 ? (size_t)(dash - name) : 0;
}

static bool has_stem(const dossier *r, const char *stem, size_t length, double *size) {
    return stem_length(r->name, size) == length && strncmp(r->name, stem, length) == 0;
}

static int by_size(const void *a, const void *b) {
    double x = ((const scaling_member *)a)->size, y = ((const scaling_member *)b)->size;
    return (x > y) - (x < y);
}

/*
 * Gathers the family of the first dossier. The dossiers before it are not passed, because they have a family already,
 * or none.
 */
static bool scaling_gather(scaling_family *f, const dossier *const *dossiers, size_t count, size_t length,
                           pool *memory) {
    f->members = pool_array(memory, count, sizeof *f->members);
    if (f->members == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        double size;
        if (!dossiers[i]->has_value && has_stem(dossiers[i], dossiers[0]->name, length, &size))
            f->members[f->member_count++] = (scaling_member){dossiers[i], size};
    }
    qsort(f->members, f->member_count, sizeof *f->members, by_size);
    f->stem = pool_copy(memory, dossiers[0]->name, length);
    f->picture = f->stem != NULL ? pool_format(memory, "scaling-%s", f->stem) : NULL;
    return f->picture != NULL;
}

/* Counts different sizes: z-1 and z-01 have the same one. */
static size_t count_sizes(const scaling_family *f) {
    size_t sizes = f->member_count > 0;
    for (size_t i = 1; i < f->member_count; i++) sizes += f->members[i].size > f->members[i - 1].size;
    return sizes;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* The line of a selector, which it adds if there is none. NULL: no memory. */
static scaling_line *scaling_line_of(scaling_family *f, const dossier_competitor *who, pool *memory) {
    size_t rank = 0;
    for (size_t i = 0; i < f->line_count; i++) {
        scaling_line *line = &f->lines[i];
        if (line->shares == who->shares && strcmp(line->name, who->name) == 0) return line;
        rank += line->shares == who->shares;
    }
    scaling_line *line = &f->lines[f->line_count++];
    *line = (scaling_line){who->name, who->kind, who->shares, rank, NULL, {NAN, NAN}, 0};
    line->regret = pool_array(memory, f->member_count, sizeof *line->regret);
    if (line->regret == NULL) return NULL;
    for (size_t i = 0; i < f->member_count; i++) line->regret[i] = (dossier_value){NAN, NAN};
    return line;
}

static bool add_lines(scaling_family *f, bool shares, pool *memory) {
    for (size_t i = 0; i < f->member_count; i++) {
        const dossier *r = f->members[i].dossier;
        for (size_t s = 0; s < r->selector_count; s++) {
            if (r->competitors[s].shares != shares) continue;
            scaling_line *line = scaling_line_of(f, &r->competitors[s], memory);
            if (line == NULL) return false;
            line->regret[i] = r->competitors[s].regret;
            line->points++;
        }
    }
    return true;
}

dossier_value scaling_fit(const scaling_member *members, const dossier_value *regret, size_t count) {
    trend line = {0};
    bool weighted = true;
    for (size_t i = 0; i < count; i++) weighted = weighted && (isnan(regret[i].mean) || regret[i].ci95 > 0);
    for (size_t i = 0; i < count; i++) {
        if (isnan(regret[i].mean)) continue;
        if (!(regret[i].mean > 0)) return (dossier_value){NAN, NAN};
        double error = weighted ? regret[i].ci95 / 1.96 / regret[i].mean : 1;
        trend_add(&line, log(members[i].size), log(regret[i].mean), 1 / (error * error));
    }
    return (dossier_value){trend_slope(&line), weighted ? trend_ci95(&line) : NAN};
}

static bool scaling_trace(scaling_family *f, pool *memory) {
    size_t selectors = 0;
    for (size_t i = 0; i < f->member_count; i++) selectors += f->members[i].dossier->selector_count;
    f->lines = pool_array(memory, selectors, sizeof *f->lines);
    if (f->lines == NULL || !add_lines(f, false, memory) || !add_lines(f, true, memory)) return false;
    for (size_t i = 0; i < f->line_count; i++)
        f->lines[i].exponent = scaling_fit(f->members, f->lines[i].regret, f->member_count);
    return true;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

scaling *scaling_make(const dossier *const *dossiers, size_t count, pool *memory) {
    scaling *s = pool_allocate(memory, sizeof *s);
    scaling_family *families = pool_array(memory, count, sizeof *families);
    if (families == NULL) return NULL;
    s->families = families;
    for (size_t i = 0; i < count; i++) {
        double size;
        size_t length = stem_length(dossiers[i]->name, &size);
        if (length == 0 || dossiers[i]->has_value || scaling_family_of(s, dossiers[i]) != NULL) continue;
        scaling_family f = {0};
        if (!scaling_gather(&f, dossiers + i, count - i, length, memory) || !scaling_trace(&f, memory)) return NULL;
        if (count_sizes(&f) >= MEMBERS_MIN && f.line_count > 0) s->families[s->family_count++] = f;
    }
    return s;
}

const scaling_family *scaling_family_of(const scaling *s, const dossier *r) {
    for (size_t i = 0; i < s->family_count; i++)
        for (size_t m = 0; m < s->families[i].member_count; m++)
            if (s->families[i].members[m].dossier == r) return &s->families[i];
    return NULL;
}

bool scaling_write(const scaling *s, const char *directory, FILE *messages) {
    draft d;
    if (!draft_open(&d, directory, "scaling.csv", messages)) return false;
    fputs("family,name,kind,share,exponent,exponent_ci95,points\n", d.stream);
    for (size_t i = 0; i < s->family_count; i++)
        for (size_t l = 0; l < s->families[i].line_count; l++) {
            const scaling_line *line = &s->families[i].lines[l];
            fprintf(d.stream, "%s,", s->families[i].stem);
            text_put_field(d.stream, line->name);
            fputc(',', d.stream);
            text_put_field(d.stream, line->kind);
            fprintf(d.stream, ",%s,", line->shares ? "true" : "false");
            dossier_put_value(d.stream, line->exponent, ',');
            fprintf(d.stream, "%zu\n", line->points);
        }
    return draft_finish(&d, true, messages);
}
