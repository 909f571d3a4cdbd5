/* SPDX-License-Identifier: MIT */
/*
 * Help for tests of the object: a purse, a log that stores its messages, and saved states.
 */
#ifndef KEEPING_H
#define KEEPING_H

#include "law.h"
#include "posse_all.h"
#include "purse.h"

/* ---- a log that stores its messages ---- */

typedef struct notes {
    int count;
    char text[4096]; /* the messages, each ended by a newline */
} notes;

posse_logger notes_logger(notes *n);
void assert_noted(const notes *n, const char *excerpt);

/* ---- saved states ---- */

typedef struct saved {
    uint8_t *bytes;
    size_t length;
} saved;

#define SAVED_HEADER 32

saved saved_from(const posse *p);
void saved_drop(saved *s);
bool saved_equal(const saved *a, const saved *b);
/* Makes length and checksum right after the body was changed. */
void saved_seal(saved *s);
posse *saved_loaded(const saved *s); /* the test fails if it cannot be loaded */

/* Two posses save the same bytes, except for the description of their selectors. */
void assert_saved_alike(const posse *a, const posse *b);

/* `call` returns `error` and does not change what p saves. */
#define assert_refused(p, call, error)                                                                                 \
    do {                                                                                                               \
        saved before_ = saved_from(p);                                                                                 \
        posse_error error_ = (call);                                                                                   \
        saved after_ = saved_from(p);                                                                                  \
        bool same_ = saved_equal(&before_, &after_);                                                                   \
        saved_drop(&before_);                                                                                          \
        saved_drop(&after_);                                                                                           \
        assert_that(error_ == (error), "%s is %s", #call, posse_error_name(error_));                                   \
        assert_that(same_, "%s has changed something", #call);                                                         \
    } while (0)

#endif
