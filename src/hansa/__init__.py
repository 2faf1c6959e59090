"""Hansa Teutonica: rules, bots and a table to play at."""
