/* SPDX-License-Identifier: MIT */
#include "serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "data/decimal.h"

#define BACKLOG 1024
#define PORT_MAX 65535

static bool listen_fail(listening *l, char why[400], const char *where, const char *what) {
    snprintf(why, 400, "cannot listen on %.200s: %s", where, what);
    if (l->socket >= 0) close(l->socket);
    l->socket = -1;
    return false;
}

/* ---------------------------------------------------- Unix sockets ----------------------------------------------- */

/* A server that was killed leaves its socket behind. One that answers is alive. */
static bool is_abandoned(const struct sockaddr_un *address) {
    struct stat about;
    if (stat(address->sun_path, &about) != 0 || !S_ISSOCK(about.st_mode)) return false;
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool refused =
        probe >= 0 && connect(probe, (const struct sockaddr *)address, sizeof *address) != 0 && errno == ECONNREFUSED;
    if (probe >= 0) close(probe);
    return refused;
}

static bool open_unix(const char *where, const char *path, listening *l, char why[400]) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (*path == '\0' || strlen(path) >= sizeof address.sun_path)
        return listen_fail(l, why, where, "the path of a Unix socket has 1 to 107 bytes");
    strcpy(address.sun_path, path);
    if (is_abandoned(&address)) unlink(path);
    l->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mode_t before = umask(0117); /* for the user and the group, such as a proxy's */
    bool bound = l->socket >= 0 && bind(l->socket, (struct sockaddr *)&address, sizeof address) == 0;
    int error = errno;
    umask(before);
    if (!bound) return listen_fail(l, why, where, strerror(error));
    strcpy(l->path, path);
    snprintf(l->address, sizeof l->address, "unix:%s", path);
    l->local = true;
    return true;
}

/* -------------------------------------------------------- TCP ---------------------------------------------------- */

static bool is_loopback(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)address;
        return ntohl(in->sin_addr.s_addr) >> 24 == 127;
    }
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;
    return address->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
}

/* HOST:PORT, [::1]:PORT. */
static bool listen_split(const char *where, char host[256], char port[16]) {
    const char *colon = strrchr(where, ':');
    uint64_t number;
    if (colon == NULL || colon == where) return false;
    size_t length = (size_t)(colon - where), digits = decimal_read_whole(colon + 1, &number);
    bool bracketed = where[0] == '[' && where[length - 1] == ']';
    if (length >= 250 || digits == 0 || digits > 5 || colon[1 + digits] != '\0' || number > PORT_MAX) return false;
    snprintf(host, 256, "%.*s", (int)(bracketed ? length - 2 : length), where + bracketed);
    snprintf(port, 16, "%s", colon + 1);
    return bracketed || strchr(host, ':') == NULL;
}

/* Writes the address with the actual port, which the system has chosen if port 0 was asked for. */
static void write_address(listening *l) {
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    char host[256] = "", port[16] = "";
    getsockname(l->socket, (struct sockaddr *)&own, &length);
    getnameinfo((struct sockaddr *)&own, length, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    bool six = strchr(host, ':') != NULL;
    snprintf(l->address, sizeof l->address, "http://%s%s%s:%s", six ? "[" : "", host, six ? "]" : "", port);
}

static bool bind_one(const struct addrinfo *a, listening *l) {
    int yes = 1;
    l->socket = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
    if (l->socket < 0) return false;
    setsockopt(l->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    /* Connections inherit this. Without it, the end of a long answer waits until a client acknowledges the rest, which
     * it puts off for 40 ms. */
    setsockopt(l->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return bind(l->socket, a->ai_addr, a->ai_addrlen) == 0;
}

static bool open_tcp(const char *where, bool beyond, listening *l, char why[400]) {
    char host[256], port[16];
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found = NULL;
    if (!listen_split(where, host, port))
        return listen_fail(l, why, where, "it must be HOST:PORT, with a port up to 65535, or unix:PATH");
    int error = getaddrinfo(host, port, &wanted, &found);
    if (error != 0) return listen_fail(l, why, where, gai_strerror(error));
    l->local = is_loopback(found->ai_addr);
    bool refused = !l->local && !beyond, bound = !refused && bind_one(found, l);
    int number = errno;
    freeaddrinfo(found);
    if (refused)
        return listen_fail(
            l, why, where,
            "other machines could reach it, and everybody could do everything; give --tokens FILE, or listen on "
            "127.0.0.1 or on a Unix socket");
    if (!bound) return listen_fail(l, why, where, strerror(number));
    write_address(l);
    return true;
}

bool listen_open(const char *where, bool beyond, listening *l, char why[400]) {
    *l = (listening){.socket = -1};
    bool fine = strncmp(where, "unix:", 5) == 0 ? open_unix(where, where + 5, l, why) : open_tcp(where, beyond, l, why);
    if (fine && listen(l->socket, BACKLOG) != 0) return listen_fail(l, why, where, strerror(errno));
    return fine;
}

void listen_close(const listening *l) {
    if (l->path[0] != '\0') unlink(l->path);
}
