"""``python -m radcal``: the command line."""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        # ``-m`` puts the current folder first; what lies beside the reports is data, never a module.
        del sys.path[0]
    from radcal.cli import start

    sys.exit(start())
