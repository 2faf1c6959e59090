"""Expert iteration: a search plays, networks learn from its games, the search uses them, again.

`python -m training --help` lists the steps; docs/training.md tells what each is for.
"""
