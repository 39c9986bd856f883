"""Reading what was computed: the analysis, one author, one group, radiologists compared."""
