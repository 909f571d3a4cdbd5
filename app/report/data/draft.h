/* SPDX-License-Identifier: MIT */
/*
 * Drafts (common/file.h) of the files of a report, with messages about what cannot be written.
 */
#ifndef REPORT_DATA_DRAFT_H
#define REPORT_DATA_DRAFT_H

#include "common/file.h"

typedef file_draft draft;

/*
 * Opens the draft of a file in a folder, and gives it its name, or removes it if it is not complete for lack of memory.
 * If they return false, the reason is in `messages`.
 */
bool draft_open(draft *d, const char *directory, const char *name, FILE *messages);
bool draft_finish(draft *d, bool complete, FILE *messages);

#endif
