/* SPDX-License-Identifier: MIT */
#include "data/problem.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/format.h"
#include "base/utf8.h"

bool data_refuse(data_problem *problem, const char *text, const char *at, const char *format, ...) {
    va_list arguments;
    problem->line = problem->column = 1;
    for (const char *c = text; c < at; c++) {
        problem->column += ((unsigned char)*c & 0xc0) != 0x80;
        if (*c != '\n') continue;
        problem->line++;
        problem->column = 1;
    }
    va_start(arguments, format);
    format_text_list(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    return false;
}
