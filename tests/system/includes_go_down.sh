#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A layer of the sources includes only the layers below it that docs/architecture.md lists and draws. To show that the
# check can fail, one thing at a time is made wrong in a copy of the sources.
. "$(dirname "$0")/scripting.sh"

check() { # TREE
    /usr/bin/python3 -B "$here/includes_go_down.py" "$1"
}

check "$source_dir" || die "the sources differ from docs/architecture.md"

# finds TEXT COMMAND: in a fresh copy, after the command, the check fails and its report has TEXT.
finds() {
    rm -rf "$scratch/copy" && mkdir -p "$scratch/copy/bindings/python" "$scratch/copy/docs"
    cp -r "$source_dir"/{lib,app,include} "$scratch/copy"
    cp -r "$source_dir/bindings/redis" "$scratch/copy/bindings"
    cp -r "$source_dir/bindings/python/src" "$scratch/copy/bindings/python"
    cp "$source_dir/docs/architecture.md" "$scratch/copy/docs"
    (cd "$scratch/copy" && eval "$2")
    ! check "$scratch/copy" >"$scratch/said" || die "it does not find: $1"
    grep -qF "$1" "$scratch/said" || die "it does not say \"$1\", but: $(cat "$scratch/said")"
}

plant() { # FILE INCLUDE: as the file's first line
    sed -i "1i #include $2" "$1"
}

finds 'lib/model/space.c:1: model may not include lib/object/object.h' "plant lib/model/space.c '\"object/object.h\"'"
finds 'lib/model/space.c:1: model may not include lib/object/object.h' "plant lib/model/space.c '\"../object/object.h\"'"
finds 'lib/model/space.c:1: model may not include lib/object/object.h' "plant lib/model/space.c '<object/object.h>'"
finds 'lib/learner/ucb.c:1: learner may not include lib/selector/selector.h' \
    "plant lib/learner/ucb.c '\"selector/selector.h\"'"
finds 'lib/object/posse.c:1: object may not include app/cli/text_table.h' "plant lib/object/posse.c '\"cli/text_table.h\"'"
finds 'lib/model/space.c:1: model/nowhere.h does not exist' "plant lib/model/space.c '\"model/nowhere.h\"'"
finds 'lib/attic is not a layer' "mkdir lib/attic && touch lib/attic/old.c"
finds 'numeric lists base, which does not come before it' \
    "plant lib/numeric/sketch.c '\"base/hash.h\"' && sed -i 's/^numeric$/numeric: base/' docs/architecture.md"
finds 'object is in lib and lists cli/low, which is not' "mkdir app/cli/low && touch app/cli/low/low.h
    plant lib/object/posse.c '\"cli/low/low.h\"'
    sed -i '/^\`\`\`picture/,/^\`\`\`$/s|^\`\`\`$|cli/low\n&|; /^\`\`\`layers/a cli/low
        s|^object:.*|& cli/low|' docs/architecture.md"
finds 'kinds lists random, but includes nothing of it' "sed -i 's/^kinds:.*/& random/' docs/architecture.md"
finds 'kernel is not in the picture' "sed -i '/^\`\`\`picture/,/^\`\`\`$/s/kernel/      /' docs/architecture.md"
finds 'the picture has kinds no higher than model' \
    "sed -i '/^\`\`\`picture/,/^\`\`\`$/{s/kinds/     /; s/^\`\`\`$/kinds\n&/}' docs/architecture.md"
