/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of a network from synthetic times of messages. */
#include <math.h>

#include "runtime/calibrate/calibrate.h"
#include "tests/suite.h"

static const double sizes[] = {4096, 32768, 262144, 2097152, 16777216, 67108864};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const struct zoid_network networks[] = {{.way = 0.2e-3, .wire = 0.1e-9},
                                               {.way = 1e-3, .wire = 1e-9},
                                               {.way = 2e-6, .wire = 1 / 25e9},
                                               {.way = 50e-6, .wire = 1 / 100e6}};
enum { NETWORKS = sizeof networks / sizeof *networks };

/* Times of `n` sizes with noise of so much either way. */
static struct zoid_network fit(const struct zoid_network *network, int n, double noise)
{
    struct zoid_way ways[SIZES];
    struct zoid_network fitted = {.message = 3};

    for (int i = 0; i < n; i++)
        ways[i] = (struct zoid_way){sizes[i], (network->way + sizes[i] * network->wire) *
                                                  (i % 2 ? 1 + noise : 1 - noise)};
    zoid_calibrate_fit_ways(ways, n, &fitted);
    ck_assert(fitted.message == 3);
    return fitted;
}

START_TEST(exact_times_give_the_network)
{
    for (int n = 2; n <= SIZES; n++) {
        const struct zoid_network fitted = fit(&networks[_i], n, 0);

        ck_assert_msg(fabs(fitted.way / networks[_i].way - 1) < 1e-6 &&
                          fabs(fitted.wire / networks[_i].wire - 1) < 1e-6,
                      "%d sizes: %g, %g", n, fitted.way, fitted.wire);
    }
}
END_TEST

/* Errors are relative: large messages do not drown the way of small ones. */
START_TEST(noise_moves_it_no_farther)
{
    const struct zoid_network fitted = fit(&networks[_i], SIZES, 0.05);

    ck_assert_msg(fabs(fitted.way / networks[_i].way - 1) < 0.1 &&
                      fabs(fitted.wire / networks[_i].wire - 1) < 0.1,
                  "%g, %g", fitted.way, fitted.wire);
}
END_TEST

/* Larger messages that come faster are noise. */
START_TEST(rates_are_positive)
{
    static const struct zoid_way ways[] = {{4096, 2e-3}, {32768, 1e-3}, {262144, 0.5e-3}};
    struct zoid_network fitted;

    zoid_calibrate_fit_ways(ways, 3, &fitted);
    ck_assert(fitted.way > 0 && fitted.wire > 0);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, exact_times_give_the_network, 0, NETWORKS);
    tcase_add_loop_test(tests, noise_moves_it_no_farther, 0, NETWORKS);
    tcase_add_test(tests, rates_are_positive);
}

int main(void)
{
    return run_suite("network", 20, add);
}
