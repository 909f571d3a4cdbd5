/* SPDX-License-Identifier: MIT */
/* Files that are read as a whole. */
#include "common/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "law.h"

/* A file in which the byte at i is i % 251, in `path`. */
static void write_pattern(char path[32], size_t size) {
    strcpy(path, "/tmp/posse-file-XXXXXX");
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *out = fdopen(descriptor, "wb");
    for (size_t i = 0; i < size; i++) fputc((int)(i % 251), out);
    assert_int_equal(fclose(out), 0);
}

static void expect_pattern(const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)bytes[i] != i % 251) fail_msg("byte %zu of %zu is another", i, size);
    assert_int_equal(bytes[size], 0);
}

LAW(files_are_read_up_to_a_bound) {
    static const size_t sizes[] = {0, 1, 4096, 65536, 65537, 300000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t bounds[] = {0, 1, sizes[i] > 0 ? sizes[i] - 1 : 0, sizes[i], sizes[i] + 1, FILE_ANY_SIZE};
        char path[32];
        write_pattern(path, sizes[i]);
        for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++) {
            size_t size = 0, expected = sizes[i] < bounds[k] ? sizes[i] : bounds[k];
            char *bytes = file_read(path, bounds[k], &size);
            assert_non_null(bytes);
            assert_int_equal(size, expected);
            expect_pattern(bytes, size);
            free(bytes);
        }
        unlink(path);
    }
}

/* As from a pipe: the size is unknown beforehand, and the bytes arrive in pieces. */
LAW(files_of_unknown_size_are_read) {
    char path[32], command[64];
    write_pattern(path, 200000);
    snprintf(command, sizeof command, "cat %s", path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fileno(pipe));
    size_t size;
    char *bytes = file_read(name, FILE_ANY_SIZE, &size);
    assert_non_null(bytes);
    assert_int_equal(size, 200000);
    expect_pattern(bytes, size);
    free(bytes);
    pclose(pipe);
    unlink(path);
}

LAW(unreadable_files_are_told_by_errno) {
    size_t size;
    assert_null(file_read("/tmp/posse-no-such-file", FILE_ANY_SIZE, &size));
    assert_int_equal(errno, ENOENT);
    assert_null(file_read("/tmp", FILE_ANY_SIZE, &size));
    assert_int_equal(errno, EISDIR);
}

LAW(folders_are_made_with_those_above) {
    char place[] = "/tmp/posse_folders_XXXXXX", path[60];
    bool made;
    assert_non_null(mkdtemp(place));
    snprintf(path, sizeof path, "%s/a/b", place);
    assert_true(file_make_folders(path, &made) && made);
    assert_true(file_make_folders(path, &made) && !made);
    assert_int_equal(rmdir(path), 0);
    path[strlen(path) - 2] = '\0';
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(place), 0);
    assert_false(file_make_folders("/dev/null/a", &made));
    assert_int_equal(errno, ENOTDIR);
    assert_false(file_make_folders("", &made));
}

/* A copy has all bytes, a moved file only its new place; nothing is left of a draft, nor of one that failed. */
LAW(files_are_copied_and_moved_as_a_whole) {
    char place[] = "/tmp/posse_copies_XXXXXX", path[32], copy[60], target[60], *bytes;
    size_t size;
    write_pattern(path, 200000);
    assert_non_null(mkdtemp(place));
    snprintf(copy, sizeof copy, "%s%s", place, path + strlen("/tmp"));
    assert_true(file_copy(path, copy));
    bytes = file_read(copy, FILE_ANY_SIZE, &size);
    assert_true(bytes != NULL && size == 200000);
    expect_pattern(bytes, size);
    free(bytes);
    assert_int_equal(unlink(path), 0);
    assert_true(file_move(place, "/tmp", path + strlen("/tmp/")));
    assert_true(access(path, F_OK) == 0 && access(copy, F_OK) != 0);
    assert_false(file_move(place, "/tmp", path + strlen("/tmp/")));
    assert_int_equal(errno, ENOENT);
    assert_false(file_copy(copy, path));
    assert_int_equal(errno, ENOENT);
    snprintf(target, sizeof target, "%s/none/x", place);
    assert_false(file_copy(path, target));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(place), 0);
}
