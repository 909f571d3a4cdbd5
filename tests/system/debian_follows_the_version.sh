#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# CHANGELOG.md and debian/ have the version of the header. The package of the shared library is named after its soname,
# as Debian's policy requires: libposse.so.0.3 is in libposse0.3.
. "$(dirname "$0")/scripting.sh"

version=$(sed -n 's/^#define POSSE_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' "$source_dir/include/posse.h" | paste -sd.)
grep -Eqx "## (Unreleased \($version\)|$version \([0-9]{4}-[0-9]{2}-[0-9]{2}\))" "$source_dir/CHANGELOG.md" ||
    die "CHANGELOG.md has no section \"## $version (DATE)\""
[ "$(sed -n '1s/^posse (\([^)]*\)).*/\1/p' "$source_dir/debian/changelog")" = "$version" ] ||
    die "debian/changelog does not begin with $version"

package=$(objdump -p "$build_dir/libposse.so" | sed -n 's/^ *SONAME *libposse\.so\./libposse/p')
[ -n "$package" ] || die "libposse.so has no soname"
grep -qx "Package: $package" "$source_dir/debian/control" || die "debian/control has no package $package"
grep -qF "Depends: $package (= \${binary:Version})" "$source_dir/debian/control" || die "libposse-dev does not depend on $package"
[ -e "$source_dir/debian/$package.install" ] || die "there is no debian/$package.install"
