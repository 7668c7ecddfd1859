"""Bots written for the APIs of the specifications: how they are run, and what a fault costs."""
