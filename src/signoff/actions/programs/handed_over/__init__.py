"""What a program is handed to run: code, command lines, shells and files of code in its words."""
