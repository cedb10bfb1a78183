"""Rule cases: small positions, actions, and expected results.

A case is an item of a YAML list. :func:`load_cases` reads a file strictly, :func:`run_case` runs a
case in one edition, and :func:`run_paths` does both for folders.
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
