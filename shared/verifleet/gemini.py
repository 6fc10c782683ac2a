"""The only caller of google-genai."""
