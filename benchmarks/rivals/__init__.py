"""Sparring partners that share nothing with isolation/engines but the lines they speak.

They're independent on purpose: an engine measured only against its own relatives looks better than
it is. Each is a program, `python -m benchmarks.rivals.NAME`, and plays through
`python -m benchmarks.gauntlet`. They're yardsticks: don't tune them against our engines, and don't
read ours to improve them.
"""
