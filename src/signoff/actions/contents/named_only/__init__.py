"""Acts that a text names and does not do: forbidden ones, and those inside an image."""
