"""``python -m radcal``: the command line."""

import sys

from radcal.cli import main

sys.exit(main())
