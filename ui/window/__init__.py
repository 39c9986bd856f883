"""The main window: rail, bars, the ways in, dialogs."""
