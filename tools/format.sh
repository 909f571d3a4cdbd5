#!/bin/sh
# clang-format over every C file, with the options given: -i, or --dry-run -Werror.
cd "$(dirname "$0")/.." || exit
find include src cli report python tests bench examples -name '*.[ch]' -exec clang-format "$@" {} +
