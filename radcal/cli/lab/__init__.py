"""The commands of ``radcal lab``: language models as speakers, perception of words, and groups of any certainties."""
