"""`python -m hansa.server.admin`."""

import sys

from hansa.server.admin import main

sys.exit(main())
