"""Keeping a workspace safe: backups, restoring, checks and the audit log."""
