/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sync_file_range */
#include "experiment/store/hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/hands.h"
#include "experiment/record/curves.h"
#include "experiment/record/packer.h"
#include "experiment/store/hdf5_library.h"

#define RANK 3
#define ROW_CHUNK 1024 /* runs in a chunk of a dataset that is gathered run by run */

#ifndef H5_HAVE_FILTER_DEFLATE
#error "this HDF5 library was built without zlib, and could not read the chunks that are written"
#endif

/*
 * Whether chunks are packed. The regrets of runs are not, because packing would save an eighth of their bytes, and cost
 * the thread that takes blocks a third of its time.
 */
typedef enum packing { PLAIN, PACKED } packing;

/* A dataset with outer x inner numbers of every run. They are gathered until there are enough runs for a chunk. */
typedef struct row_set {
    hid_t set;
    packing packing;
    const double *place; /* in a sheet */
    size_t outer, inner;
    double *gathered[2];   /* outer x chunk x inner */
    unsigned char *packed; /* outer x packed_most bytes; NULL: it is not packed */
    size_t packed_most, *packed_size;
} row_set;

#define ROW_SETS 7

/*
 * There are two chunks of every dataset: while runs are gathered in one, threads pack the other. That one is written
 * when the next is full, or before curves are written. So the order of writing is that of a single thread.
 */
#define PACKERS 4            /* threads that pack, the one that takes blocks included */
#define PACKERS_PAY_CHUNKS 4 /* with fewer chunks, packing is not worth threads */
#define CHUNKS_TO_DISK 64    /* after this many chunks the kernel is asked to write them to the disk */

struct hdf5_file {
    const hdf5_library *h5;
    const agenda *agenda;
    sheet shape; /* where a sheet has its numbers */
    hid_t file;
    row_set rows[ROW_SETS];
    int row_sets;
    size_t row_chunk;    /* runs */
    int gathering;       /* which chunk of every dataset is being gathered */
    bool packing;        /* the other one is being packed, and has to be written */
    size_t packed_first; /* its first run */
    size_t waiting;      /* chunks that the kernel has not been asked to write to the disk */
    int descriptor;      /* of the file, for that; -1: it could not be opened */
    hands *hands;
    packer packers[PACKERS];
    hid_t curves[CURVE_KINDS];
    bool ok; /* nothing has failed so far */
};

/* ------------------------------------------- the library, in short ----------------------------------------- */

static void hdf5_check(hdf5_file *f, herr_t status) {
    if (status < 0) f->ok = false;
}

static hid_t hdf5_checked(hdf5_file *f, hid_t id) {
    if (id < 0) f->ok = false;
    return id;
}

/* A dataset [outer x runs x inner], cut into chunks of chunk_runs runs of one outer index. */
static hid_t hdf5_create(hdf5_file *f, const char *name, hid_t type, const hsize_t size[RANK], hsize_t chunk_runs,
                         packing how_packed) {
    hsize_t chunk[RANK] = {1, chunk_runs, size[2]};
    int rank = size[2] > 0 ? RANK : RANK - 1;
    hid_t space = hdf5_checked(f, f->h5->Screate_simple(rank, size, NULL)),
          how = hdf5_checked(f, f->h5->Pcreate(f->h5->DATASET_CREATE));
    hdf5_check(f, f->h5->Pset_chunk(how, rank, chunk));
    hdf5_check(f, f->h5->Pset_obj_track_times(how, false));         /* so that the same results are the same bytes */
    hdf5_check(f, f->h5->Pset_fill_time(how, H5D_FILL_TIME_NEVER)); /* every number will be written */
    if (how_packed == PACKED) {
        hdf5_check(f, f->h5->Pset_shuffle(how));
        hdf5_check(f, f->h5->Pset_deflate(how, 1));
    }
    hid_t set = hdf5_checked(f, f->h5->Dcreate2(f->file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT));
    f->h5->Pclose(how);
    f->h5->Sclose(space);
    return set;
}

/* Writes the chunk of an outer index that begins with run `first`. */
static void write_chunk(hdf5_file *f, hid_t set, hsize_t outer, hsize_t first, const void *chunk, size_t size) {
    const hsize_t at[RANK] = {outer, first, 0};
    if (f->ok) hdf5_check(f, f->h5->Dwrite_chunk(set, H5P_DEFAULT, 0, at, size, chunk));
}

/* Writes a dataset at once, rows x columns, columns running fastest; without columns it is a list, without rows a
 * scalar. */
static void write_table(hdf5_file *f, hid_t where, const char *name, hid_t type, const hsize_t size[2],
                        const void *data) {
    hid_t how = hdf5_checked(f, f->h5->Pcreate(f->h5->DATASET_CREATE));
    hdf5_check(f, f->h5->Pset_obj_track_times(how, false));
    hid_t space = hdf5_checked(f, size[0] > 0 ? f->h5->Screate_simple(size[1] > 0 ? 2 : 1, size, NULL)
                                              : f->h5->Screate(H5S_SCALAR));
    hid_t set = hdf5_checked(f, f->h5->Dcreate2(where, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT));
    if (f->ok) hdf5_check(f, f->h5->Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    f->h5->Dclose(set);
    f->h5->Sclose(space);
    f->h5->Pclose(how);
}

static void hdf5_write_whole(hdf5_file *f, hid_t where, const char *name, hid_t type, size_t count, const void *data) {
    write_table(f, where, name, type, (hsize_t[]){count, 0}, data);
}

static hid_t text_type(hdf5_file *f) {
    hid_t type = hdf5_checked(f, f->h5->Tcopy(f->h5->C_S1));
    hdf5_check(f, f->h5->Tset_size(type, H5T_VARIABLE));
    hdf5_check(f, f->h5->Tset_cset(type, H5T_CSET_UTF8));
    return type;
}

static void write_texts(hdf5_file *f, const char *name, size_t count, const char *const *texts) {
    hid_t type = text_type(f);
    hdf5_write_whole(f, f->file, name, type, count, texts);
    f->h5->Tclose(type);
}

static void hdf5_note(hdf5_file *f, const char *name, hid_t type, const void *value) {
    hid_t space = hdf5_checked(f, f->h5->Screate(H5S_SCALAR));
    hid_t attribute = hdf5_checked(f, f->h5->Acreate2(f->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    if (f->ok) hdf5_check(f, f->h5->Awrite(attribute, type, value));
    f->h5->Aclose(attribute);
    f->h5->Sclose(space);
}

static void note_text(hdf5_file *f, const char *name, const char *text) {
    hid_t type = text_type(f);
    hdf5_note(f, name, type, &text);
    f->h5->Tclose(type);
}

static void note_count(hdf5_file *f, const char *name, uint64_t count) {
    hdf5_note(f, name, f->h5->NATIVE_UINT64, &count);
}

/* ------------------------------------------------ what is written ------------------------------------------ */

static void hdf5_write_names(hdf5_file *f) {
    const agenda *a = f->agenda;
    const experiment *e = a->experiment;
    size_t most = (size_t)(a->competitors > a->learners ? a->competitors : a->learners);
    const char **texts = calloc(most, sizeof *texts);
    if (texts == NULL) {
        f->ok = false;
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

/* Writes for each selector the places of the learners it plays, in its order, and -1 in the rest of the row. */
static void write_teams(hdf5_file *f) {
    const agenda *a = f->agenda;
    size_t selectors = (size_t)a->selectors, learners = (size_t)a->learners;
    if (selectors == 0) return;
    int *places = malloc(selectors * learners * sizeof *places);
    if (places == NULL) {
        f->ok = false;
        return;
    }
    for (size_t s = 0; s < selectors; s++) {
        selector_team team = a->experiment->teams[s];
        for (int k = 0; k < a->learners; k++) places[s * learners + (size_t)k] = k < team.count ? team.learners[k] : -1;
    }
    write_table(f, f->file, "teams", f->h5->NATIVE_INT, (hsize_t[]){selectors, learners}, places);
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
    if (e->tasks > 1) note_count(f, "tasks", e->tasks);
    note_count(f, "block", f->agenda->block_runs);
    note_count(f, "curve_runs", f->agenda->curve_runs);
}

static void create_rows(hdf5_file *f, const char *name, packing how_packed, const double *place, int outer, int inner) {
    row_set *s = &f->rows[f->row_sets++];
    const hsize_t size[RANK] = {(hsize_t)outer, f->agenda->experiment->runs, (hsize_t)inner};
    *s = (row_set){
        .packing = how_packed, .place = place, .outer = (size_t)outer, .inner = inner > 0 ? (size_t)inner : 1};
    s->set = hdf5_create(f, name, f->h5->NATIVE_DOUBLE, size, f->row_chunk, how_packed);
    size_t numbers = f->row_chunk * s->inner;
    for (int i = 0; i < 2; i++) {
        s->gathered[i] = calloc(s->outer * numbers, sizeof *s->gathered[i]);
        if (s->gathered[i] == NULL) f->ok = false;
    }
    if (how_packed == PLAIN) return;
    s->packed_most = packer_bound(numbers * sizeof(double));
    s->packed = malloc(s->outer * s->packed_most);
    s->packed_size = calloc(s->outer, sizeof *s->packed_size);
    if (s->packed == NULL || s->packed_size == NULL) f->ok = false;
}

static void create_curves(hdf5_file *f, curve_kind kind, const char *name, hid_t type) {
    const agenda *a = f->agenda;
    const hsize_t size[RANK] = {curves_chunks(a, kind), a->curve_runs, (hsize_t)a->point_count};
    if (size[0] > 0) f->curves[kind] = hdf5_create(f, name, type, size, a->block_runs, PACKED);
}

static void open_packers(hdf5_file *f) {
    size_t most = f->row_chunk * (size_t)(f->agenda->selectors > 0 ? f->agenda->learners : 1) * sizeof(double);
    for (int i = 0; i < PACKERS; i++)
        if (!packer_open(&f->packers[i], most)) f->ok = false;
    if (f->agenda->experiment->runs / f->row_chunk >= PACKERS_PAY_CHUNKS) f->hands = hands_make(PACKERS - 1);
}

static void create_runs(hdf5_file *f) {
    const agenda *a = f->agenda;
    const sheet *shape = &f->shape;
    f->row_chunk = a->experiment->runs < ROW_CHUNK ? a->experiment->runs : ROW_CHUNK;
    create_rows(f, a->logged ? "final_value" : "final_regret", PLAIN, shape->final_regret, a->competitors, 0);
    create_curves(f, CURVE_REGRET, a->logged ? "value_curve" : "regret_curve", f->h5->NATIVE_DOUBLE);
    if (a->tasks > 1) create_rows(f, "task_regret", PLAIN, shape->task_regret, a->competitors, a->tasks);
    if (a->logged) create_rows(f, "effective_rounds", PLAIN, shape->effective, a->competitors, 0);
    if (a->arms > 0) create_rows(f, "final_optimal", PACKED, shape->final_optimal, a->competitors, 0);
    create_curves(f, CURVE_OPTIMAL, "optimal_curve", f->h5->NATIVE_UINT8);
    if (a->selectors > 0) create_rows(f, "learner_plays", PACKED, shape->plays, a->selectors, a->learners);
    if (a->selectors > 0 && !a->logged) {
        create_rows(f, "learner_regret", PLAIN, shape->learner_regret, a->selectors, a->learners);
        create_rows(f, "learner_coefficient", PLAIN, shape->coefficient, a->selectors, a->learners);
    }
    if (a->ranges > 0) create_rows(f, "clipped", PACKED, shape->clipped, a->selectors, 0);
    create_curves(f, CURVE_CHOICES, "choices", f->h5->NATIVE_UINT16);
    open_packers(f);
}

hdf5_file *hdf5_open(const char *path, const agenda *a) {
    const hdf5_library *h5 = hdf5_library_load();
    hdf5_file *f = h5 != NULL ? calloc(1, sizeof *f) : NULL;
    if (f == NULL) return NULL;
    f->h5 = h5;
    f->agenda = a;
    f->descriptor = -1;
    f->ok = sheet_open(&f->shape, a);
    for (curve_kind kind = 0; kind < CURVE_KINDS; kind++) f->curves[kind] = H5I_INVALID_HID;
    errno = 0;
    f->file = hdf5_checked(f, f->h5->Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    if (f->ok) {
        f->descriptor = open(path, O_RDONLY | O_CLOEXEC);
        write_notes(f);
        hdf5_write_names(f);
        write_teams(f);
        hdf5_write_whole(f, f->file, "rounds", f->h5->NATIVE_UINT64, (size_t)a->point_count, a->points);
        create_runs(f);
    }
    if (f->ok) return f;
    hdf5_close(f, NULL);
    return NULL;
}

/* The file will be synchronised when it is finished, which takes less time if most of it is already on the disk. */
static void start_writing(hdf5_file *f) {
    if (++f->waiting < CHUNKS_TO_DISK || f->descriptor < 0) return;
    f->waiting = 0;
    sync_file_range(f->descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

/* Packs every PACKERS-th part of the chunk, from the index-th on. Index PACKERS: writes what was packed before. */
static void pack_some(void *context, size_t index) {
    hdf5_file *f = context;
    size_t part = 0;
    if (index == PACKERS) {
        start_writing(f);
        return;
    }
    for (int i = 0; i < f->row_sets; i++) {
        const row_set *s = &f->rows[i];
        size_t numbers = f->row_chunk * s->inner;
        for (size_t o = 0; o < s->outer && s->packing == PACKED; o++)
            if (part++ % PACKERS == index)
                s->packed_size[o] = packer_pack(&f->packers[index], s->gathered[!f->gathering] + o * numbers,
                                                sizeof(double), numbers, s->packed + o * s->packed_most);
    }
}

static void write_rows(hdf5_file *f, const row_set *s) {
    size_t numbers = f->row_chunk * s->inner;
    for (size_t o = 0; o < s->outer; o++)
        if (s->packing == PACKED)
            write_chunk(f, s->set, o, f->packed_first, s->packed + o * s->packed_most, s->packed_size[o]);
        else
            write_chunk(f, s->set, o, f->packed_first, s->gathered[!f->gathering] + o * numbers,
                        numbers * sizeof(double));
}

/* Writes the chunk that is being packed, if there is one. */
static void finish_chunk(hdf5_file *f) {
    if (!f->packing) return;
    hands_finish(f->hands);
    f->packing = false;
    for (int i = 0; i < f->row_sets; i++) write_rows(f, &f->rows[i]);
}

/* `count` runs have been gathered, from run `first` on. Chunks have their full size in the file, so zeros follow. */
static void hdf5_pack_chunk(hdf5_file *f, size_t first, size_t count) {
    finish_chunk(f);
    for (int i = 0; i < f->row_sets; i++) {
        const row_set *s = &f->rows[i];
        double *end = s->gathered[f->gathering] + count * s->inner;
        for (size_t o = 0; o < s->outer; o++, end += f->row_chunk * s->inner)
            memset(end, 0, (f->row_chunk - count) * s->inner * sizeof *end);
    }
    f->packed_first = first;
    f->packing = true;
    f->gathering = !f->gathering;
    hands_begin(f->hands, PACKERS + 1, pack_some, f);
}

static void gather_row(hdf5_file *f, const row_set *s, size_t at, const double *head) {
    const double *from = head + (s->place - f->shape.numbers);
    double *to = s->gathered[f->gathering] + at * s->inner;
    for (size_t o = 0; o < s->outer; o++, to += f->row_chunk * s->inner, from += s->inner)
        memcpy(to, from, s->inner * sizeof *from);
}

static void hdf5_take_rows(hdf5_file *f, const block *b) {
    for (uint32_t run = b->first; run < b->first + b->count; run++) {
        size_t at = run % f->row_chunk;
        const double *head = b->heads + (run - b->first) * f->shape.head_count;
        for (int i = 0; i < f->row_sets; i++) gather_row(f, &f->rows[i], at, head);
        if (at + 1 == f->row_chunk || run + 1 == f->agenda->experiment->runs) hdf5_pack_chunk(f, run - at, at + 1);
    }
}

static void take_curves(hdf5_file *f, const block *b) {
    const uint32_t *size = b->chunk_sizes;
    const unsigned char *chunk = b->chunks;
    finish_chunk(f);
    for (curve_kind kind = 0; kind < CURVE_KINDS; kind++)
        for (size_t o = 0; o < curves_chunks(f->agenda, kind); o++) {
            write_chunk(f, f->curves[kind], o, b->first, chunk, *size);
            chunk += *size++;
        }
}

bool hdf5_take(hdf5_file *f, const block *b) {
    errno = 0;
    hdf5_take_rows(f, b);
    if (b->curves) take_curves(f, b);
    return f->ok;
}

/* The means or the half-widths of every competitor. */
static void write_estimates(hdf5_file *f, hid_t where, const char *name, const estimate *estimates, bool ci95) {
    size_t count = (size_t)f->agenda->competitors;
    double *numbers = calloc(count, sizeof *numbers);
    if (numbers == NULL) {
        f->ok = false;
        return;
    }
    for (size_t c = 0; c < count; c++) numbers[c] = ci95 ? estimates[c].ci95 : estimates[c].mean;
    hdf5_write_whole(f, where, name, f->h5->NATIVE_DOUBLE, count, numbers);
    free(numbers);
}

static void write_results(hdf5_file *f, const results *r) {
    hid_t summary = hdf5_checked(f, f->h5->Gcreate2(f->file, "summary", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    write_estimates(f, summary, f->agenda->logged ? "value" : "regret", r->regret, false);
    write_estimates(f, summary, f->agenda->logged ? "value_ci95" : "regret_ci95", r->regret, true);
    if (f->agenda->logged)
        hdf5_write_whole(f, summary, "effective_rounds", f->h5->NATIVE_DOUBLE, (size_t)f->agenda->competitors,
                         r->effective);
    if (f->agenda->arms > 0) {
        write_estimates(f, summary, "optimal_rate", r->optimal, false);
        write_estimates(f, summary, "optimal_ci95", r->optimal, true);
    }
    hdf5_check(f, f->h5->Gclose(summary));
    size_t selectors = (size_t)f->agenda->selectors;
    if (selectors > 0 && !f->agenda->logged) {
        hid_t guarantee = hdf5_checked(f, f->h5->Gcreate2(f->file, "guarantee", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        hdf5_write_whole(f, guarantee, "d_star_largest", f->h5->NATIVE_DOUBLE, selectors, r->d_star_largest);
        hdf5_write_whole(f, guarantee, "d_star_95", f->h5->NATIVE_DOUBLE, selectors, r->d_star_95);
        hdf5_check(f, f->h5->Gclose(guarantee));
    }
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)r->hash);
    note_text(f, "hash", hash);
}

static void close_rows(hdf5_file *f, row_set *s) {
    if (s->set >= 0) hdf5_check(f, f->h5->Dclose(s->set));
    free(s->gathered[0]);
    free(s->gathered[1]);
    free(s->packed);
    free(s->packed_size);
}

bool hdf5_close(hdf5_file *f, const results *r) {
    if (f == NULL) return false;
    finish_chunk(f);
    if (r != NULL && f->ok) write_results(f, r);
    for (int i = 0; i < f->row_sets; i++) close_rows(f, &f->rows[i]);
    for (curve_kind kind = 0; kind < CURVE_KINDS; kind++)
        if (f->curves[kind] >= 0) hdf5_check(f, f->h5->Dclose(f->curves[kind]));
    if (f->file >= 0) hdf5_check(f, f->h5->Fclose(f->file));
    bool ok = f->ok;
    hands_free(f->hands);
    if (f->descriptor >= 0) close(f->descriptor);
    for (int i = 0; i < PACKERS; i++) packer_close(&f->packers[i]);
    sheet_close(&f->shape);
    free(f);
    return ok;
}
