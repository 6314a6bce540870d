"""``python -m equipoise``: the command where its script is not on the path."""

import sys

from equipoise.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
