"""Numbers of people and accounts: check digits, and the numbers that states give."""
