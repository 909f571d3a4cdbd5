/* SPDX-License-Identifier: MIT */
#include "report/data/draft.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/data/heap.h"

static void draft_discard(draft *d, FILE *messages) {
    fprintf(messages, "%s: cannot be written: %s\n", d->path, strerror(errno));
    unlink(d->temporary);
}

bool draft_open(draft *d, const char *directory, const char *name, FILE *messages) {
    d->path = heap_text("%s/%s", directory, name);
    d->temporary = heap_text("%s.tmp", d->path);
    d->stream = fopen(d->temporary, "wb");
    if (d->stream != NULL) return true;
    draft_discard(d, messages);
    free(d->path);
    free(d->temporary);
    return false;
}

bool draft_finish(draft *d, FILE *messages) {
    bool failed = ferror(d->stream) != 0;
    failed |= fclose(d->stream) != 0; /* a full disk may show only here */
    bool ok = !failed && rename(d->temporary, d->path) == 0;
    if (!ok) draft_discard(d, messages);
    free(d->path);
    free(d->temporary);
    return ok;
}
