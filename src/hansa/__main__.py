"""`python -m hansa`: the command, where its folder is not on the path."""

from hansa.cli import main

if __name__ == "__main__":
    main()
