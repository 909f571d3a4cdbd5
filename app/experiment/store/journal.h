/* SPDX-License-Identifier: MIT */
/*
 * The journal stores on disk what an experiment has finished so far, so that an experiment that was killed continues
 * from there and ends with the same bytes. Its files are in the unfinished folder (folder.h):
 *
 *     key     what the journal belongs to (key.h)
 *     runs    a record per block, in order: the rows of its runs, and a checksum of the file up to here. If results.h5
 *             keeps the curves of the block, the record has whole heads in place of rows, and the packed curves
 *     state   the statistics of the first blocks, half a second old at most; it is replaced as a whole
 *     safe    an older state that has reached the disk together with its runs, so that it survives a crash of the
 *             machine
 *
 * The state has what cannot be computed from the runs again; the runs have what would make the state grow with them.
 * The state never covers a last block that is short, because a longer experiment would not have that block. So the
 * journal of a finished experiment, if it is kept, can be continued by one with more runs.
 */
#ifndef POSSE_EXPERIMENT_STORE_JOURNAL_H
#define POSSE_EXPERIMENT_STORE_JOURNAL_H

#include "experiment/record/statistics.h"

typedef struct journal journal;

/*
 * Opens the journal in a folder, to be closed with journal_close. If a journal with this key lies there undamaged, it
 * is continued; otherwise, and if `fresh` is set, a new one begins. NULL with errno set: a journal that could not be
 * read is still there.
 */
journal *journal_open(const char *folder, const agenda *a, const char *key, bool fresh);

/* Why an earlier journal is not continued, in words that follow "leftovers"; NULL: it is, or there was none. */
const char *journal_refusal(const journal *j);

/* What went wrong first, as an errno; 0: nothing. */
int journal_error(const journal *j);

/* How many blocks are saved, so that the next process need not play them again. */
uint32_t journal_kept(const journal *j);

/*
 * Restores statistics, which are empty or NULL, and gives the blocks that are kept to `take`, in order. `scratch` is a
 * block to read into, in which only the heads of the runs are filled in, or only their rows if it has no curves. False:
 * see journal_error; or `take` returned false.
 */
bool journal_replay(journal *j, statistics *s, block *scratch, bool (*take)(void *context, const block *b),
                    void *context);

/*
 * Writes the next blocks to disk, which the statistics take, too, before the state is saved next. A short last block
 * comes alone. False: see journal_error; the state is never saved again.
 */
bool journal_take(journal *j, const block *const *blocks, size_t count);

/*
 * journal_save saves the state at once. journal_save_if_due saves it only if the last one is old, or if the next block
 * is a short last one. False: see journal_error.
 */
bool journal_save(journal *j, const statistics *s);
bool journal_save_if_due(journal *j, const statistics *s);

/* Closes the journal. Its files stay only if `keep` is set and there is a block in them. Keeps errno. */
void journal_close(journal *j, bool keep);

/* Removes the files of a journal. */
void journal_forget(const char *folder);

/* The key of the journal in a folder, to be freed; NULL: there is none. */
char *journal_key(const char *folder);

/* Copies a journal to another folder, or to its own, with another key. False with errno set. */
bool journal_copy(const char *from, const char *to, const char *key);

/* Moves a journal to another folder, which is made if need be, and replaces the journal there. False with errno set. */
bool journal_move(const char *from, const char *to);

#endif
