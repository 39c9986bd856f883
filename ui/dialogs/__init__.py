"""Dialogs that ask for what an operation needs."""
