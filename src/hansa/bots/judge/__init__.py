"""Judgement: what routes, cities, skills and decisions are worth to a player.

Plain functions over the tables `b`, the state `s`, the weights `w` and a survey `v` that they
fill and read, in the style of the rules: the same text runs interpreted and, loaded a second time,
compiled. Worth is counted in hundredths of a point.
"""
