"""What a prompt asks, checked without a reference: solve, differentiate, factor, simplify."""
