#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A folder of the sources includes only the folders below it that docs/architecture.md lists and draws. To show that the
# check can fail, one thing at a time is made wrong in a copy of the sources.
. "$(dirname "$0")/scripting.sh"

check() { # TREE
    /usr/bin/python3 -B "$here/includes_go_down.py" "$1"
}

check "$source_dir" || die "the sources differ from docs/architecture.md"

# finds TEXT COMMAND: in a fresh copy, after the command, the check fails and its report has TEXT.
finds() {
    rm -rf "$scratch/copy" && mkdir -p "$scratch/copy/python" "$scratch/copy/docs"
    cp -r "$source_dir"/{src,include,report,cli} "$scratch/copy"
    cp -r "$source_dir/python/src" "$scratch/copy/python"
    cp "$source_dir/docs/architecture.md" "$scratch/copy/docs"
    (cd "$scratch/copy" && eval "$2")
    ! check "$scratch/copy" >"$scratch/report" || die "it does not find: $1"
    grep -qF "$1" "$scratch/report" || die "it does not report \"$1\", but: $(cat "$scratch/report")"
}

plant() { # FILE INCLUDE: as the file's first line
    sed -i "1i #include $2" "$1"
}

finds 'src/core/space.c:1: core may not include src/posse/object.h' "plant src/core/space.c '\"posse/object.h\"'"
finds 'src/core/space.c:1: core may not include src/posse/object.h' "plant src/core/space.c '\"../posse/object.h\"'"
finds 'src/core/space.c:1: core may not include src/posse/object.h' "plant src/core/space.c '<posse/object.h>'"
finds 'src/learner/ucb.c:1: learner may not include src/selector/selector.h' \
    "plant src/learner/ucb.c '\"selector/selector.h\"'"
finds 'src/posse/posse.c:1: posse may not include cli/table.h' "plant src/posse/posse.c '\"cli/table.h\"'"
finds 'src/core/space.c:1: core/nowhere.h does not exist' "plant src/core/space.c '\"core/nowhere.h\"'"
finds 'src/attic is not listed in' "mkdir src/attic && touch src/attic/old.c"
finds 'numeric lists core, which does not come before it' \
    "plant src/numeric/sketch.c '\"core/hash.h\"' && sed -i 's/^numeric$/numeric: core/' docs/architecture.md"
finds 'posse is in src/ and lists cli/low, which is not' "mkdir cli/low && touch cli/low/low.h
    plant src/posse/posse.c '\"cli/low/low.h\"'
    sed -i '/^\`\`\`picture/,/^\`\`\`$/s|^\`\`\`$|cli/low\n&|; /^\`\`\`rooms/a cli/low
        s|^posse:.*|& cli/low|' docs/architecture.md"
finds 'kinds lists random, but includes nothing of it' "sed -i 's/^kinds:.*/& random/' docs/architecture.md"
finds 'kernel is not in the picture' "sed -i '/^\`\`\`picture/,/^\`\`\`$/s/kernel/      /' docs/architecture.md"
finds 'the picture has kinds no higher than core' \
    "sed -i '/^\`\`\`picture/,/^\`\`\`$/{s/kinds/     /; s/^\`\`\`$/kinds\n&/}' docs/architecture.md"
