/* SPDX-License-Identifier: MIT */
#include "experiment/store/csv.h"

#include <inttypes.h>

#include "common/text.h"

/* ------------------------------------------------- fields -------------------------------------------------- */

static void put_estimate(FILE *out, estimate e, char after) {
    text_put_number(out, e.mean, ',');
    text_put_number(out, e.ci95, after);
}

static void put_place(FILE *out, const char *name, uint64_t round) {
    text_put_field(out, name);
    fprintf(out, ",%" PRIu64 ",", round);
}

/* -------------------------------------------------- rows --------------------------------------------------- */

/* Fields are in the order of common/tables.h. For a selector, the learners that it plays are listed, in its order. */
typedef void row_writer(FILE *out, const results *r);

static void write_summary(FILE *out, const results *r) {
    const agenda *a = r->agenda;
    for (int c = 0; c < a->competitors; c++) {
        const competitor *who = &a->competitor[c];
        text_put_field(out, who->name);
        fprintf(out, ",%s,%s,%" PRIu32 ",%" PRIu64 ",", competitor_role_name(who->role), who->kind, a->experiment->runs,
                a->experiment->rounds);
        put_estimate(out, r->regret[c], ',');
        if (a->logged)
            text_put_number(out, r->effective[c], '\n');
        else
            put_estimate(out, r->optimal[c], '\n');
    }
}

static void write_curves(FILE *out, const results *r) {
    const agenda *a = r->agenda;
    for (int c = 0; c < a->competitors; c++)
        for (int p = 0; p < a->point_count; p++) {
            size_t at = (size_t)c * (size_t)a->point_count + (size_t)p;
            put_place(out, a->competitor[c].name, a->points[p]);
            put_estimate(out, r->regret_curve[at], ',');
            if (a->logged)
                text_put_number(out, r->effective_curve[at], '\n');
            else
                put_estimate(out, r->optimal_curve[at], '\n');
        }
}

static void write_selection(FILE *out, const results *r) {
    const agenda *a = r->agenda;
    for (int s = 0; s < a->selectors; s++)
        for (int p = 0; p < a->point_count; p++)
            for (int k = 0; k < a->experiment->teams[s].count; k++) {
                int m = a->experiment->teams[s].learners[k];
                size_t place = (size_t)s * (size_t)a->point_count + (size_t)p;
                put_place(out, a->competitor[s].name, a->points[p]);
                text_put_field(out, a->experiment->learners[m].name);
                fputc(',', out);
                text_put_number(out, r->share[place * (size_t)a->learners + (size_t)m], '\n');
            }
}

static void write_learners(FILE *out, const results *r) {
    const agenda *a = r->agenda;
    for (int s = 0; s < a->selectors; s++)
        for (int k = 0; k < a->experiment->teams[s].count; k++) {
            int m = a->experiment->teams[s].learners[k], at = s * a->learners + m;
            text_put_field(out, a->competitor[s].name);
            fputc(',', out);
            text_put_field(out, a->experiment->learners[m].name);
            fputc(',', out);
            text_put_number(out, r->learner_plays[at], a->logged ? '\n' : ',');
            if (a->logged) continue;
            text_put_number(out, r->learner_regret[at], ',');
            text_put_number(out, r->learner_coefficient[at], '\n');
        }
}

static void write_matching(FILE *out, const results *r) {
    const agenda *a = r->agenda;
    for (int s = 0; s < a->selectors; s++)
        for (int q = 0; q < a->matching_count[s]; q++)
            for (int k = 0; k < a->experiment->teams[s].count; k++) {
                int m = a->experiment->teams[s].learners[k];
                int place = s * MATCHING_ROUNDS + q, at = place * a->learners + m;
                put_place(out, a->competitor[s].name, a->matching[place]);
                text_put_field(out, a->experiment->learners[m].name);
                fputc(',', out);
                text_put_number(out, r->matching_chosen[at], ',');
                text_put_number(out, r->matching_best[at], ',');
                text_put_number(out, r->matching_z[at], '\n');
            }
}

static void csv_write_pairs(FILE *out, const results *r) {
    const agenda *a = r->agenda;
    const estimate *pair = r->pairs;
    for (int i = 0; i < a->competitors; i++)
        for (int j = i + 1; j < a->competitors; j++) {
            text_put_field(out, a->competitor[i].name);
            fputc(',', out);
            text_put_field(out, a->competitor[j].name);
            fputc(',', out);
            put_estimate(out, *pair++, '\n');
        }
}

static void write_claims(FILE *out, const results *r) {
    const experiment *e = r->agenda->experiment;
    for (int i = 0; i < e->claim_count; i++) {
        text_put_field(out, e->claims[i].says);
        fputc(',', out);
        text_put_field(out, e->claims[i].holds);
        fprintf(out, ",%s,", claim_verdict_name(r->claims[i].verdict));
        text_put_number(out, r->claims[i].margin, ',');
        text_put_number(out, r->claims[i].ci95, '\n');
    }
}

static void write_tasks(FILE *out, const results *r) {
    const agenda *a = r->agenda;
    const estimate *regret = r->task_regret;
    for (int c = 0; c < a->competitors; c++)
        for (int task = 1; task <= a->tasks; task++) {
            put_place(out, a->competitor[c].name, (uint64_t)task);
            put_estimate(out, *regret++, '\n');
        }
}

static void write_header(FILE *out, const table_column *columns) {
    for (const table_column *c = columns; c->name != NULL; c++) fprintf(out, "%s%s", c > columns ? "," : "", c->name);
    fputc('\n', out);
}

void csv_write(FILE *out, table_id table, const results *r) {
    static row_writer *const write_rows[TABLE_COUNT] = {
        [TABLE_SUMMARY] = write_summary,   [TABLE_CURVES] = write_curves,     [TABLE_SELECTION] = write_selection,
        [TABLE_LEARNERS] = write_learners, [TABLE_MATCHING] = write_matching, [TABLE_PAIRS] = csv_write_pairs,
        [TABLE_CLAIMS] = write_claims,     [TABLE_TASKS] = write_tasks,
    };
    write_header(out, table_format_of(table, r->agenda->logged)->columns);
    write_rows[table](out, r);
}
