"""Fictitious departments for trying RadCal: a small one that ships, and a generator for larger ones."""
