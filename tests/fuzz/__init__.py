"""Fuzzing a running server: seeded nonsense over real connections, on this machine only.

`python -m benchmarks.fuzz` runs it at length, `tests/attacks/test_fuzz.py` in short.
"""
