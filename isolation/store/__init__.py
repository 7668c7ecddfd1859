"""The store: SQLite or PostgreSQL behind the port that the rooms declare."""

from isolation.store.sql import SqlStore
from isolation.store.trouble import StoreError

__all__ = ["SqlStore", "StoreError"]
