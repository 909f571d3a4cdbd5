#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# With the settings of nginx and haproxy that the documents show, requests, refusals and events pass through a proxy
# with TLS.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

PATH=$PATH:/usr/sbin
needs openssl curl nginx haproxy
run=$(mktemp -d) # the path of a socket must be short
server= proxy=
trap 'kill $proxy $server 2>/dev/null || true; rm -rf "$run"' EXIT

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout key.pem -out fullchain.pem 2>quiet
cat fullchain.pem key.pem >both.pem
echo "$(printf secret | sha256sum | cut -d' ' -f1) admin *" >tokens
"$build_dir/posse" serve --listen "unix:$run/socket" --database posse.db --tokens tokens >server.log 2>&1 &
server=$!

# block LANGUAGE: the settings in the guide, with the paths and the port of this test.
block() {
    awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```/ { inside = 0 } inside' "$source_dir"/docs/*.md |
        sed -e "s|/run/posse/socket|$run/socket|" -e "s|/etc/posse/|$scratch/|" -e "s|443|$port|"
}

for name in nginx haproxy; do
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    case $name in
    nginx)
        { echo "daemon off; pid $scratch/nginx.pid; error_log stderr; events {}"
          [ "$(id -u)" != 0 ] || echo "user root;"
          echo "http { access_log off;" && block nginx && echo "}"; } >nginx.conf
        nginx -p "$scratch" -c "$scratch/nginx.conf" >proxy.log 2>&1 &
        ;;
    haproxy)
        block haproxy >haproxy.cfg
        haproxy -db -f haproxy.cfg >proxy.log 2>&1 &
        ;;
    esac
    proxy=$!
    [ -n "$(block $name)" ] || die "no page has settings for $name"
    ask() { curl -s --cacert fullchain.pem "https://localhost:$port$1" "${@:2}"; }
    passes() { ask /readyz >ready && grep -q ready ready; }
    await $proxy passes
    [ "$(ask /v1/posses -o refused -w '%{http_code}')" = 401 ] || die "$name: a request without a token is accepted"
    ask /v1/posses -H "Authorization: Bearer secret" -d "{\"name\": \"$name\", \"arms\": 3, \"prior\": \"beta\", \"learners\": [\"ucb\"]}" >made
    ask "/v1/posses/$name/decide" -H "Authorization: Bearer secret" -d '{}' >decision && grep -q token decision || die "$name: no decision"
    ask "/v1/posses/$name/events?frames=1" -H "Authorization: Bearer secret" >events && grep -q '"decisions":1' events || die "$name: no events"
    # Events of an endless stream arrive before it ends, and not when a buffer is full.
    rm events
    curl -s --no-buffer --cacert fullchain.pem "https://localhost:$port/v1/posses/$name/events" -H "Authorization: Bearer secret" \
        --output events &
    stream=$!
    await $stream grep -qs '"decisions":1' events
    kill $stream && wait $stream || true
    ask / >page && grep -q "<title>posse" page || die "$name: no board"
    kill $proxy && wait $proxy || true
done
