"""The command line: `python -m isolation`. It stands on top of everything else."""
