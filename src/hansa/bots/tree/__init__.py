"""Tree search over sampled positions, in the style of the rules: interpreted or compiled.

Each simulation fills in what the bot cannot know anew, walks down a tree that all of them share,
plays on by judgement for some turns, and judges how everybody stands then.
"""
