"""Refreshing a view: which blobs are new, reading and parsing them, keeping what they hold."""
