# SPDX-License-Identifier: BSD-3-Clause
"""usage: try.py FOLDER
Runs the package that is installed in FOLDER, and looks at where its libraries come from."""
import sys

import numpy

import zoid

folder = sys.argv[1]
with zoid.Session("heat", shape=(24, 24, 24), steps=20) as session:
    session.advance(10)
    session.checkpoint("kept")
    session.advance()
    want = session["u"].copy()
with zoid.restart("kept") as session:
    session.advance()
    assert numpy.array_equal(session["u"], want), "another result after a restart"
zoid.run("wave", size=(20, 20), steps=30, check=True)

with open("/proc/self/maps") as maps:
    loaded = {line.split()[-1] for line in maps if ".so" in line}
ours = [name for name in loaded if "zoid" in name]
assert any("starpu" in name for name in ours) and any("hwloc" in name for name in ours), ours
strange = [name for name in loaded if not name.startswith(("/usr/lib", "/lib", folder))]
strange += [name for name in loaded
            if name not in ours and any(lib in name for lib in ("starpu", "hwloc", "libmpi"))]
assert not strange, strange
