"""`python -m hansa.server.admin`."""

import sys

from hansa.server.admin import main

if __name__ == "__main__":
    sys.exit(main())
