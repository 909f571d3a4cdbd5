#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program of the package posse-server, the Python package and the module for Redis are linked with neither MPI nor
# HDF5. Where HDF5 is not installed, the server serves, and experiments run in Python. Only what needs results.h5 is
# refused, and leaves nothing behind.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

for file in "$build_dir/server/posse" "$build_dir/posse_redis.so" "$build_dir"/python/posse/_posse.*.so; do
    ldd "$file" >libraries || die "$file cannot be loaded"
    ! grep -E 'lib(mpi|hdf5|hwloc|curl)' libraries >&2 || die "$file is linked with these"
done

# An empty file in the place of the library hides it.
mkdir hidden served
library=$(strings -a "$build_dir/server/posse" | grep -x 'libhdf5.*\.so\.[0-9]*') || die "the program does not name the library"
: >"hidden/$library"
export LD_LIBRARY_PATH=$scratch/hidden

status=0
"$build_dir/server/posse" run -q --no-plots "$source_dir/tests/experiment.yaml" -o results >out 2>err || status=$?
[ $status = 3 ] && [ ! -e results ] || die "without HDF5 \`posse run\` ends with $status and leaves: $(ls -A results)"
grep -q "results.h5 is written with $library, which is not installed" err || die "it prints: $(cat err)"

PYTHONPATH=$build_dir/python POSSE_PROGRAM=$build_dir/server/posse /usr/bin/python3 -B - "$source_dir" "$library" <<'END'
import os, sys

sys.path.insert(0, os.path.join(sys.argv[1], "tests/python"))
import posse
from serving import Server

outcome = posse.run(os.path.join(sys.argv[1], "tests/experiment.yaml"), runs=5)
try:
    outcome.save("saved")
    raise SystemExit("results.h5 is written without HDF5")
except posse.RunError as error:
    assert sys.argv[2] in str(error), error
assert not os.path.exists("saved")

with Server("served") as server:
    client = server.client()
    assert client.post("/v1/posses", {"name": "ads", "arms": 3, "prior": "beta", "learners": ["ucb"]})[0] == 201
    status, decision = client.post("/v1/posses/ads/decide", {})
    assert status == 200 and 0 <= decision["arm"] < 3, decision
    libraries = open(f"/proc/{server.process.pid}/maps").read()
    assert "libhdf5" not in libraries and "libmpi" not in libraries
END
