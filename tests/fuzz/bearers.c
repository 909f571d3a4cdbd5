/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of token files. Whatever the bytes, it returns rights or a message with the line. A token that is
 * not in the file has no rights.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "serve/bearers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[40], why[300] = "";
    uint8_t hash[SHA256_BYTES];
    int file = memfd_create("tokens", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    bearers *b = bearers_read(path, why);
    bearers_hash("nobody has this token", 21, hash);
    if ((b == NULL) != (why[0] != '\0')) abort();
    bearer nobody = b != NULL ? bearers_find(b, hash) : (bearer){0};
    if (nobody.count > 0 || bearer_roles(&nobody, "ads") != 0) abort();
    bearers_free(b);
    close(file);
    return 0;
}
