/* SPDX-License-Identifier: BSD-3-Clause */
/* Digests of streams: of a block, of its data, of the order. */
#include "runtime/submit/stream.h"
#include "tests/suite.h"

static struct zoid_access access[2];
static struct zoid_block block;
static struct zoid_message message;

static void set_up(void)
{
    access[0] = (struct zoid_access){.datum = {.kind = ZOID_SLAB, .col = 3}, .mode = ZOID_READ};
    access[1] = (struct zoid_access){.datum = {.kind = ZOID_REUSE, .row = 1}, .mode = ZOID_WRITE};
    block = (struct zoid_block){.zoid = {.t1 = 4}, .naccess = 2, .access = access};
    message = (struct zoid_message){.datum = {.kind = ZOID_MESSAGE, .col = 1}, .peer = 1};
}

/* The digest of the block and then the message. */
static double both(void)
{
    struct zoid_stream s = {0};

    zoid_stream_block(&s, &block);
    zoid_stream_message(&s, &message);
    return zoid_stream_digest(&s);
}

START_TEST(equal_streams_have_equal_digests)
{
    const double first = both();

    ck_assert_double_gt(first, 0);
    ck_assert_double_lt(first, 0x1p52);
    ck_assert_double_eq(first, both());
}
END_TEST

START_TEST(each_part_counts)
{
    const double first = both();

    block.zoid.t1++;
    ck_assert_double_ne(first, both());
    block.zoid.t1--;
    block.region.dim[2].hi = 7;
    ck_assert_double_ne(first, both());
    block.region.dim[2].hi = 0;
    access[1].datum.row++;
    ck_assert_double_ne(first, both());
    access[1].datum.row--;
    access[0].mode = ZOID_UPDATE;
    ck_assert_double_ne(first, both());
    access[0].mode = ZOID_READ;
    message.sends = true;
    ck_assert_double_ne(first, both());
    message.sends = false;
    ck_assert_double_eq(first, both());
}
END_TEST

START_TEST(so_does_the_order)
{
    struct zoid_stream s = {0}, one = {0}, two = {0};

    zoid_stream_message(&s, &message);
    zoid_stream_block(&s, &block);
    ck_assert_double_ne(both(), zoid_stream_digest(&s));
    zoid_stream_add(&one, 1);
    zoid_stream_add(&one, 2);
    zoid_stream_add(&two, 2);
    zoid_stream_add(&two, 1);
    ck_assert_double_ne(zoid_stream_digest(&one), zoid_stream_digest(&two));
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_add_test(tests, equal_streams_have_equal_digests);
    tcase_add_test(tests, each_part_counts);
    tcase_add_test(tests, so_does_the_order);
}

int main(void)
{
    return run_suite("stream", 20, add);
}
