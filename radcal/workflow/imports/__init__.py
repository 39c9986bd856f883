"""Report files into the workspace: looked at, read, paired, and read again."""
