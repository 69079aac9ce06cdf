"""Code that only computes, told by what it imports and names."""
