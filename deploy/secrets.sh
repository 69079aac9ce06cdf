#!/usr/bin/env bash
# Makes what compose.yaml takes as secrets, each a file that user 10001 alone can read. What is there stays.
#   sudo ./deploy/secrets.sh
# The certificate is for tests: put your own chain and key into secrets/tls.pem.
set -euo pipefail
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
chmod 711 secrets
for name in postgres_password store_password store_key token grafana_password; do
    # The callers' token and the nodes' key are 32 bytes in hexadecimal each; passwords are made alike.
    [ -s "secrets/$name" ] || openssl rand -hex 32 >"secrets/$name"
done
if [ ! -s secrets/tls.pem ]; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 \
        -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
        -keyout secrets/tls.key -out secrets/tls.crt 2>/dev/null
    cat secrets/tls.crt secrets/tls.key >secrets/tls.pem
    rm secrets/tls.key
    chmod 644 secrets/tls.crt
fi
chmod 600 secrets/*_password secrets/store_key secrets/token secrets/tls.pem
if [ "$(id -u)" = 0 ]; then
    chown 10001:10001 secrets/*_password secrets/store_key secrets/token secrets/tls.pem
else
    echo "run this with sudo once more: the containers' user 10001 must own the files" >&2
    exit 1
fi
