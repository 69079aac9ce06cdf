#!/usr/bin/env bash
# Run once by the image of PostgreSQL: a role that owns one database and nothing else.
set -euo pipefail
password="$(cat /run/secrets/store_password)"
psql -v ON_ERROR_STOP=1 -v password="$password" -U postgres <<'SQL'
CREATE ROLE signoff LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE signoff OWNER signoff;
REVOKE ALL ON DATABASE signoff FROM PUBLIC;
SQL
