"""Rooms: who sits where, whose turn it is, the clocks, and what everyone is told."""
