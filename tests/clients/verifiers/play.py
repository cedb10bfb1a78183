"""Monopoly in verifiers: an environment with weighted scores, and its first tasks."""

from monopoly_verifiers import load_environment

environment = load_environment(win=1.0, rank=0.5, legality=0.1, opponents=["background", "random"])
tasks = list(environment.taskset.take(3))

if __name__ == "__main__":
    for task in tasks:
        print(task.data.name, task.data.prompt, sep="\n")
