"""What turns a checkout into something that is installed: a program that runs on every machine, and its packages.

llama_wheel   llama.cpp for every processor of a kind, compiled once
instructions  the proof that it is: what the shipped libraries ask of a processor
deb           a package for Debian and Ubuntu;  desktop  its entry in the menu, its icon and its kind of files
folder        the portable folder, as one archive
checksums     SHA256SUMS
"""
