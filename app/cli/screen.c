/* SPDX-License-Identifier: MIT */
#include "cli/screen.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "experiment/play/launcher.h"

#define WIDTH_ELSEWHERE 100
#define WIDTH_LEAST 60

bool screen_is_terminal(FILE *out) {
    return isatty(fileno(out)) == 1 && !launcher_is_there();
}

int screen_width(FILE *out) {
    struct winsize size = {0};
    if (!screen_is_terminal(out) || ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return WIDTH_ELSEWHERE;
    return size.ws_col > WIDTH_LEAST ? size.ws_col : WIDTH_LEAST;
}

/* The columns that the first `length` bytes of a text take. */
static int columns_of(const char *text, size_t length) {
    int columns = 0;
    for (size_t i = 0; i < length; i++) columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

int screen_columns(const char *text) {
    return columns_of(text, strlen(text));
}

void screen_wrap(FILE *out, const char *text, int indent, int width) {
    int column = indent;
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        int columns = columns_of(text, length);
        if (column > indent && column + 1 + columns > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, length, out);
        column += columns;
        text += length;
    }
    fputc('\n', out);
}
