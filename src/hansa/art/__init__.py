"""Data of the drawing: colours (`tokens.css`), icons (`icons.svg`), the lie of the land (`scenes.json`)."""
