"""Generated editions: an unlimited number of boards, at a chosen distance from classic."""
