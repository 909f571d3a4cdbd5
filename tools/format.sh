#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs clang-format over every C file except the copies of pip (bindings/python/build), with the given options: -i, or
# --dry-run -Werror.
cd "$(dirname "$0")/.." || exit
find include lib app bindings tests bench examples -name build -prune -o -name '*.[ch]' -exec clang-format "$@" {} +
