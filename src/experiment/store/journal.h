/*
 * What an experiment has finished so far, on disk, so that a run that was killed goes on where it was and ends with the
 * same bytes. In the unfinished folder (folder.h) it has
 *
 *     key     what it belongs to (key.h)
 *     runs    a record per block, in order: the rows of its runs, their packed curves where results.h5 keeps
 *             them, and a checksum of the file up to here
 *     state   the statistics of the first so many blocks, half a second old at most; replaced as a whole
 *     safe    an older one that has reached the disk together with its runs: what remains if the machine goes down
 *
 * The state has what cannot be had from the runs again, and the runs have what would make the state grow with them.
 */
#ifndef POSSE_STORE_JOURNAL_H
#define POSSE_STORE_JOURNAL_H

#include "experiment/record/statistics.h"

typedef struct journal journal;

/*
 * Opens the journal in a folder: one to go on with if the key is that of what lies there and all is well with it, a new
 * one if not, or if it shall be fresh. To be closed with journal_close. NULL with errno set; what lay there and could
 * not be read lies there still.
 */
journal *journal_open(const char *folder, const agenda *a, const char *key, bool fresh);

/* Why what lay there is not gone on with, in words that follow "leftovers"; NULL: it is, or nothing lay there. */
const char *journal_refusal(const journal *j);

/* What went wrong, as an errno, once something did. */
int journal_error(const journal *j);

/* Blocks that a run after this one would not have to play again. */
uint32_t journal_kept(const journal *j);

/*
 * Tells statistics, which are empty, and `take` of the blocks that are kept, in order; `scratch` is a block to read
 * into, of whose numbers only the rows are filled in. False: see journal_error; or `take` said so.
 */
bool journal_replay(journal *j, statistics *s, block *scratch, bool (*take)(void *context, const block *b),
                    void *context);

/* Writes the next block down, before the statistics take it. False: see journal_error; then they must not. */
bool journal_take(journal *j, const block *b);

/* Brings the state up to date: now, at the end, good or bad; or if it is time to. False: see journal_error. */
bool journal_save(journal *j, const statistics *s);
bool journal_save_if_due(journal *j, const statistics *s);

/* Closes the journal; its files stay only if they are to be kept and there is a block in them. Keeps errno. */
void journal_close(journal *j, bool keep);

/* Removes the files of a journal. */
void journal_forget(const char *folder);

#endif
