"""What messengers share whose people answer in the thread of a card, or in replies to it."""
