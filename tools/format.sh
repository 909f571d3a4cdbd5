#!/bin/sh
# SPDX-License-Identifier: MIT
# clang-format over every C file but those that pip builds from (python/build), with the options given: -i, or
# --dry-run -Werror.
cd "$(dirname "$0")/.." || exit
find include src engine serve redis cli report python tests bench examples -name build -prune -o -name '*.[ch]' -exec clang-format "$@" {} +
