"""What was learned from games: chances of winning and what decisions are worth trying.

Plain functions over records in the style of the rules, interpreted or compiled. `inputs` is the
one place that says what a network sees of a position; training, play and tests all ask there.
"""
