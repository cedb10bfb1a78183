"""Rule cases: small positions from rule books, what is done in them, and what must be true after.

A case is data, a YAML list item; :func:`load_cases` reads a file of them strictly,
:func:`run_case` plays one in one edition, :func:`run_paths` does both for whole folders.
"""

from monopoly_env.cases.loading import Case, case_files, load_cases
from monopoly_env.cases.running import Outcome, run_case, run_paths
from monopoly_env.errors import CaseError

__all__ = [
    "Case",
    "CaseError",
    "Outcome",
    "case_files",
    "load_cases",
    "run_case",
    "run_paths",
]
