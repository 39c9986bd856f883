"""Language models by llama.cpp, in a child process that cannot take the application down; any room may ask one."""
