"""Programs for those who develop the package."""
