"""Attacks on a running server, each over real connections and on this machine only.

A test's first line says what the attacker tries. The server must outlast it, keep serving somebody
else meanwhile, and log no traceback.
"""
