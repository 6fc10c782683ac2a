"""What needs a computer algebra system; runs in killable worker processes only.

SymPy objects are built from our own tree through an allow-list, never from text.
"""
