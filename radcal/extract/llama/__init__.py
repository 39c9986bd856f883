"""Findings by a local Llama (llama.cpp), read in a child process that cannot take the application down."""
