"""How sure a free sentence sounds: hedges in anybody's words read as a confidence between 0 and 1."""
