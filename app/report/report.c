/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <stdlib.h>

#include "report/chart/prominence.h"
#include "report/data/heap.h"
#include "report/draw/comparison_picture.h"
#include "report/draw/picture.h"
#include "report/draw/scaling_picture.h"
#include "report/page/front.h"
#include "report/page/page.h"
#include "report/page/prior_page.h"

static record *report_read(const char *directory, FILE *messages) {
    record *r = record_read(directory, messages);
    if (r != NULL) prominence_set(r);
    return r;
}

int report_make(const char *directory, FILE *messages) {
    record *r = report_read(directory, messages);
    if (r == NULL) return REPORT_WRONG;
    charts *all = charts_make(r);
    bool drawn = picture_make(all, directory, messages);
    bool made = page_make(r, all, directory, messages);
    charts_free(all);
    record_free(r);
    return drawn && made ? REPORT_DONE : REPORT_UNFINISHED;
}

static bool draw_front(const comparison *c, const scaling *s, const char *directory, FILE *messages) {
    gallery_picture *pictures = heap_get(s->family_count + 1, sizeof *pictures);
    size_t count = 0;
    if (c != NULL) pictures[count++] = comparison_picture(c);
    for (size_t i = 0; i < s->family_count; i++) pictures[count++] = scaling_picture(&s->families[i]);
    bool drawn = count == 0 || gallery_make(pictures, count, directory, messages);
    free(pictures);
    return drawn;
}

/* Makes the tables, the pictures and the page about several experiments together. */
static bool report_make_front(const record *const *records, const char *const *names, size_t count,
                              const char *directory, FILE *messages) {
    const record **rest = heap_get(count, sizeof *rest); /* the records that are in no family */
    size_t rest_count = 0;
    scaling *s = scaling_make(records, count);
    for (size_t i = 0; i < count; i++)
        if (scaling_family_of(s, records[i]) == NULL) rest[rest_count++] = records[i];
    comparison *c = comparison_make(rest, rest_count);
    bool made = (c == NULL || comparison_write(c, directory, messages)) &&
                (s->family_count == 0 || scaling_write(s, directory, messages)) &&
                draw_front(c, s, directory, messages) && front_make(records, names, count, c, s, directory, messages);
    comparison_free(c);
    scaling_free(s);
    free(rest);
    return made;
}

int report_front(const char *directory, const char *const *names, int count, FILE *messages) {
    record **records = heap_get((size_t)count, sizeof *records);
    int status = REPORT_DONE;
    for (int i = 0; i < count && status == REPORT_DONE; i++) {
        char *path = heap_text("%s/%s", directory, names[i]);
        records[i] = report_read(path, messages);
        if (records[i] == NULL) status = REPORT_WRONG;
        free(path);
    }
    if (status == REPORT_DONE &&
        !report_make_front((const record *const *)records, names, (size_t)count, directory, messages))
        status = REPORT_UNFINISHED;
    for (int i = 0; i < count; i++) record_free(records[i]);
    free(records);
    return status;
}

int report_prior_make(const report_prior *prior, const char *directory, const char *file, FILE *messages) {
    return prior_make(prior, directory, file, messages) ? REPORT_DONE : REPORT_UNFINISHED;
}
