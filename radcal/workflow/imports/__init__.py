"""Report files: preview, dry run, import, re-import and pairing."""
