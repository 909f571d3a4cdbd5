/* SPDX-License-Identifier: MIT */
#include "report/draw/gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool gnuplot_send(int to, const char *text, size_t size) {
    while (size > 0) {
        ssize_t sent = write(to, text, size);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        text += sent;
        size -= (size_t)sent;
    }
    return true;
}

/* Starts gnuplot with its input from the pipe `ends`. Returns 0 or the error. */
static int gnuplot_start(const char *directory, int ends[2], pid_t *child) {
    char *arguments[] = {"gnuplot", "-d", NULL}; /* -d: no start-up file of the user, for the same bytes everywhere */
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    if (ends[0] != STDIN_FILENO) posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    posix_spawn_file_actions_addchdir_np(&actions, directory);
    setenv("LC_ALL", "C.UTF-8", 1); /* names are UTF-8, which gnuplot takes only from its locale */
    /*
     * gnuplot has a process group of its own, so that Ctrl-C reaches only posse, which ends when the picture is done.
     */
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawnp(child, "gnuplot", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

gnuplot_outcome gnuplot_run(const char *directory, const char *script, size_t size) {
    int ends[2];
    pid_t child;
    if (pipe(ends) != 0) return GNUPLOT_FAILED;
    int error = gnuplot_start(directory, ends, &child);
    close(ends[0]);
    if (error != 0) {
        close(ends[1]);
        return error == ENOENT ? GNUPLOT_MISSING : GNUPLOT_FAILED;
    }
    /* If gnuplot ends early, writing to it must not end this program. */
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    bool sent = gnuplot_send(ends[1], script, size);
    close(ends[1]);
    int status;
    pid_t ended;
    do ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    sigaction(SIGPIPE, &before, NULL);
    if (ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 127) return GNUPLOT_MISSING;
    return sent && ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? GNUPLOT_DONE : GNUPLOT_FAILED;
}

void gnuplot_string(FILE *out, const char *text, size_t most) {
    size_t characters = 0;
    fputc('\'', out);
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0'; s++) {
        bool begins = (*s & 0xc0) != 0x80; /* the first byte of a character */
        if (begins && characters++ == most) {
            fputs("…", out);
            break;
        }
        if (*s == '\'')
            fputs("’", out);
        else
            fputc(*s < 0x20 || *s == 0x7f ? ' ' : *s, out);
    }
    fputc('\'', out);
}
