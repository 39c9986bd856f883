"""Backups, restoring, and page checks of a workspace."""
