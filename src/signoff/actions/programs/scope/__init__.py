"""How far a call of a program goes: acts that wait for a confirmation, services of this machine."""
