#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/diagrams.py draws the same docs/pictures/*.svg again. They are at most 900 pixels wide, have no text below 12
# pixels, and load nothing from elsewhere.
. "$(dirname "$0")/scripting.sh"
rm -rf "$scratch"/*

(cd / && /usr/bin/python3 -B "$source_dir/tools/diagrams.py" "$scratch") || die "a text does not fit"
for drawn in "$scratch"/*.svg "$source_dir"/docs/pictures/*.svg; do
    name=$(basename "$drawn")
    cmp "$scratch/$name" "$source_dir/docs/pictures/$name" || die "docs/pictures/$name is not current; make diagrams mends it"
done
/usr/bin/python3 -B - "$scratch"/*.svg <<'PYTHON'
import sys
import xml.etree.ElementTree as tree

for file in sys.argv[1:]:
    root = tree.parse(file).getroot()
    sizes = [float(e.get("font-size")) for e in root.iter() if e.get("font-size")]
    links = [value for e in root.iter() for key, value in e.attrib.items() if "href" in key or "url(" in value]
    if float(root.get("width")) > 900 or min(sizes) < 12 or links or root.find("{*}title") is None:
        sys.exit(f"{file}: {root.get('width')} wide, smallest text {min(sizes)}, links {links}")
PYTHON
