"""Every JSON shape that leaves the server."""
