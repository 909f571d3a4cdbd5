#include "experiment/hdf5.h"

#include <errno.h>
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RANK 3
#define ROW_CHUNK 1024 /* runs in a chunk of what has one number per run */
#define CURVE_CHUNK 16 /* and of curves, at least: beginning to compress a chunk has its price */

struct hdf5_file {
    const agenda *agenda;
    sheet shape; /* where a sheet has its numbers */
    hid_t file;
    hid_t final_regret, final_optimal, plays, inside, coefficient, clipped, regret, optimal, choices;
    bool whole; /* nothing has failed so far */
};

/* ------------------------------------------- the library, in short ----------------------------------------- */

static void check(hdf5_file *f, herr_t status) {
    if (status < 0) f->whole = false;
}

static hid_t checked(hdf5_file *f, hid_t id) {
    if (id < 0) f->whole = false;
    return id;
}

/* A dataset [outer x runs x inner], cut into chunks of so many runs of one outer index, compressed if possible. */
static hid_t create(hdf5_file *f, const char *name, hid_t type, const hsize_t size[RANK], hsize_t chunk_runs) {
    hsize_t chunk[RANK] = {1, chunk_runs < size[1] ? chunk_runs : size[1], size[2]};
    int rank = size[2] > 0 ? RANK : RANK - 1;
    hid_t space = checked(f, H5Screate_simple(rank, size, NULL));
    hid_t how = checked(f, H5Pcreate(H5P_DATASET_CREATE)), access = checked(f, H5Pcreate(H5P_DATASET_ACCESS));
    check(f, H5Pset_chunk(how, rank, chunk));
    check(f, H5Pset_obj_track_times(how, false));         /* the same results are the same bytes */
    check(f, H5Pset_fill_time(how, H5D_FILL_TIME_NEVER)); /* every number will be written */
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        check(f, H5Pset_shuffle(how));
        check(f, H5Pset_deflate(how, 1));
    }
    /* The chunks that a block writes to stay in memory until they are full. */
    size_t bytes = (size_t)(chunk[1] * (size[2] > 0 ? size[2] : 1)) * H5Tget_size(type);
    check(f, H5Pset_chunk_cache(access, 521, bytes * (size_t)size[0], 1.0));
    hid_t set = checked(f, H5Dcreate2(f->file, name, type, space, H5P_DEFAULT, how, access));
    H5Pclose(access);
    H5Pclose(how);
    H5Sclose(space);
    return set;
}

/*
 * Writes, for each outer index o, the runs `first`.. of a dataset from memory where run r, index o begins at
 * data[r * stride + offset + o * inner].
 */
typedef struct source {
    const void *data;
    hid_t type;
    size_t stride, offset;
} source;

static void write_runs(hdf5_file *f, hid_t set, source from, const block *b, hsize_t outer, hsize_t inner) {
    if (outer == 0) return; /* an experiment without selectors has no such dataset */
    hsize_t width = inner > 0 ? inner : 1, memory_size[2] = {b->count, from.stride};
    hid_t memory = checked(f, H5Screate_simple(2, memory_size, NULL)), file = checked(f, H5Dget_space(set));
    for (hsize_t o = 0; o < outer && f->whole; o++) {
        hsize_t from_start[2] = {0, from.offset + o * width}, from_count[2] = {b->count, width};
        hsize_t to_start[RANK] = {o, b->first, 0}, to_count[RANK] = {1, b->count, width};
        check(f, H5Sselect_hyperslab(memory, H5S_SELECT_SET, from_start, NULL, from_count, NULL));
        check(f, H5Sselect_hyperslab(file, H5S_SELECT_SET, to_start, NULL, to_count, NULL));
        check(f, H5Dwrite(set, from.type, memory, file, H5P_DEFAULT, from.data));
    }
    H5Sclose(file);
    H5Sclose(memory);
}

/* A whole dataset at once, columns running fastest; no columns: a list of rows; no rows: a scalar. */
static void write_table(hdf5_file *f, hid_t where, const char *name, hid_t type, const hsize_t size[2],
                        const void *data) {
    hid_t how = checked(f, H5Pcreate(H5P_DATASET_CREATE));
    check(f, H5Pset_obj_track_times(how, false));
    hid_t space = checked(f, size[0] > 0 ? H5Screate_simple(size[1] > 0 ? 2 : 1, size, NULL) : H5Screate(H5S_SCALAR));
    hid_t set = checked(f, H5Dcreate2(where, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT));
    if (f->whole) check(f, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(how);
}

static void write_whole(hdf5_file *f, hid_t where, const char *name, hid_t type, size_t count, const void *data) {
    write_table(f, where, name, type, (hsize_t[]){count, 0}, data);
}

static hid_t text_type(hdf5_file *f) {
    hid_t type = checked(f, H5Tcopy(H5T_C_S1));
    check(f, H5Tset_size(type, H5T_VARIABLE));
    check(f, H5Tset_cset(type, H5T_CSET_UTF8));
    return type;
}

static void write_texts(hdf5_file *f, const char *name, size_t count, const char *const *texts) {
    hid_t type = text_type(f);
    write_whole(f, f->file, name, type, count, texts);
    H5Tclose(type);
}

static void note(hdf5_file *f, const char *name, hid_t type, const void *value) {
    hid_t space = checked(f, H5Screate(H5S_SCALAR));
    hid_t attribute = checked(f, H5Acreate2(f->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    if (f->whole) check(f, H5Awrite(attribute, type, value));
    H5Aclose(attribute);
    H5Sclose(space);
}

static void note_text(hdf5_file *f, const char *name, const char *text) {
    hid_t type = text_type(f);
    note(f, name, type, &text);
    H5Tclose(type);
}

static void note_count(hdf5_file *f, const char *name, uint64_t count) {
    note(f, name, H5T_NATIVE_UINT64, &count);
}

/* ------------------------------------------------ what is written ------------------------------------------ */

static void write_names(hdf5_file *f) {
    const agenda *a = f->agenda;
    const experiment *e = a->experiment;
    size_t most = (size_t)(a->competitors > a->learners ? a->competitors : a->learners);
    const char **texts = calloc(most, sizeof *texts);
    if (texts == NULL) {
        f->whole = false;
        return;
    }
    for (int c = 0; c < a->competitors; c++) texts[c] = a->competitor[c].name;
    write_texts(f, "competitors", (size_t)a->competitors, texts);
    for (int c = 0; c < a->competitors; c++) texts[c] = competitor_role_name(a->competitor[c].role);
    write_texts(f, "roles", (size_t)a->competitors, texts);
    for (int c = 0; c < a->competitors; c++) texts[c] = a->competitor[c].kind;
    write_texts(f, "kinds", (size_t)a->competitors, texts);
    for (int m = 0; m < a->learners; m++) texts[m] = e->learners[m].name;
    write_texts(f, "learners", (size_t)a->learners, texts);
    texts[0] = e->source != NULL ? e->source : "";
    write_texts(f, "experiment", 0, texts);
    free(texts);
}

/* For each selector the places of the learners it plays, in its order, and -1 in what is left of the row. */
static void write_teams(hdf5_file *f) {
    const agenda *a = f->agenda;
    size_t selectors = (size_t)a->selectors, learners = (size_t)a->learners;
    if (selectors == 0) return;
    int *places = malloc(selectors * learners * sizeof *places);
    if (places == NULL) {
        f->whole = false;
        return;
    }
    for (size_t s = 0; s < selectors; s++) {
        selector_team team = a->experiment->teams[s];
        for (int k = 0; k < a->learners; k++) places[s * learners + (size_t)k] = k < team.count ? team.learners[k] : -1;
    }
    write_table(f, f->file, "teams", H5T_NATIVE_INT, (hsize_t[]){selectors, learners}, places);
    free(places);
}

static void write_notes(hdf5_file *f) {
    const experiment *e = f->agenda->experiment;
    note_text(f, "posse", posse_version());
    note_text(f, "name", e->name);
    note_text(f, "title", e->title);
    note_count(f, "seed", e->seed);
    note_count(f, "runs", e->runs);
    note_count(f, "rounds", e->rounds);
    note_count(f, "block", f->agenda->block_runs);
    note_count(f, "curve_runs", f->agenda->curve_runs);
}

static void create_runs(hdf5_file *f) {
    const agenda *a = f->agenda;
    hsize_t competitors = (hsize_t)a->competitors, selectors = (hsize_t)a->selectors, points = (hsize_t)a->point_count;
    hsize_t runs = a->experiment->runs, learners = (hsize_t)a->learners, curves = a->curve_runs;
    const hsize_t finals[RANK] = {competitors, runs, 0}, places[RANK] = {selectors, runs, learners};
    const hsize_t curve[RANK] = {competitors, curves, points}, choice[RANK] = {selectors, curves, points};
    hsize_t chunk = a->block_runs > CURVE_CHUNK ? a->block_runs : CURVE_CHUNK;
    f->final_regret = create(f, "final_regret", H5T_NATIVE_DOUBLE, finals, ROW_CHUNK);
    f->regret = create(f, "regret_curve", H5T_NATIVE_DOUBLE, curve, chunk);
    if (a->arms > 0) {
        f->final_optimal = create(f, "final_optimal", H5T_NATIVE_DOUBLE, finals, ROW_CHUNK);
        f->optimal = create(f, "optimal_curve", H5T_NATIVE_UINT8, curve, chunk);
    }
    if (a->selectors == 0) return;
    f->plays = create(f, "learner_plays", H5T_NATIVE_DOUBLE, places, ROW_CHUNK);
    f->inside = create(f, "learner_regret", H5T_NATIVE_DOUBLE, places, ROW_CHUNK);
    f->coefficient = create(f, "learner_coefficient", H5T_NATIVE_DOUBLE, places, ROW_CHUNK);
    if (a->ranges > 0)
        f->clipped = create(f, "clipped", H5T_NATIVE_DOUBLE, (hsize_t[RANK]){selectors, runs, 0}, ROW_CHUNK);
    f->choices = create(f, "choices", H5T_NATIVE_UINT16, choice, chunk);
}

hdf5_file *hdf5_open(const char *path, const agenda *a) {
    H5dont_atexit(); /* after a full disk its farewell would fail once more, in words of its own */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hdf5_file *f = calloc(1, sizeof *f);
    if (f == NULL) return NULL;
    f->agenda = a;
    f->whole = sheet_open(&f->shape, a);
    f->final_regret = f->final_optimal = f->plays = f->inside = f->coefficient = H5I_INVALID_HID;
    f->clipped = f->regret = f->optimal = f->choices = H5I_INVALID_HID;
    errno = 0;
    f->file = checked(f, H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    if (f->whole) {
        write_notes(f);
        write_names(f);
        write_teams(f);
        write_whole(f, f->file, "rounds", H5T_NATIVE_UINT64, (size_t)a->point_count, a->points);
        create_runs(f);
    }
    if (f->whole) return f;
    hdf5_close(f, NULL);
    return NULL;
}

static source head(const hdf5_file *f, const block *b, const double *place) {
    return (source){b->heads, H5T_NATIVE_DOUBLE, f->shape.head_count, (size_t)(place - f->shape.numbers)};
}

bool hdf5_take(hdf5_file *f, const block *b) {
    const agenda *a = f->agenda;
    hsize_t competitors = (hsize_t)a->competitors, selectors = (hsize_t)a->selectors, points = (hsize_t)a->point_count;
    hsize_t learners = (hsize_t)a->learners;
    size_t curve = (size_t)(competitors * points), choice = (size_t)(selectors * points);
    errno = 0;
    write_runs(f, f->final_regret, head(f, b, f->shape.final_regret), b, competitors, 0);
    if (a->arms > 0) write_runs(f, f->final_optimal, head(f, b, f->shape.final_optimal), b, competitors, 0);
    write_runs(f, f->plays, head(f, b, f->shape.plays), b, selectors, learners);
    write_runs(f, f->inside, head(f, b, f->shape.inside), b, selectors, learners);
    write_runs(f, f->coefficient, head(f, b, f->shape.coefficient), b, selectors, learners);
    if (a->ranges > 0) write_runs(f, f->clipped, head(f, b, f->shape.clipped), b, selectors, 0);
    if (!b->curves) return f->whole;
    write_runs(f, f->regret, (source){b->regret, H5T_NATIVE_DOUBLE, curve, 0}, b, competitors, points);
    if (a->arms > 0)
        write_runs(f, f->optimal, (source){b->optimal, H5T_NATIVE_UINT8, curve, 0}, b, competitors, points);
    write_runs(f, f->choices, (source){b->choice, H5T_NATIVE_UINT16, choice, 0}, b, selectors, points);
    return f->whole;
}

/* The means or the half-widths of every competitor. */
static void write_estimates(hdf5_file *f, hid_t where, const char *name, const estimate *estimates, bool ci95) {
    size_t count = (size_t)f->agenda->competitors;
    double *numbers = calloc(count, sizeof *numbers);
    if (numbers == NULL) {
        f->whole = false;
        return;
    }
    for (size_t c = 0; c < count; c++) numbers[c] = ci95 ? estimates[c].ci95 : estimates[c].mean;
    write_whole(f, where, name, H5T_NATIVE_DOUBLE, count, numbers);
    free(numbers);
}

static void write_results(hdf5_file *f, const results *r) {
    hid_t summary = checked(f, H5Gcreate2(f->file, "summary", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    write_estimates(f, summary, "regret", r->regret, false);
    write_estimates(f, summary, "regret_ci95", r->regret, true);
    if (f->agenda->arms > 0) {
        write_estimates(f, summary, "optimal_rate", r->optimal, false);
        write_estimates(f, summary, "optimal_ci95", r->optimal, true);
    }
    check(f, H5Gclose(summary));
    size_t selectors = (size_t)f->agenda->selectors;
    if (selectors > 0) {
        hid_t guarantee = checked(f, H5Gcreate2(f->file, "guarantee", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        write_whole(f, guarantee, "d_star_largest", H5T_NATIVE_DOUBLE, selectors, r->d_star_largest);
        write_whole(f, guarantee, "d_star_95", H5T_NATIVE_DOUBLE, selectors, r->d_star_95);
        check(f, H5Gclose(guarantee));
    }
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)r->hash);
    note_text(f, "hash", hash);
}

bool hdf5_close(hdf5_file *f, const results *r) {
    if (f == NULL) return false;
    if (r != NULL && f->whole) write_results(f, r);
    const hid_t sets[] = {f->final_regret, f->final_optimal, f->plays,   f->inside, f->coefficient,
                          f->clipped,      f->regret,        f->optimal, f->choices};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (sets[i] >= 0) check(f, H5Dclose(sets[i]));
    if (f->file >= 0) check(f, H5Fclose(f->file));
    bool whole = f->whole;
    sheet_close(&f->shape);
    free(f);
    return whole;
}
