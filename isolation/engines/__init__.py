"""Players that choose moves by looking at positions. They know the rules and nothing above them."""
