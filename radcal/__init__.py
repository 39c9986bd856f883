"""RadCal: do radiologists' certainty words mean what readers take them to mean?"""

__version__ = "0.1.0"
