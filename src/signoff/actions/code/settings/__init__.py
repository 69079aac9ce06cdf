"""What code reads of files that the session wrote: settings, lists, constants of modules."""
