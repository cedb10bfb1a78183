"""Names the packages: pyproject.toml cannot say that a folder ships under another name.

`agents/` and `training/` are source roots, because top-level packages of those names would collide
with other distributions. `configs/` ships as the package `monopoly_training.configs`, so that
`monopoly-env train NAME` finds the same files in a checkout and in a pip install, through
`importlib.resources.files("monopoly_training.configs")`.
"""

from setuptools import find_packages, setup

setup(
    packages=[
        *find_packages(".", include=["monopoly_env*"]),
        *find_packages("agents", include=["monopoly_agents*"]),
        *find_packages("training", include=["monopoly_training*"]),
        "monopoly_training.configs",
    ],
    package_dir={
        "monopoly_agents": "agents/monopoly_agents",
        "monopoly_training": "training/monopoly_training",
        "monopoly_training.configs": "configs",
    },
)
