"""The Reports page: import, reading, and all reports."""
