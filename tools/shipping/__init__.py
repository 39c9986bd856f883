"""What turns a checkout into something that is installed: a program that runs on every machine, and its packages.

llama_wheel   llama.cpp for every processor of a kind, compiled once;  instructions  the proof that it is
deb           a package for Debian and Ubuntu;  desktop  its entry in the menu, and workspaces as its kind of files
folder        the portable folder, as one archive
licences      of all that is in them, as one text;  checksums  SHA256SUMS;  release  version, kind of machine and time
"""
