"""Implements the command line: summaries are plain values, with ``text`` for people and ``failures``.

run           all steps from report files to pages;  demo  the same on a made-up department
single_steps  one step alone, from files to files
handing_out   personal files;  keeping  checks, backups, restoring, the audit log
summaries     counts and notes in the text of summaries
"""
