"""Ranking and packing: records in, ranked records out. Pure."""
