"""The audit log page: who did what when, and whether that is still what was entered."""
