#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The dashboard ("the board") in headless Chromium, with a real server. A token is entered; a posse is created, driven,
# watched and changed; names are hostile; the server stops and starts again. Screenshots are in SCRATCH/screenshots.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

needs python3
find_chromium
PYTHONPATH=$source_dir/tests/python POSSE_PROGRAM=$build_dir/posse python3 -B "$here/board_driver.py" "$chromium" screenshots
