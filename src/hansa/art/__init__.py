"""Data of the drawing: colours (`tokens.css`), icons (`icons.svg`)."""
