"""What new file content adds: lines that will run, protections weakened, loaders planted."""
