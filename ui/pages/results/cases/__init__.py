"""The cases behind what is said of a word."""
