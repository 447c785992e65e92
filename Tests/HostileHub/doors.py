"""Names addresses within the network to a served hub as those of a push service, in every form there is: none of them is connected to,
whatever a name resolves to or a service answers (boards.md 5.1.9). What the hub connects to is noted where it makes the call.

Usage: doors.py. Needs a C compiler.
"""

import base64
import http.server
import ipaddress
import json
import shutil
import subprocess
import tempfile
import threading
import time

from household import served, until

# Notes every address that is connected to, and resolves names as a stranger's server would: the address stands in the name. One that
# is `public-then` another gives a public address first, and the other afterwards; `both` gives both at once.
NAMES = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
static void note(const char *what, const char *text) {
    char line[300];
    int count = snprintf(line, sizeof line, "%s %s\n", what, text);
    int file = open(getenv("HOSTILE_NOTES"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0) return;
    if (write(file, line, count) < 0) {}
    close(file);
}
int connect(int socket, const struct sockaddr *address, socklen_t size) {
    static int (*real)(int, const struct sockaddr *, socklen_t);
    if (!real) real = dlsym(RTLD_NEXT, "connect");
    char text[100] = "";
    if (address->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, sizeof text);
    else if (address->sa_family == AF_INET6)
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, text, sizeof text);
    if (*text) note("connect", text);
    return real(socket, address, size);
}
int getaddrinfo(const char *name, const char *port, const struct addrinfo *hints, struct addrinfo **found) {
    static int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    static int asked;
    if (!real) real = dlsym(RTLD_NEXT, "getaddrinfo");
    const char *end = name ? strstr(name, ".door.example") : NULL;
    if (!end) return real(name, port, hints, found);
    note("resolve", name);
    char address[100];
    const char *start = name;
    int both = strncmp(name, "both-", 5) == 0, then = strncmp(name, "public-then-", 12) == 0;
    if (both) start += 5;
    if (then) start += 12;
    snprintf(address, sizeof address, "%.*s", (int)(end - start), start);
    for (char *place = address; *place; place++) if (*place == '-') *place = strchr(start, 'v') == start ? ':' : '.';
    char *plain = address[0] == 'v' ? address + 1 : address;
    struct addrinfo here = hints ? *hints : (struct addrinfo){0};
    here.ai_flags |= AI_NUMERICHOST;
    here.ai_family = AF_UNSPEC;
    if (then && asked++ % 2 == 0) return real("192.0.78.9", port, &here, found);
    int result = real(plain, port, &here, found);
    if (both && result == 0) {
        struct addrinfo *other;
        if (real("192.0.78.9", port, &here, &other) == 0) {
            struct addrinfo *last = other;
            while (last->ai_next) last = last->ai_next;
            last->ai_next = *found;
            *found = other;
        }
    }
    return result;
}
"""

# Not of the public Internet, as they are, as numbers, and by names.
HOSTS = [
    "127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "127.0.0.1.", "localhost", "LOCALHOST.", "[::1]", "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:0001]", "[::127.0.0.1]", "[::]", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
    "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "100.64.0.1", "224.0.0.1", "255.255.255.255", "①②⑦.⓪.⓪.①", "127。0。0。1",
    "127-0-0-1.door.example", "10-0-0-1.door.example", "169-254-169-254.door.example", "v--1.door.example", "v--ffff-127.0.0.1.door.example",
    "vfe80--1.door.example", "vfd00--1.door.example", "public-then-127-0-0-1.door.example", "both-127-0-0-1.door.example", "both-10-0-0-1.door.example",
    "user@127.0.0.1", "example.org@127.0.0.1", "127.0.0.1%23.example.org", "127.0.0.1\\@example.org",
]


class Service(http.server.BaseHTTPRequestHandler):
    """What is within the network; whoever asks is noted. It can lead elsewhere."""

    asked, goal = [], None

    def do_POST(self):
        self.asked.append((self.server.server_address[1], self.path))
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.goal:
            self.send_response(int(self.path.rsplit("/", 1)[1]))
            self.send_header("Location", self.goal)
        else:
            self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *_):
        pass


def serve(kind):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"


# A point of P-256 that everybody knows, in the form of RFC 8291's example, and a secret.
KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = base64.urlsafe_b64encode(bytes(16)).decode().rstrip("=")


def subscribe(person, endpoint):
    """As the page's script does."""
    page = person.get("/settings/profile").text
    token = page.split('name="token" value="', 1)[1].split('"', 1)[0]
    body = json.dumps({"endpoint": endpoint, "p256dh": KEY, "auth": SECRET}).encode()
    return person.ask("POST", "/api/hub/v1/push", body, {
        "Content-Type": "application/json", "X-Chirp-Form": token, "Origin": "https://hub.example.org"})


def forbidden(address):
    found = ipaddress.ip_address(address)
    if found.version == 6 and found.ipv4_mapped:
        found = found.ipv4_mapped
    return not found.is_global


def check(hub, notes):
    server, base = serve(Service)
    port = server.server_address[1]
    bob = hub.member("bob")
    taken, refused = [], []
    # One of each at a browser of its own.
    for number, host in enumerate(HOSTS):
        person = hub.member(f"p{number}")
        answer = subscribe(person, f"https://{host}:{port}/push/{number}")
        assert answer.status in (201, 400, 422), f"{host}: {answer.status} {answer.text[:200]}"
        (taken if answer.status == 201 else refused).append((host, person))
        if answer.status == 201:
            id_ = bob.call("GET", f"/api/v1/accounts/lookup?acct=p{number}").json["id"]
            bob.call("POST", f"/api/v1/accounts/{id_}/follow")
    until(lambda: not hub.rows("SELECT 1 FROM pushes WHERE tries = 0"), 60, 0.2, "every message is tried")
    time.sleep(1)
    with open(notes, encoding="utf-8") as file:
        lines = file.read().split("\n")
    connected = [line.split()[1] for line in lines if line.startswith("connect ")]
    resolved = {line.split()[1] for line in lines if line.startswith("resolve ")}
    bad = sorted({address for address in connected if forbidden(address)})
    assert not bad, f"it has connected to {bad}"
    assert not Service.asked, Service.asked
    assert len(resolved) >= 8, f"names are not looked up here: {resolved}"
    kept = hub.rows("SELECT COUNT(*) FROM pushSubscriptions")[0][0]
    print(f"doors: {len(HOSTS)} addresses, {len(refused)} refused at once, {len(taken)} taken and never connected to ({len(resolved)} names "
          f"resolved, {len(connected)} connections to public addresses), {kept} kept for another try")
    server.shutdown()


def redirects(hub):
    """A service that leads elsewhere is left, whichever way it says so. On loopback by a setting for tests."""
    away, goal = serve(type("Away", (Service,), {"asked": [], "goal": None}))
    statuses = [301, 302, 303, 307, 308]
    leading = type("Leading", (Service,), {"asked": [], "goal": f"{goal}/secret"})
    near, base = serve(leading)
    bob = hub.member("bob")
    for status in statuses:
        person = hub.member(f"r{status}")
        answer = subscribe(person, f"{base}/push/{status}")
        assert answer.status == 201, answer.text
        id_ = bob.call("GET", f"/api/v1/accounts/lookup?acct=r{status}").json["id"]
        bob.call("POST", f"/api/v1/accounts/{id_}/follow")
    until(lambda: len(leading.asked) >= len(statuses), 30, 0.1, "every service is asked")
    time.sleep(1)
    assert len(leading.asked) == len(statuses) and not away.RequestHandlerClass.asked, leading.asked
    assert hub.rows("SELECT COUNT(*) FROM pushSubscriptions")[0][0] == 0
    print(f"doors: {len(statuses)} redirects, none followed, each service forgotten")
    near.shutdown()
    away.shutdown()


def main():
    with tempfile.TemporaryDirectory() as folder:
        source, library, notes = f"{folder}/names.c", f"{folder}/names.so", f"{folder}/notes"
        with open(source, "w", encoding="utf-8") as file:
            file.write(NAMES)
        subprocess.run(
            [shutil.which("cc") or shutil.which("clang"), "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        served(
            lambda hub: check(hub, notes), library, HOSTILE_NOTES=notes, CHIRP_HUB_PUBLIC_URL="https://hub.example.org")
        served(
            redirects, CHIRP_HUB_PUBLIC_URL="https://hub.example.org", CHIRP_HUB_IDENTITY_INSECURE_LOOPBACK="true")


main()
