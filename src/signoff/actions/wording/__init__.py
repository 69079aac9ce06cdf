"""Operations in plain words: what a call would do, as people read it."""
