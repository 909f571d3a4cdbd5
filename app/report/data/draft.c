/* SPDX-License-Identifier: MIT */
#include "report/data/draft.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"

static void draft_complain(const char *path, FILE *messages) {
    fprintf(messages, "%s: cannot be written: %s\n", path, strerror(errno));
}

bool draft_open(draft *d, const char *directory, const char *name, FILE *messages) {
    char *path = text_format("%s/%s", directory, name);
    bool opened = path != NULL && file_draft_open(d, path);
    if (!opened) draft_complain(path != NULL ? path : name, messages);
    free(path);
    return opened;
}

bool draft_finish(draft *d, bool complete, FILE *messages) {
    char path[PATH_MAX]; /* without the heap, which may be why the draft is not complete */
    snprintf(path, sizeof path, "%s", d->path);
    errno = ENOMEM;
    bool ok = file_draft_finish(d, complete);
    if (!ok) draft_complain(path, messages);
    return ok;
}
