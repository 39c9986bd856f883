"""The workspace: one encrypted file for reports, findings, results and settings, with its log, backups and names."""
