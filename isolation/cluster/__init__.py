"""What several processes share, on Redis: ports of the rooms, and nothing that they decide."""
