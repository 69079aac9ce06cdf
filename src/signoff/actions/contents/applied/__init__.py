"""What configuration does once it is applied: guards that go off, ways in, data that leaves."""
