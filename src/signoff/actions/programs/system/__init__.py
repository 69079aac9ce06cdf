"""What programs of the operating system do: POSIX, GNU, Linux, macOS and Windows tools."""
