"""How people and language models use certainty words: joined from files, models and the workspace."""
