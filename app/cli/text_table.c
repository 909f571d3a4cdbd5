/* SPDX-License-Identifier: MIT */
#include "cli/text_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/screen.h"
#include "common/text.h"

static void put_padded(FILE *out, const char *text, int width) {
    fprintf(out, "%s%*s", text, width - screen_columns(text), "");
}

static const char *text_table_colour(FILE *out, const char *code) {
    return screen_is_terminal(out) && getenv("NO_COLOR") == NULL ? code : "";
}

/* As many decimals as a number needs to have four significant digits. */
static int text_table_decimals(double x) {
    int count = 3;
    for (double size = fabs(x); size >= 10.0 && count > 0; size /= 10.0) count--;
    return count;
}

/* The mean regret of a task in the second half of the tasks, when most has been learned. */
static double late_regret(const results *r, int place) {
    int tasks = r->agenda->tasks, first = tasks / 2;
    double sum = 0.0;
    for (int task = first; task < tasks; task++) sum += r->task_regret[place * tasks + task].mean;
    return sum / (tasks - first);
}

static void print_competitors(FILE *out, const results *r) {
    const agenda *a = r->agenda;
    int width = 10, digits = 3;
    for (int c = 0; c < a->competitors; c++) {
        int name = screen_columns(a->competitor[c].name), needed = text_table_decimals(r->regret[c].mean);
        width = name > width ? name : width;
        digits = needed < digits ? needed : digits;
    }
    fprintf(out, "  %-*s %12s  %-10s %8s", width, "", a->logged ? "value" : "regret", "+- 95%",
            a->logged     ? "effective rounds"
            : a->arms > 0 ? "optimal"
                          : "");
    if (a->tasks > 1) fprintf(out, "  of a task in %d to %d", a->tasks / 2 + 1, a->tasks);
    fputc('\n', out);
    for (int c = 0; c < a->competitors; c++) {
        fprintf(out, "  ");
        put_padded(out, a->competitor[c].name, width);
        text_print(out, " %12.*f", digits, r->regret[c].mean);
        if (isnan(r->regret[c].ci95))
            fprintf(out, "  %-10s", "");
        else
            text_print(out, "  %-10.*f", digits, r->regret[c].ci95);
        if (a->arms > 0) text_print(out, " %7.1f%%", 100.0 * r->optimal[c].mean);
        if (a->logged) text_print(out, " %16.0f", r->effective[c]);
        if (a->tasks > 1) text_print(out, "%*s  %20.*f", a->arms > 0 ? 0 : 9, "", digits + 1, late_regret(r, c));
        fputc('\n', out);
    }
}

static void print_claims(FILE *out, const results *r) {
    static const char *const colours[] = {
        [CLAIM_HOLDS] = "\033[32m", [CLAIM_FAILS] = "\033[1;31m", [CLAIM_UNDECIDED] = "\033[33m"};
    const experiment *e = r->agenda->experiment;
    for (int i = 0; i < e->claim_count; i++) {
        claim_verdict verdict = r->claims[i].verdict;
        fprintf(out, "  %s%-9s%s  %s\n", text_table_colour(out, colours[verdict]), claim_verdict_name(verdict),
                text_table_colour(out, "\033[0m"), e->claims[i].says);
    }
}

void table_print(FILE *out, const results *r) {
    const experiment *e = r->agenda->experiment;
    fprintf(out, "%s%s%s (", text_table_colour(out, "\033[1m"), e->title, text_table_colour(out, "\033[0m"));
    if (r->agenda->tasks > 1) fprintf(out, "%d tasks of ", r->agenda->tasks);
    fprintf(out, "%" PRIu64 " rounds, %" PRIu32 " runs, seed %" PRIu64 ")\n", r->agenda->task_rounds, e->runs, e->seed);
    print_competitors(out, r);
    print_claims(out, r);
}
