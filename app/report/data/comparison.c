/* SPDX-License-Identifier: MIT */
#include "report/data/comparison.h"

#include <math.h>
#include <string.h>

#include "common/text.h"
#include "report/data/draft.h"

enum { SELECTORS_MIN = 3 }; /* fewer selectors need no table */

const char *const comparison_verdicts[] = {"best", "tied", "loses", "unknown"};

/* ---- rows and columns -------------------------------------------------------------------------------------------- */

static void comparison_add_row(comparison *c, const dossier_competitor *who) {
    for (size_t i = 0; i < c->row_count; i++)
        if (c->rows[i].shares == who->shares && strcmp(c->rows[i].name, who->name) == 0) return;
    c->rows[c->row_count++] = (comparison_row){.name = who->name, .kind = who->kind, .shares = who->shares};
}

/* Adds one group of selectors, in the order in which the files name them. */
static void comparison_add_rows(comparison *c, bool shares) {
    for (size_t e = 0; e < c->experiment_count; e++)
        for (size_t s = 0; s < c->experiments[e]->selector_count; s++)
            if (c->experiments[e]->competitors[s].shares == shares)
                comparison_add_row(c, &c->experiments[e]->competitors[s]);
}

/* ---- verdicts ---------------------------------------------------------------------------------------------------- */

static const dossier_competitor *comparison_find(const dossier *r, const comparison_row *row) {
    for (size_t s = 0; s < r->selector_count; s++)
        if (r->competitors[s].shares == row->shares && strcmp(r->competitors[s].name, row->name) == 0)
            return &r->competitors[s];
    return NULL;
}

static const dossier_competitor *best_of(const dossier *r, bool shares) {
    const dossier_competitor *best = NULL;
    for (size_t s = 0; s < r->selector_count; s++) {
        const dossier_competitor *one = &r->competitors[s];
        if (one->shares == shares && (best == NULL || one->regret.mean < best->regret.mean)) best = one;
    }
    return best;
}

static comparison_cell comparison_judge(const dossier *r, const comparison_row *row) {
    comparison_cell cell = {.who = comparison_find(r, row), .best = best_of(r, row->shares)};
    if (cell.who == NULL || cell.who == cell.best) return cell;
    cell.difference = dossier_difference(r, cell.who->name, cell.best->name);
    if (isnan(cell.difference.ci95))
        cell.verdict = COMPARISON_UNKNOWN;
    else
        cell.verdict = cell.difference.mean > cell.difference.ci95 ? COMPARISON_LOSES : COMPARISON_TIED;
    return cell;
}

static void comparison_fill(comparison *c) {
    for (size_t i = 0; i < c->row_count; i++)
        for (size_t e = 0; e < c->experiment_count; e++) {
            comparison_cell cell = c->cells[i * c->experiment_count + e] =
                comparison_judge(c->experiments[e], &c->rows[i]);
            c->rows[i].met += cell.who != NULL;
            c->rows[i].wins += cell.who != NULL && comparison_wins(&cell);
        }
}

bool comparison_make(comparison *c, const dossier *const *dossiers, size_t count, pool *memory) {
    size_t selectors = 0;
    *c = (comparison){.experiments = pool_array(memory, count, sizeof *c->experiments)};
    if (c->experiments == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        if (dossiers[i]->selector_count < SELECTORS_MIN || dossiers[i]->has_value) continue; /* no regret to compare */
        c->experiments[c->experiment_count++] = dossiers[i];
        selectors += dossiers[i]->selector_count;
    }
    c->rows = pool_array(memory, selectors, sizeof *c->rows);
    if (c->rows == NULL) return false;
    comparison_add_rows(c, false);
    comparison_add_rows(c, true);
    c->cells = pool_array(memory, c->row_count * c->experiment_count, sizeof *c->cells);
    if (c->cells == NULL) return false;
    comparison_fill(c);
    return true;
}

/* ---- comparison.csv ---------------------------------------------------------------------------------------------- */

static void put_cell(FILE *out, const dossier *r, const comparison_cell *cell) {
    text_put_field(out, r->name);
    fprintf(out, ",%s,", cell->who->shares ? "true" : "false");
    text_put_field(out, cell->who->name);
    fputc(',', out);
    text_put_field(out, cell->who->kind);
    fputc(',', out);
    dossier_put_value(out, cell->who->regret, ',');
    text_put_field(out, cell->best->name);
    fputc(',', out);
    dossier_put_value(out, cell->difference, ',');
    fprintf(out, "%s\n", comparison_verdicts[cell->verdict]);
}

bool comparison_write(const comparison *c, const char *directory, FILE *messages) {
    draft d;
    if (!draft_open(&d, directory, "comparison.csv", messages)) return false;
    fputs("experiment,share,name,kind,regret,regret_ci95,best,difference,difference_ci95,verdict\n", d.stream);
    for (size_t e = 0; e < c->experiment_count; e++)
        for (size_t i = 0; i < c->row_count; i++)
            if (comparison_at(c, i, e)->who != NULL) put_cell(d.stream, c->experiments[e], comparison_at(c, i, e));
    return draft_finish(&d, true, messages);
}
