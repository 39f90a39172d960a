/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: slow_link US NAME ADDRESS NAME ADDRESS
 * Links two network namespaces with a one-way latency of US microseconds. In each namespace it
 * creates a device `slow` with the given address, like 10.1.2.3/24, and forwards packets until it
 * is killed. It prints a line when the link is up; exit status 77: the link cannot be created. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { MTU = 1500, WAITING = 1 << 14 }; /* a full queue drops packets, which TCP sends again */

struct packet {
    double due;
    ssize_t bytes;
    char data[MTU + 64];
};

/* FIFO queue of packets from one device to the other. */
struct way {
    int from, to;
    long first, end;
    struct packet *packet;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int cannot(const char *what)
{
    perror(what);
    exit(77);
}

/* Creates a device in a namespace, and leaves the namespace. */
static int device_in(const char *name, const char *address)
{
    struct ifreq device = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    char path[256], command[512];
    int home = open("/proc/self/ns/net", O_RDONLY), there, fd;

    snprintf(path, sizeof path, "/run/netns/%s", name);
    there = open(path, O_RDONLY);
    if (home < 0 || there < 0 || setns(there, CLONE_NEWNET))
        cannot(path);
    fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    strcpy(device.ifr_name, "slow");
    if (fd < 0 || ioctl(fd, TUNSETIFF, &device))
        cannot("/dev/net/tun");
    snprintf(command, sizeof command, "ip addr add %s dev slow && ip link set slow mtu %d up",
             address, MTU);
    if (system(command) || setns(home, CLONE_NEWNET))
        cannot(command);
    close(there);
    close(home);
    return fd;
}

static void take(struct way *w, double delay)
{
    while (w->end - w->first < WAITING) {
        struct packet *p = &w->packet[w->end % WAITING];

        p->bytes = read(w->from, p->data, sizeof p->data);
        if (p->bytes <= 0)
            return;
        p->due = now() + delay;
        w->end++;
    }
}

/* Forwards packets that are due; returns the seconds until the next one is, at most one second. */
static double give(struct way *w)
{
    for (; w->first < w->end; w->first++) {
        const struct packet *p = &w->packet[w->first % WAITING];
        const double left = p->due - now();

        if (left > 0)
            return left;
        if (write(w->to, p->data, (size_t)p->bytes) < 0)
            return 1e-4; /* the device is full, or not up yet */
    }
    return 1;
}

int main(int argc, char **argv)
{
    struct way way[2];
    double delay;

    if (argc != 6)
        return 2;
    delay = strtod(argv[1], NULL) * 1e-6;
    way[0].from = way[1].to = device_in(argv[2], argv[3]);
    way[1].from = way[0].to = device_in(argv[4], argv[5]);
    for (int i = 0; i < 2; i++) {
        way[i].first = way[i].end = 0;
        way[i].packet = calloc(WAITING, sizeof *way[i].packet);
        if (!way[i].packet)
            return 4;
    }
    puts("ready");
    fflush(stdout);
    for (;;) {
        const double a = give(&way[0]), b = give(&way[1]), next = a < b ? a : b;
        struct pollfd from[] = {{way[0].from, POLLIN, 0}, {way[1].from, POLLIN, 0}};
        struct timespec wait = {(time_t)next, (long)((next - (double)(time_t)next) * 1e9)};

        ppoll(from, 2, &wait, NULL);
        take(&way[0], delay);
        take(&way[1], delay);
    }
}
