/* SPDX-License-Identifier: MIT */
#include "base/sort.h"

#include <stdbool.h>
#include <string.h>

#include "base/assert.h"

typedef struct heap {
    unsigned char *records;
    size_t size;
    int (*compare)(const void *a, const void *b);
} heap;

static unsigned char *record_at(const heap *h, size_t at) {
    return h->records + at * h->size;
}

static bool is_above(const heap *h, size_t one, size_t other) {
    return h->compare(record_at(h, one), record_at(h, other)) > 0;
}

static void sort_swap(const heap *h, size_t one, size_t other) {
    unsigned char *a = record_at(h, one), *b = record_at(h, other), held[64];
    for (size_t done = 0, part; done < h->size; done += part) {
        part = h->size - done < sizeof held ? h->size - done : sizeof held;
        memcpy(held, a + done, part);
        memcpy(a + done, b + done, part);
        memcpy(b + done, held, part);
    }
}

/* Moves the record at `at` down to where no record below it is larger. */
static void sort_sift(const heap *h, size_t at, size_t count) {
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_above(h, child + 1, child)) child++;
        if (!is_above(h, child, at)) return;
        sort_swap(h, at, child);
    }
}

/* Heapsort takes no memory, and no order of the input makes it slow. */
void sort_records(void *records, size_t count, size_t size, int (*compare)(const void *a, const void *b)) {
    heap h = {records, size, compare};
    for (size_t at = count / 2; at-- > 0;) sort_sift(&h, at, count);
    for (size_t last = count; last-- > 1;) {
        sort_swap(&h, 0, last);
        sort_sift(&h, 0, last);
    }
    for (size_t i = 1; i < count; i++) POSSE_ASSERT(!is_above(&h, i - 1, i));
}

int sort_place(const char *const *words, int count, const char *word, bool *known) {
    int low = 0, high = count;
    *known = false;
    while (low < high) {
        int middle = low + (high - low) / 2, order = strcmp(words[middle], word);
        if (order == 0) *known = true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
