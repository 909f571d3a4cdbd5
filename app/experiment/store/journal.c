/* SPDX-License-Identifier: MIT */
#include "experiment/store/journal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/file.h"
#include "common/fingerprint.h"
#include "common/text.h"
#include "experiment/record/curves.h"
#include "experiment/store/key.h"

#define SAVE_SECONDS 0.5         /* between states; a kill loses at most this time of play, and the blocks in play */
#define SYNC_SECONDS 30.0        /* between states that are also synchronised with the disk */
#define BUFFER ((size_t)1 << 20) /* many records at once, because small writes take the kernel longer */

static const char key_file_name[] = "key", runs_file[] = "runs", state_file[] = "state", safe_file[] = "safe";

/* A state file has this header, and then the statistics. */
typedef struct header {
    uint64_t checksum; /* of all that follows */
    uint64_t blocks;
    uint64_t chain; /* the checksum of the records of these blocks */
} header;

typedef struct state {
    header *header; /* NULL: there is no such file */
    size_t size;    /* of the header and what follows; 0: it is damaged */
    bool usable;
} state;

struct journal {
    const agenda *agenda;
    sheet shape; /* where a sheet has its numbers */
    char *folder;
    FILE *runs;
    char *buffer;   /* of that file */
    uint32_t taken; /* number of records before the current file position */
    uint64_t chain; /* the checksum of these records */
    uint32_t kept;  /* blocks that the newest state on disk covers */
    bool own;       /* the files belong to this journal, which may remove them */
    state state;    /* the state to be continued */
    char refusal[80];
    bool replayed;        /* the statistics have all blocks that are on disk */
    bool torn;            /* some blocks could not be written, which the statistics may have */
    double saved, synced; /* when a state was last saved, and last synchronised */
    int error;
};

/* -------------------------------------------------- files -------------------------------------------------- */

/*
 * The runs are the only file that is not a draft (common/file.h): records are appended to it, and its checksums show
 * how far it is complete.
 */
static FILE *journal_open_runs(const journal *j, const char *how) {
    char *path = text_format("%s/%s", j->folder, runs_file);
    FILE *file = path != NULL ? fopen(path, how) : NULL;
    free(path);
    return file;
}

static bool journal_open_draft(file_draft *d, const char *folder, const char *name) {
    char *path = text_format("%s/%s", folder, name);
    bool opened = path != NULL && file_draft_open(d, path);
    int kept = errno;
    free(path);
    errno = kept;
    return opened;
}

static void journal_remove_file(const char *folder, const char *name) {
    char *path = text_format("%s/%s", folder, name);
    if (path != NULL) unlink(path);
    free(path);
}

static const char *const names[] = {state_file, safe_file, runs_file, key_file_name};

/* Drafts too, which a killed process has left. That of version 0.2 was called "new". */
void journal_forget(const char *folder) {
    static const char *const drafts[] = {"state.tmp", "safe.tmp", "runs.tmp", "key.tmp", "new"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) journal_remove_file(folder, names[i]);
    for (size_t i = 0; i < sizeof drafts / sizeof drafts[0]; i++) journal_remove_file(folder, drafts[i]);
}

char *journal_key(const char *folder) {
    size_t size;
    char *path = text_format("%s/%s", folder, key_file_name);
    char *key = path != NULL ? file_read(path, FILE_ANY_SIZE, &size) : NULL;
    free(path);
    return key;
}

/* The key is written last, because a folder without a key has no journal. */
static bool journal_write_key(const char *folder, const char *key) {
    file_draft d;
    return journal_open_draft(&d, folder, key_file_name) && file_draft_hand_over(&d, fputs(key, d.stream) >= 0);
}

/* Copies a file, if it exists. */
static bool copy_named(const char *from, const char *to, const char *name) {
    char *source = text_format("%s/%s", from, name), *target = text_format("%s/%s", to, name);
    bool ok = source != NULL && target != NULL && (file_copy(source, target) || errno == ENOENT);
    int kept = errno;
    free(source);
    free(target);
    errno = kept;
    return ok;
}

bool journal_copy(const char *from, const char *to, const char *key) {
    bool ok = strcmp(from, to) == 0 ||
              (copy_named(from, to, runs_file) && copy_named(from, to, state_file) && copy_named(from, to, safe_file));
    return ok && journal_write_key(to, key);
}

bool journal_move(const char *from, const char *to) {
    if (mkdir(to, 0777) != 0 && errno != EEXIST) return false;
    journal_forget(to);
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof names / sizeof names[0]; i++)
        ok = file_move(from, to, names[i]) || errno == ENOENT;
    rmdir(to); /* succeeds only if there was nothing to move */
    return ok;
}

/* Reads a whole file. NULL with errno set: ENOENT if there is none. */
static void *journal_read_file(const journal *j, const char *name, size_t *size) {
    char *path = text_format("%s/%s", j->folder, name);
    void *bytes = path != NULL ? file_read(path, FILE_ANY_SIZE, size) : NULL;
    free(path);
    return bytes;
}

/* ------------------------------------------------- records ------------------------------------------------- */

/* Reads or writes one piece of a record. */
typedef bool piece_act(journal *j, void *piece, size_t size);

/* Calls `act` for every piece of the record of a block, until a call fails. */
static bool each_piece(journal *j, const block *b, piece_act *act) {
    size_t numbers = b->curves ? j->shape.head_count : j->shape.row_count;
    for (size_t i = 0; i < b->count; i++)
        if (!act(j, b->heads + i * j->shape.head_count, numbers * sizeof *b->heads)) return false;
    if (!b->curves) return true;
    if (!act(j, b->chunk_sizes, curves_count(j->agenda) * sizeof *b->chunk_sizes)) return false;
    size_t packed = block_packed(b, j->agenda);
    return packed != SIZE_MAX && act(j, b->chunks, packed);
}

static bool write_piece(journal *j, void *piece, size_t size) {
    j->chain = fingerprint_memory(j->chain, piece, size);
    return fwrite(piece, 1, size, j->runs) == size;
}

static bool read_piece(journal *j, void *piece, size_t size) {
    bool ok = fread(piece, 1, size, j->runs) == size;
    j->chain = fingerprint_memory(j->chain, piece, size);
    return ok;
}

/* Reads the next block. */
static bool read_record(journal *j, block *b) {
    uint64_t checksum;
    block_fill(b, j->agenda, j->taken);
    if (!each_piece(j, b, read_piece) || fread(&checksum, sizeof checksum, 1, j->runs) != 1) return false;
    if (checksum != j->chain) return false;
    j->taken++;
    return true;
}

/* To be called before anything is read or written. Without memory the file has a small buffer. */
static void widen_buffer(journal *j) {
    j->buffer = malloc(BUFFER);
    if (j->buffer != NULL) setvbuf(j->runs, j->buffer, _IOFBF, BUFFER);
}

static void rewind_runs(journal *j) {
    rewind(j->runs);
    j->taken = 0;
    j->chain = FINGERPRINT_START;
}

/* Cuts the file off at its position, where the next block will be written. */
static bool cut_runs(journal *j) {
    long here = ftell(j->runs);
    return here >= 0 && fseek(j->runs, here, SEEK_SET) == 0 && ftruncate(fileno(j->runs), here) == 0;
}

/* -------------------------------------------------- states ------------------------------------------------- */

static uint64_t checksum_of(const header *h, const void *content, size_t size) {
    uint64_t hash = fingerprint_word(fingerprint_word(FINGERPRINT_START, h->blocks), h->chain);
    return fingerprint_memory(hash, content, size);
}

/* False with errno set: the file exists and cannot be read. */
static bool journal_read_state(const journal *j, const char *name, state *s) {
    *s = (state){0};
    header *h = s->header = journal_read_file(j, name, &s->size);
    if (h == NULL) return errno == ENOENT;
    bool ok = s->size >= sizeof *h && h->checksum == checksum_of(h, h + 1, s->size - sizeof *h);
    if (!ok || h->blocks > j->agenda->blocks) s->size = 0; /* it exists, but is damaged */
    return true;
}

/* Reads the records and marks the states that agree with them as usable. False with errno set: they cannot be read. */
static bool journal_compare(journal *j, state *states, block *scratch) {
    uint64_t most = 0;
    for (int i = 0; i < 2; i++)
        if (states[i].size > 0 && states[i].header->blocks > most) most = states[i].header->blocks;
    rewind_runs(j);
    while (j->taken < most && read_record(j, scratch))
        for (int i = 0; i < 2; i++)
            if (states[i].size > 0 && states[i].header->blocks == j->taken)
                states[i].usable = states[i].header->chain == j->chain;
    return !ferror(j->runs);
}

/* Moves the later of the usable states from the list into the journal. */
static void journal_choose(journal *j, state *states) {
    bool there = states[0].header != NULL || states[1].header != NULL;
    int later = states[0].usable && (!states[1].usable || states[0].header->blocks > states[1].header->blocks) ? 0 : 1;
    if (states[later].usable) {
        j->state = states[later];
        j->kept = (uint32_t)j->state.header->blocks;
        states[later] = (state){0};
    } else if (there)
        snprintf(j->refusal, sizeof j->refusal, "that are damaged");
}

static bool choose_state(journal *j) {
    state states[2] = {{0}};
    block scratch = {0};
    bool readable = journal_read_state(j, state_file, &states[0]) && journal_read_state(j, safe_file, &states[1]) &&
                    block_open(&scratch, j->agenda, &j->shape) && journal_compare(j, states, &scratch);
    if (readable) journal_choose(j, states);
    int kept = errno;
    block_close(&scratch);
    for (int i = 0; i < 2; i++) free(states[i].header);
    errno = kept;
    return readable;
}

static bool journal_write_state(const journal *j, const statistics *s, FILE *out) {
    header h = {.blocks = j->taken, .chain = j->chain};
    size_t size;
    const void *content = statistics_state(s, &size);
    h.checksum = checksum_of(&h, content, size);
    return fwrite(&h, sizeof h, 1, out) == 1 && fwrite(content, 1, size, out) == size;
}

/* A state that is safe reaches the disk after the runs that it is about. */
static bool save_as(journal *j, const statistics *s, const char *name, bool sync) {
    file_draft d;
    if (!journal_open_draft(&d, j->folder, name)) return false;
    bool ok = journal_write_state(j, s, d.stream) && (!sync || file_sync_stream(j->runs));
    if (!(sync ? file_draft_finish(&d, ok) : file_draft_hand_over(&d, ok))) return false;
    j->kept = j->taken;
    return true;
}

/* ---------------------------------------------- opening, closing ------------------------------------------- */

/*
 * Looks at the journal that an earlier process left. If it is to be continued, j->kept is the number of its blocks.
 * False with errno set: it cannot be read, so it is not known whether it may be removed.
 */
static bool journal_look(journal *j, const char *key) {
    size_t size;
    char *other = journal_read_file(j, key_file_name, &size);
    if (other == NULL) return errno == ENOENT;
    const char *difference = key_difference(key, other);
    free(other);
    if (difference != NULL) {
        snprintf(j->refusal, sizeof j->refusal, "of %s", difference);
        return true;
    }
    j->runs = journal_open_runs(j, "r+b");
    if (j->runs == NULL) return errno == ENOENT;
    widen_buffer(j);
    return choose_state(j);
}

static void close_runs(journal *j) {
    if (j->runs != NULL) fclose(j->runs);
    free(j->buffer);
    j->buffer = NULL;
    j->runs = NULL;
}

static bool journal_begin(journal *j, const char *key) {
    close_runs(j);
    j->own = true;
    journal_forget(j->folder);
    j->runs = journal_write_key(j->folder, key) ? journal_open_runs(j, "w+b") : NULL;
    if (j->runs != NULL) widen_buffer(j);
    return j->runs != NULL;
}

journal *journal_open(const char *folder, const agenda *a, const char *key, bool fresh) {
    journal *j = calloc(1, sizeof *j);
    if (j == NULL) return NULL;
    j->agenda = a;
    j->folder = strdup(folder);
    bool ok = j->folder != NULL && sheet_open(&j->shape, a) && (fresh || journal_look(j, key));
    if (ok && j->kept == 0) ok = journal_begin(j, key);
    if (ok) {
        j->own = true;
        rewind_runs(j);
        j->saved = j->synced = clock_now();
        return j;
    }
    journal_close(j, false);
    return NULL;
}

const char *journal_refusal(const journal *j) {
    return j->refusal[0] != '\0' ? j->refusal : NULL;
}

int journal_error(const journal *j) {
    return j->error;
}

uint32_t journal_kept(const journal *j) {
    return j->kept;
}

void journal_close(journal *j, bool keep) {
    if (j == NULL) return;
    int kept = errno;
    close_runs(j);
    if (j->own && !(keep && j->kept > 0)) journal_forget(j->folder);
    sheet_close(&j->shape);
    free(j->state.header);
    free(j->folder);
    free(j);
    errno = kept;
}

/* -------------------------------------------------- blocks ------------------------------------------------- */

/* Keeps the first error, which is the one to be reported. */
static bool journal_checked(journal *j, bool ok) {
    if (!ok && j->error == 0) j->error = errno != 0 ? errno : EIO;
    return ok;
}

static bool journal_restore(journal *j, statistics *s) {
    bool ok = s == NULL || j->kept == 0 ||
              statistics_restore(s, j->state.header + 1, j->state.size - sizeof(header), j->kept);
    free(j->state.header);
    j->state = (state){0};
    return ok;
}

bool journal_replay(journal *j, statistics *s, block *scratch, bool (*take)(void *context, const block *b),
                    void *context) {
    errno = 0;
    if (!journal_checked(j, journal_restore(j, s))) return false;
    while (j->taken < j->kept) {
        if (!journal_checked(j, read_record(j, scratch))) return false;
        if (s != NULL) statistics_retake_rows(s, scratch);
        if (!take(context, scratch)) return false;
    }
    return j->replayed = journal_checked(j, cut_runs(j));
}

static bool write_record(journal *j, const block *b) {
    return each_piece(j, b, write_piece) && fwrite(&j->chain, sizeof j->chain, 1, j->runs) == 1;
}

/* Records that were not all written lie after the last one that counts, and the next process cuts them off. */
bool journal_take(journal *j, const block *const *blocks, size_t count) {
    uint64_t before = j->chain;
    bool written = true;
    errno = 0;
    for (size_t i = 0; i < count && written; i++) written = write_record(j, blocks[i]);
    if (!journal_checked(j, written && fflush(j->runs) == 0)) {
        j->chain = before;
        j->torn = true;
        return false;
    }
    j->taken += (uint32_t)count;
    return true;
}

/* Whether the first `blocks` blocks include the last one, and that is short. */
static bool has_short_block(const journal *j, uint32_t blocks) {
    return blocks == j->agenda->blocks && agenda_block_count(j->agenda, blocks - 1) < j->agenda->block_runs;
}

bool journal_save_if_due(journal *j, const statistics *s) {
    bool due = clock_now() - j->saved >= SAVE_SECONDS || has_short_block(j, j->taken + 1);
    return !due || journal_save(j, s);
}

bool journal_save(journal *j, const statistics *s) {
    if (j->torn) return false;
    if (!j->replayed || j->taken == j->kept || has_short_block(j, j->taken)) return j->replayed;
    bool sync = clock_now() - j->synced >= SYNC_SECONDS;
    errno = 0;
    bool ok = journal_checked(j, save_as(j, s, sync ? safe_file : state_file, sync));
    j->saved = clock_now();
    if (sync) j->synced = j->saved;
    return ok;
}
