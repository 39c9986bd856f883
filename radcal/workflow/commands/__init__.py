"""The commands of the command line: each returns a summary of plain values, with ``text`` for people and ``failures``.

run           all steps from report files to pages;  demo  the same on a made-up department
single_steps  single steps, from files to files
engines       what the extraction engines can do on this machine
handing_out   personal files;  keeping  checks, backups, restoring, the audit log
summaries     counts and notes in the text of summaries
"""
