"""The documentation as a site: ``make site`` builds it into build/site.

The pages are those of this folder. Two folders are written when the site is built: ``_api``, the API
reference, from the public names that tests/golden/api.py lists and their docstrings; and ``_root``,
the pages that lie beside this folder, such as the README.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
ROOT = DOCS.parent
sys.path.insert(0, str(ROOT))

from sphinx.ext.autodoc.mock import mock  # noqa: E402

import monopoly_env  # noqa: E402
from tests.golden.api import MODULES  # noqa: E402 - the checkout is not installed

API = DOCS / "_api"
ABOVE = DOCS / "_root"
PAGES_ABOVE = ("README", "CONTRIBUTING", "CHANGELOG", "SECURITY", "CODE_OF_CONDUCT")
PUBLIC = {
    **MODULES,
    "monopoly_env.learners": (),
    "monopoly_training.sb3.masked_policy": ("MaskedPolicy",),
}
LONG = 60  # characters of a constant that is written out

project = "monopoly-env"
author = "The monopoly-env authors"
copyright = f"{author}, Apache License 2.0"  # noqa: A001 - Sphinx's name
release = version = monopoly_env.version

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinxcontrib.mermaid",
]
exclude_patterns = ["_build", "baselines"]
html_theme = "furo"
html_title = f"monopoly-env {release}"
html_theme_options = {"navigation_with_keys": True}

myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid"]
myst_enable_extensions = ["colon_fence", "html_image"]
suppress_warnings = ["myst.header"]  # a generated page may leave out a level of headings

autodoc_mock_imports = ["torch", "stable_baselines3", "sb3_contrib"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_inherit_docstrings = False
napoleon_numpy_docstring = False

# --- the API reference ---


def kind_of(value: object) -> str:
    """The directive of autodoc for a public name."""
    if inspect.isclass(value):
        return "autoclass"
    return "autofunction" if callable(value) else "autodata"


def entries(module: str, homes: dict[int, str]) -> list[str]:
    """What the page of a module says of each of its names; what several offer is described once."""
    loaded = importlib.import_module(module)
    lines = []
    for name in PUBLIC[module] or sorted(loaded.__all__):
        value = getattr(loaded, name)
        here = f"{module}.{name}"
        home = homes.setdefault(id(value), here)
        if home != here and callable(value):
            role = "class" if inspect.isclass(value) else "func"
            lines += [f"``{name}`` is :py:{role}:`{home}`.", ""]
            continue
        lines += [f".. {kind_of(value)}:: {here}"]
        if inspect.isclass(value):
            lines.append("   :members:")
        elif not callable(value) and len(repr(value)) > LONG:
            lines.append("   :no-value:")
        lines += [""]
    return lines


def write_api(_: object = None) -> None:
    """Write a page for each module that users import, and one that lists them."""
    API.mkdir(exist_ok=True)
    for old in API.glob("*.rst"):
        old.unlink()
    homes: dict[int, str] = {}
    with mock(autodoc_mock_imports):
        for module in PUBLIC:
            text = inspect.getdoc(importlib.import_module(module)) or ""
            head = [module, "=" * len(module), "", text, "", f".. py:module:: {module}", ""]
            body = "\n".join([*head, *entries(module, homes)])
            (API / f"{module}.rst").write_text(body + "\n", encoding="utf-8")


def shown_docstring(
    _app: Any, what: str, _name: str, _obj: object, _options: Any, lines: Any
) -> None:
    """Single backquotes in docstrings are code, as in Markdown; constants have that of their type."""
    if what == "data":
        lines.clear()
    lines[:] = [re.sub(r"(?<![`:\w])`([^`]+)`(?![`_])", r"``\1``", line) for line in lines]


# --- pages beside this folder ---


def write_pages_above(_: object = None) -> None:
    """Copy the pages that lie beside this folder, with their links as seen from here."""
    ABOVE.mkdir(exist_ok=True)
    names = "|".join(PAGES_ABOVE)
    for name in PAGES_ABOVE:
        text = (ROOT / f"{name}.md").read_text(encoding="utf-8")
        text = re.sub(r"</?picture>\n|  <source .*>\n", "", text)
        text = text.replace("](docs/", "](../").replace('src="docs/', 'src="../')
        text = re.sub(rf"\]\((?!https?:|#|\.\./|(?:{names})\.md)", "](../../", text)
        (ABOVE / f"{name}.md").write_text(text, encoding="utf-8")


def linked_here(_app: Any, page: str, source: list[str]) -> None:
    """Links to the pages beside this folder lead to their copies; to other folders there is none."""
    up = "../" * page.count("/")
    names = "|".join(PAGES_ABOVE)
    if not page.startswith("_root/"):
        source[0] = re.sub(rf"\]\({up}\.\./({names})\.md", rf"]({up}_root/\1.md", source[0])
    folder = (DOCS / page).parent

    def checked(link: re.Match[str]) -> str:
        target = (folder / link[2]).resolve()
        is_page = target.suffix == ".md" and DOCS.resolve() not in target.parents
        return link[1] if target.is_dir() or is_page else link[0]

    source[0] = re.sub(r"\[([^\]]+)\]\(([^)#:\s]+)\)", checked, source[0])


def setup(app: Any) -> None:
    """Write pages before they are read."""
    app.connect("builder-inited", write_api)
    app.connect("builder-inited", write_pages_above)
    app.connect("source-read", linked_here)
    app.connect("autodoc-process-docstring", shown_docstring)
