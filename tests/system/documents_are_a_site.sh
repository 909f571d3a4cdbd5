#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `make docs` builds a site without warnings. Its links and those of the Markdown lead somewhere, it loads nothing from
# elsewhere, and its search works from the disk. A page that is in no navigation is an error.
. "$(dirname "$0")/scripting.sh"
rm -rf "$scratch"/*

python=/usr/bin/python3
site() { # SOURCE: builds it into $scratch/site
    $python -B -m sphinx -q -W --keep-going -c "$1/docs/site" -d "$scratch/doctrees" "$1" "$scratch/site"
}

quietly site "$source_dir"
[ -f "$scratch/site/index.html" ] && [ -f "$scratch/site/docs/index.html" ] || die "there is no front page"
for word in late reward floor patienc; do # as the index has them, without their endings
    grep -qE "[{,\"]$word\"?:" "$scratch/site/searchindex.js" || die "the search does not know $word"
done
grep -q 'id="posse_decide"' "$scratch/site/docs/c-reference.html" || die "posse_decide has no anchor of that name"
$python -B "$here/site_checks.py" "$source_dir" "$scratch/site" || die "see above"

find_chromium
$python -B "$here/site_driver.py" "$chromium" "$scratch/site" || die "see above"

# A page that no navigation lists, and a listed page that does not exist, are errors.
mkdir "$scratch/copy"
cp -r "$source_dir"/{README.md,CHANGELOG.md,CONTRIBUTING.md,docs,include} "$scratch/copy"
echo '# Stray' >"$scratch/copy/docs/stray.md"
mv "$scratch/copy/docs/theory.md" "$scratch/copy/docs/proofs.md"
! site "$scratch/copy" >"$scratch/said" 2>&1 || die "a page in no navigation is accepted"
for said in 'navigation.md does not list docs/stray.md' 'index.md does not link to docs/stray.md' 'lists docs/theory.md, which does not exist'; do
    grep -q "$said" "$scratch/said" || die "no \"$said\" in: $(cat "$scratch/said")"
done
