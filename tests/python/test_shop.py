# SPDX-License-Identifier: MIT
"""examples/shop: several processes drive a server, and the best offer wins."""

import os
import re
import subprocess
import sys
import unittest

from patience import PATIENCE
from serving import PROGRAM
from support import ROOT


class Shop(unittest.TestCase):
    def test_the_best_offer_wins(self):
        said = subprocess.run(
            [sys.executable, "-B", ROOT / "examples/shop/shop.py", "--visitors", "4000"],
            env={**os.environ, "POSSE_PROGRAM": str(PROGRAM)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        shown = {name.strip(): int(count) for name, count in re.findall(r"^(.{24})\s*(\d+)\s+\d+$", said.stdout, re.M)}
        self.assertEqual(sum(shown.values()), 4000)
        best = sorted(shown, key=shown.get)[-1]
        self.assertIn(best, ("10% off", "free shipping"))  # bought by 14% and 11%: so few visitors may confuse them
        self.assertIn(f"the winner is: {best}", said.stdout)
        self.assertGreater(shown["10% off"] + shown["free shipping"], 2000)


if __name__ == "__main__":
    unittest.main()
