/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include "report/chart/prominence.h"
#include "report/draw/comparison_picture.h"
#include "report/draw/picture.h"
#include "report/draw/scaling_picture.h"
#include "report/page/front.h"
#include "report/page/page.h"
#include "report/page/prior_page.h"

static dossier *report_read(const char *directory, pool *memory, FILE *messages) {
    dossier *r = dossier_read(directory, memory, messages);
    if (r != NULL && !prominence_set(r)) pool_fail(memory);
    return r;
}

static bool report_has_memory(const pool *memory, const char *directory, FILE *messages) {
    if (pool_failed(memory)) fprintf(messages, "%s: there is no memory for its report\n", directory);
    return !pool_failed(memory);
}

int report_make(const char *directory, FILE *messages) {
    pool *memory = pool_create(NULL);
    dossier *r = report_read(directory, memory, messages);
    int status = r == NULL && !pool_failed(memory) ? REPORT_WRONG : REPORT_UNFINISHED;
    const charts *all = r != NULL ? charts_make(r, memory) : NULL;
    if (r != NULL && report_has_memory(memory, directory, messages)) {
        bool drawn = picture_make(all, directory, messages), made = page_make(r, all, directory, messages);
        if (drawn && made) status = REPORT_DONE;
    }
    dossier_free(r);
    pool_free(memory);
    return status;
}

/* ---- several experiments ----------------------------------------------------------------------------------------- */

/* What a front page shows of all experiments together. */
typedef struct report_overview {
    comparison compared; /* of the experiments that are in no family */
    const scaling *families;
    gallery_picture *pictures;
    size_t picture_count;
} report_overview;

static bool report_survey(report_overview *o, const dossier *const *dossiers, size_t count, pool *memory) {
    const dossier **rest = pool_array(memory, count, sizeof *rest);
    size_t rest_count = 0;
    o->families = scaling_make(dossiers, count, memory);
    if (rest == NULL || o->families == NULL) return false;
    for (size_t i = 0; i < count; i++)
        if (scaling_family_of(o->families, dossiers[i]) == NULL) rest[rest_count++] = dossiers[i];
    return comparison_make(&o->compared, rest, rest_count, memory);
}

static bool report_list_pictures(report_overview *o, pool *memory) {
    o->pictures = pool_array(memory, o->families->family_count + 1, sizeof *o->pictures);
    if (o->pictures == NULL) return false;
    if (o->compared.experiment_count > 0 && !comparison_picture(&o->compared, &o->pictures[o->picture_count++], memory))
        return false;
    for (size_t i = 0; i < o->families->family_count; i++)
        if (!scaling_picture(&o->families->families[i], &o->pictures[o->picture_count++], memory)) return false;
    return true;
}

/* Makes the tables, the pictures and the page about several experiments together. */
static bool report_make_front(const dossier *const *dossiers, const char *const *names, size_t count,
                              const char *directory, pool *memory, FILE *messages) {
    report_overview o = {0};
    if (!report_survey(&o, dossiers, count, memory) || !report_list_pictures(&o, memory))
        return report_has_memory(memory, directory, messages);
    return (o.compared.experiment_count == 0 || comparison_write(&o.compared, directory, messages)) &&
           (o.families->family_count == 0 || scaling_write(o.families, directory, messages)) &&
           (o.picture_count == 0 || gallery_make(o.pictures, o.picture_count, directory, messages)) &&
           front_make(dossiers, names, count, &o.compared, o.families, directory, memory, messages);
}

static int report_read_all(const char *directory, const char *const *names, int count, dossier **dossiers, pool *memory,
                           FILE *messages) {
    for (int i = 0; i < count; i++) {
        const char *path = pool_format(memory, "%s/%s", directory, names[i]);
        if (path != NULL) dossiers[i] = report_read(path, memory, messages);
        if (pool_failed(memory)) return REPORT_UNFINISHED;
        if (dossiers[i] == NULL) return REPORT_WRONG;
    }
    return REPORT_DONE;
}

int report_front(const char *directory, const char *const *names, int count, FILE *messages) {
    pool *memory = pool_create(NULL);
    dossier **dossiers = pool_array(memory, (size_t)count, sizeof *dossiers);
    int status =
        dossiers != NULL ? report_read_all(directory, names, count, dossiers, memory, messages) : REPORT_UNFINISHED;
    if (status == REPORT_UNFINISHED) report_has_memory(memory, directory, messages);
    if (status == REPORT_DONE &&
        !report_make_front((const dossier *const *)dossiers, names, (size_t)count, directory, memory, messages))
        status = REPORT_UNFINISHED;
    for (int i = 0; dossiers != NULL && i < count; i++) dossier_free(dossiers[i]);
    pool_free(memory);
    return status;
}

int report_prior_make(const report_prior *prior, const char *directory, const char *file, FILE *messages) {
    bool made = style_load() && prior_make(prior, directory, file, messages);
    return made ? REPORT_DONE : REPORT_UNFINISHED;
}
