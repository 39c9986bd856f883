"""Gold sets of a workspace: drawn, read by people, compared with the engines and with each other."""
