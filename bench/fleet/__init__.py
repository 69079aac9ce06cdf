"""Many nodes on one database: load, growth, faults, a restore drill."""

import sys
from pathlib import Path

# The database server of the tests is started here as well.
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
