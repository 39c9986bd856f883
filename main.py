"""Opens RadCal's window; everything else is in ui/ and radcal/."""

import sys

from ui import start

if __name__ == "__main__":
    sys.exit(start())
