"""What an edit takes away: refusals, conditions, scopes, encryption, records, bounds."""
