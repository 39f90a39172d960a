/* SPDX-License-Identifier: BSD-3-Clause */
/* Timelines: parsing StarPU's formats, and the sums. */
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/timeline.h"
#include "tests/suite.h"

static const double NANO = 1e-9;

/* ---- fixtures: output of StarPU 1.4, shortened --------------------------------------------- */

static const char head[] = "%EventDef	PajeCreateContainer	7\n"
                           "%	Time	date\n"
                           "%	Alias	string\n"
                           "%	Type	string\n"
                           "%	Container	string\n"
                           "%	Name	string\n"
                           "%EndEventDef\n"
                           "%EventDef	PajeNewEvent	9\n"
                           "%	Time	date\n"
                           "%	Type	string\n"
                           "%	Container	string\n"
                           "%	Value	string\n"
                           "%EndEventDef\n"
                           "%EventDef PajeSetState 10\n"
                           "%	Time	date\n"
                           "%	Container	string\n"
                           "%	Type	string\n"
                           "%	Value	string\n"
                           "%EndEventDef\n"
                           "%EventDef	PajeEndLink	19\n"
                           "%	Time	date\n"
                           "%	Type	string\n"
                           "%	Container	string\n"
                           "%	Value	string\n"
                           "%	EndContainer	string\n"
                           "%	Key	string\n"
                           "%EndEventDef\n"
                           "%EventDef PajeStartLink 24\n"
                           "%	Time	date\n"
                           "%	Type	string\n"
                           "%	Container	string\n"
                           "%	Value	string\n"
                           "%	StartContainer	string\n"
                           "%	Key	string\n"
                           "%	Handle	string\n"
                           "%	HName	string\n"
                           "%	X	string\n"
                           "%	Y	string\n"
                           "%EndEventDef\n";

/* Two GPUs, one of which marks its work, and a core that takes no part. Two transfers share a link.
 * The first transfer began before the run; the last has 5 GB, which StarPU truncates to 32 bits in
 * its start event; and one never ends. */
static const char events[] =
    "1       MPIP      0       \"MPI Program\"                      	\n"
    "6       Fi       S      FetchingInput       \"1.0 .1 1.0\"            \n"
    "7	0.0 MPIroot      MPIP      0       root\n"
    "7	28.736639000	mn0	Mn	p	MEMNODE0\n"
    "7	28.736639000	mm0	Mm	mn0	MEMMANAGER0\n"
    "7	31.781858000	t363	T	mn0	T0\n"
    "7	31.781858000	w0	W	t363	CPU0\n"
    "7	35.000000000	t364	T	mn1	T1\n"
    "7	35.000000000	w1	W	t364	CUDA0_0\n"
    "7	35.000000000	t365	T	mn2	T2\n"
    "7	35.000000000	w2	W	t365	CUDA1_0\n"
    "10	36.0	w0	WS	\"Sl\"\n"
    "24	99.000000000	F	p	1000	mm0	com_1	55d0	\"\"	0	0\n"
    "9	100.000000000	prog_event	p	\"zoid run begins\"\n"
    "9	101.000000000	pu	p	1\n"
    "10	102.000000000	w1	WS	\"Fi\"\n"
    "10	102.000000000	w1	WS	\"P\"\n"
    "19	104.000000000	F	p	1000	mm1	com_1\n"
    "18	104.000000000	WSL	p	0	w1	steal_0\n"
    "24	105.000000000	PF	p	2000	mm0	com_2	55d0	\"a name\"	0	0\n"
    "10	106.000000000	w1	WS	\"Fi\"\n"
    "19	107.000000000	PF	p	2000	mm1	com_2\n"
    "24	108.000000000	F	p	3000	mm1	com_3	55d0	\"\"	0	0\n"
    "24	108.000000000	F	p	705032704	mm1	com_4	55d1	\"\"	0	0\n"
    "19	109.000000000	F	p	3000	mm2	com_3\n"
    "9	110.250000000	user_event	t365	2054121828\n"
    "24	111.000000000	F	p	4000	mm1	com_7	55d2	\"\"	0	0\n"
    "9	111.500000000	user_event	t360	2054121828\n"
    "19	112.000000000	F	p	5000000000	mm0	com_4\n"
    "19	113.000000000	F	p	4000	mm0	com_7\n"
    "24	113.000000000	F	p	8	mm1	com_5	55d1	\"\"	0	0\n"
    "9	115.000000000	prog_event	p	\"fxt flush\"\n"
    "9	115.250000000	user_event	t365	2054121829\n"
    "9	120.000000000	prog_event	p	\"zoid run ends\"\n"
    "24	121.000000000	F	p	77	mm1	com_6	55d1	\"\"	0	0\n"
    "19	122.000000000	F	p	77	mm0	com_6\n";

static const char records[] = "Name: heat3d_r1_f32\n"
                              "JobId: 1\n"
                              "Tag: 0\n"
                              "WorkerId: 1\n"
                              "MemoryNode: 1\n"
                              "SubmitTime: 100.5\n"
                              "StartTime: 104.000000\n"
                              "EndTime: 108.000000\n"
                              "Iteration: 0 0\n"
                              "Sizes: 2099200 524800\n"
                              "\n"
                              "Control: WontUse\n"
                              "JobId: 9\n"
                              "SubmitTime: 100.6\n"
                              "Handles: 55a1\n"
                              "\n"
                              "JobId: 2\n"
                              "WorkerId: 2\n"
                              "StartTime: 110.000000\n"
                              "EndTime: 115.500000\n"
                              "Iteration: 1 17\n"
                              "\n"
                              "JobId: 3\n"
                              "WorkerId: 1\n"
                              "StartTime: 109.000000\n"
                              "EndTime: 111.000000\n"
                              "\n"
                              "JobId: 4\n"
                              "SubmitTime: 119.0\n"
                              "\n";

static struct zoid_timeline *read_fixture(const char *paje, const char *tasks)
{
    struct zoid_timeline *t;
    FILE *file;

    ck_assert_int_eq(zoid_timeline_create(&t), ZOID_OK);
    file = fmemopen((void *)paje, strlen(paje), "r");
    ck_assert_int_eq(zoid_timeline_read_paje(t, file), ZOID_OK);
    fclose(file);
    file = fmemopen((void *)tasks, strlen(tasks), "r");
    ck_assert_int_eq(zoid_timeline_read_tasks(t, file), ZOID_OK);
    fclose(file);
    return t;
}

/* Two ranks. The second one's clock started 1000 s later and its trace 50 ms earlier, and it runs
 * faster: 11 of its seconds are 10 of the first one's. The second of the marks before the run is
 * good; those between two runs are ignored. */
static const char clocks[] = "9	40.0	prog_event	p	\"zoid clock 7.0399\"\n"
                             "9	50.0	prog_event	p	\"zoid clock 7.05\"\n"
                             "9	100.0	prog_event	p	\"zoid run begins\"\n"
                             "9	110.0	prog_event	p	\"zoid run ends\"\n"
                             "9	111.0	prog_event	p	\"zoid clock 9999.0\"\n"
                             "9	112.0	prog_event	p	\"zoid run begins\"\n"
                             "9	260.0	prog_event	p	\"zoid held 0.2 0.11\"\n"
                             "9	300.0	prog_event	p	\"zoid run ends\"\n";
static const char even[] = "9	10050.0	prog_event	p	\"zoid clock 17.05\"\n";
static const char fast[] = "9	11050.0	prog_event	p	\"zoid clock 17.05\"\n"
                           "9	11060.0	prog_event	p	\"zoid clock 17.04\"\n";
static const char worker[] = "7	1.0	mn0	Mn	p	MEMNODE0\n"
                             "7	1.0	t363	T	mn0	T0\n"
                             "7	1.0	w0	W	t363	CPU0\n";
static const char task[] = "WorkerId: 0\nStartTime: 160.0\nEndTime: 270.0\nIteration: 0 0\n\n";

static struct zoid_timeline *rank_fixture(const char *last)
{
    char paje[sizeof head + sizeof worker + sizeof clocks + sizeof fast];

    snprintf(paje, sizeof paje, "%s%s%s%s", head, worker, clocks, last);
    return read_fixture(paje, task);
}

START_TEST(ranks_have_one_clock)
{
    struct zoid_timeline *all, *part[] = {rank_fixture(even), rank_fixture(fast)};

    ck_assert_int_eq(zoid_timeline_create(&all), ZOID_OK);
    for (int r = 0; r < 2; r++)
        ck_assert_int_eq(zoid_timeline_add_rank(all, r, part[r]), ZOID_OK);
    ck_assert_int_eq(zoid_timeline_finish(all, NULL), ZOID_OK);
    ck_assert_int_eq(zoid_timeline_ranks(all), 2);
    ck_assert_uint_eq(all->workers, 2);
    ck_assert_uint_eq(all->blocks, 2);
    for (int r = 0; r < 2; r++) {
        const double rate = r ? 10.0 / 11 : 1;

        ck_assert_int_eq(all->worker[r].rank, r);
        ck_assert_int_eq(all->block[r].worker, r);
        ck_assert_double_eq_tol(all->block[r].span.begin, 7.05 + 0.11 * rate, NANO);
        ck_assert_double_eq_tol(all->block[r].span.end, 7.05 + 0.22 * rate, NANO);
        zoid_timeline_destroy(&part[r]);
    }
    ck_assert_uint_eq(all->helds, 2);
    ck_assert_double_eq_tol(all->held[0].span.end, 7.05 + 0.1, NANO);
    ck_assert_double_eq_tol(all->held[1].span.end, 7.05 + 0.1 * 10 / 11, NANO);
    ck_assert_double_eq_tol(all->run.begin, 7.05 + 0.05 * 10 / 11, NANO);
    ck_assert_double_eq_tol(all->run.end, 7.3, NANO);
    zoid_timeline_destroy(&all);
}
END_TEST

/* Two ranks of one worker each, and the holds of the first one: two at once while its worker was
 * idle from 2 to 3, then during all of its block from 3 to 6 and its wait until 7, and beyond the
 * end. */
START_TEST(held_workers_are_not_starved)
{
    static const struct zoid_span held[] = {{0.5, 1.5}, {2, 2.75}, {2.5, 8}, {9.5, 99}, {-3, -1}};
    static const struct zoid_span gaps[] = {{1, 1.5}, {2, 3}, {7.5, 8}, {9.5, 10}};
    const struct zoid_timeline_block blocks[] = {{.span = {0, 1}, .worker = 0},
                                                 {.span = {3, 6}, .worker = 0},
                                                 {.span = {7, 7.5}, .worker = 0},
                                                 {.span = {0, 10}, .worker = ZOID_TIMELINE_IDS}};
    struct zoid_timeline *t;
    struct zoid_worker_sum sum;

    ck_assert_int_eq(zoid_timeline_create(&t), ZOID_OK);
    t->ranks = 2;
    for (int r = 0; r < 2; r++) {
        const struct zoid_timeline_worker w = {.id = r * ZOID_TIMELINE_IDS, .rank = r};

        ck_assert_int_eq(zoid_timeline_add_worker(t, &w), ZOID_OK);
    }
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        ck_assert_int_eq(zoid_timeline_add_block(t, &blocks[i]), ZOID_OK);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        ck_assert_int_eq(zoid_timeline_add_held(t, 0, &held[i]), ZOID_OK);
    ck_assert_int_eq(zoid_timeline_add_held(t, 1, &held[2]), ZOID_OK);
    ck_assert_int_eq(zoid_timeline_add_request(t, 0, 6), ZOID_OK);
    ck_assert_int_eq(zoid_timeline_finish(t, NULL), ZOID_OK);
    ck_assert_uint_eq(t->helds, 4);
    ck_assert_uint_eq(t->gaps, 4);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(t->gap[i].worker, 0);
        ck_assert_double_eq(t->gap[i].span.begin, gaps[i].begin);
        ck_assert_double_eq(t->gap[i].span.end, gaps[i].end);
    }
    sum = zoid_timeline_worker_sum(t, 0);
    ck_assert_double_eq(sum.busy, 4.5);
    ck_assert_double_eq(sum.waiting, 1);
    ck_assert_double_eq(sum.held, 2.5);
    ck_assert_double_eq(sum.starved, 2);
    zoid_timeline_destroy(&t);
}
END_TEST

/* Two teams of two, the second of which has one block, and a core beyond them; a run before named
 * the members, too. The first team's block began before its work. */
START_TEST(members_share_the_blocks_of_a_team)
{
    static const char workers[] =
        "7	1.0	t0	T	mn0	T0\n7	1.0	w0	W	t0	CPU0\n"
        "7	1.0	t1	T	mn0	T1\n7	1.0	w1	W	t1	CPU1\n"
        "7	1.0	t2	T	mn0	T2\n7	1.0	w2	W	t2	CPU2\n"
        "7	1.0	t3	T	mn0	T3\n7	1.0	w3	W	t3	CPU3\n"
        "7	1.0	t4	T	mn0	T4\n7	1.0	w4	W	t4	CPU4\n",
                      marks[] = "9	2.0	prog_event	p	\"zoid team 1 0\"\n"
                                "9	2.0	prog_event	p	\"zoid team 1 0\"\n"
                                "9	2.0	prog_event	p	\"zoid team 3 2\"\n"
                                "9	2.0	prog_event	p	\"zoid team 9 0\"\n"
                                "9	2.0	prog_event	p	\"zoid team of none\"\n"
                                "9	10.0	prog_event	p	\"zoid run begins\"\n"
                                "9	12.0	user_event	t0	2054121828\n"
                                "9	18.0	user_event	t0	2054121829\n"
                                "9	30.0	prog_event	p	\"zoid run ends\"\n",
                      tasks[] = "WorkerId: 0\nStartTime: 11.0\nEndTime: 19.0\nIteration: 0 0\n\n"
                                "WorkerId: 2\nStartTime: 20.0\nEndTime: 30.0\nIteration: 1 0\n\n";
    static const double busy[] = {6, 6, 10, 10, 0};
    static const long blocks[] = {1, 0, 1, 0, 0};
    char paje[sizeof head + sizeof workers + sizeof marks];
    struct zoid_timeline *t;
    size_t all;

    snprintf(paje, sizeof paje, "%s%s%s", head, workers, marks);
    t = read_fixture(paje, tasks);
    ck_assert_int_eq(zoid_timeline_finish(t, NULL), ZOID_OK);
    ck_assert_uint_eq(t->workers, 5);
    ck_assert_uint_eq(t->blocks, 4);
    ck_assert_uint_eq(t->shared, 2);
    for (int w = 0; w < 5; w++) {
        const struct zoid_worker_sum sum = zoid_timeline_worker_sum(t, w);

        ck_assert_double_eq_tol(sum.busy, busy[w] * 1e-3, NANO);
        ck_assert_double_eq_tol(sum.starved, (20 - busy[w]) * 1e-3, NANO);
        ck_assert_int_eq(sum.blocks, blocks[w]);
    }
    ck_assert_int_eq(zoid_timeline_rank_sum(t, 0, &all).blocks, 2);
    zoid_timeline_destroy(&t);
}
END_TEST

/* A damaged file must not list workers of another rank. */
START_TEST(borders_and_plans_of_places)
{
    static const char marks[] =
        "9	10.0	prog_event	p	\"zoid run begins\"\n"
        "9	10.0	prog_event	p	\"zoid part 0 leaning, block 8\"\n"
        "9	10.0	prog_event	p	\"zoid part 1 naive, block 3\"\n"
        "9	11.0	prog_event	p	\"zoid border 0 16 40\"\n"
        "9	12.0	prog_event	p	\"zoid border of none\"\n"
        "9	12.0	prog_event	p	\"zoid part\"\n"
        "9	20.0	prog_event	p	\"zoid border 0 16 40\"\n"
        "9	21.0	prog_event	p	\"zoid part 1 naive, block 4\"\n"
        "9	21.0	prog_event	p	\"zoid border 0 24 40\"\n"
        "9	30.0	prog_event	p	\"zoid run ends\"\n";
    char paje[sizeof head + sizeof worker + sizeof marks], printed[2048] = "";
    FILE *out = fmemopen(printed, sizeof printed, "w");
    struct zoid_timeline *t;

    snprintf(paje, sizeof paje, "%s%s%s", head, worker, marks);
    t = read_fixture(paje, task);
    ck_assert_int_eq(zoid_timeline_finish(t, NULL), ZOID_OK);
    ck_assert_uint_eq(t->borders, 3);
    ck_assert_double_eq_tol(t->border[2].time, 21e-3, NANO);
    ck_assert_int_eq(zoid_timeline_moves(t, 0), 1);
    zoid_timeline_print(t, out);
    fclose(out);
    ck_assert_msg(strstr(printed, "\nplace 0: leaning, block 8\nplace 1: naive, block 4\n"
                                  "border 0: first 16 last 24 planes 40 moves 1\n"),
                  "%s", printed);
    zoid_timeline_destroy(&t);
}
END_TEST

START_TEST(a_rank_has_its_own_workers)
{
    static const char more[] = "7	1.0	w65536	W	t363	CPU1\n",
                      tasks[] = "WorkerId: 65536\nStartTime: 160.0\nEndTime: 270.0\n\n"
                                "WorkerId: 2147483647\nStartTime: 160.0\nEndTime: 270.0\n\n"
                                "WorkerId: -1\nStartTime: 160.0\nEndTime: 270.0\n\n";
    char paje[sizeof head + sizeof worker + sizeof more + sizeof clocks];
    struct zoid_timeline *all, *part;

    snprintf(paje, sizeof paje, "%s%s%s%s", head, worker, more, clocks);
    ck_assert_int_eq(zoid_timeline_create(&all), ZOID_OK);
    for (int r = 0; r < 2; r++) {
        part = read_fixture(paje, tasks);
        ck_assert_int_eq(zoid_timeline_add_rank(all, r, part), ZOID_OK);
        zoid_timeline_destroy(&part);
    }
    ck_assert_int_eq(zoid_timeline_finish(all, NULL), ZOID_OK);
    ck_assert_uint_eq(all->workers, 2);
    ck_assert_uint_eq(all->blocks, 0);
    zoid_timeline_destroy(&all);
}
END_TEST

START_TEST(ranks_without_clocks_are_refused)
{
    struct zoid_timeline *all, *part = read_fixture(head, task);

    ck_assert_int_eq(zoid_timeline_create(&all), ZOID_OK);
    ck_assert_int_eq(zoid_timeline_add_rank(all, 3, part), ZOID_RESOURCE);
    ck_assert_ptr_nonnull(strstr(zoid_error(), "rank 3"));
    zoid_timeline_destroy(&part);
    zoid_timeline_destroy(&all);
}
END_TEST

static struct zoid_timeline *fixture(size_t *idle)
{
    char paje[sizeof head + sizeof events];
    struct zoid_timeline *t;

    snprintf(paje, sizeof paje, "%s%s", head, events);
    t = read_fixture(paje, records);
    ck_assert_int_eq(zoid_timeline_finish(t, idle), ZOID_OK);
    return t;
}

START_TEST(reads_workers_and_blocks)
{
    size_t idle;
    struct zoid_timeline *t = fixture(&idle);

    ck_assert_uint_eq(idle, 1);
    ck_assert_uint_eq(t->workers, 2);
    ck_assert_str_eq(t->worker[0].name, "GPU 0");
    ck_assert_str_eq(t->worker[1].name, "GPU 1");
    ck_assert_int_eq(t->worker[1].node, 2);
    ck_assert_double_eq_tol(t->run.begin, 0.1, NANO);
    ck_assert_double_eq_tol(t->run.end, 0.12, NANO);
    ck_assert_int_eq(t->overflows, 1);
    ck_assert_uint_eq(t->blocks, 3);
    ck_assert_int_eq(t->passes, 2);
    ck_assert_int_eq(t->block[0].pass, 0);
    ck_assert_int_eq(t->block[0].position, 0);
    ck_assert_int_eq(t->block[1].pass, -1);
    ck_assert_int_eq(t->block[2].worker, 1);
    ck_assert_int_eq(t->block[2].position, 17);
    ck_assert_double_eq_tol(t->block[2].span.begin, 0.11025, NANO);
    ck_assert_double_eq_tol(t->block[2].span.end, 0.11525, NANO);
    zoid_timeline_destroy(&t);
}
END_TEST

START_TEST(reads_transfers)
{
    struct zoid_timeline *t = fixture(NULL);
    struct zoid_link_sum up, down, peer;

    ck_assert_uint_eq(t->links, 3);
    ck_assert_str_eq(t->link[0].name, "upload GPU 0");
    ck_assert_str_eq(t->link[1].name, "download GPU 0");
    ck_assert_str_eq(t->link[2].name, "GPU 0 to GPU 1");
    up = zoid_timeline_link_sum(t, 0);
    down = zoid_timeline_link_sum(t, 1);
    peer = zoid_timeline_link_sum(t, 2);
    ck_assert_int_eq(up.transfers, 2);
    ck_assert_double_eq(up.bytes, 3000);
    /* 100 to 104, of which a part is in the run, and 105 to 107 */
    ck_assert_double_eq_tol(up.busy, 0.006, NANO);
    ck_assert_double_eq(down.bytes, 5e9 + 4000);
    ck_assert_int_eq(down.transfers, 2);
    ck_assert_double_eq_tol(down.busy, 0.005, NANO);
    ck_assert_double_eq(peer.bytes, 3000);
    /* Transfers in 100-104, 105-107, 108-113; of these, 105-107 and 109-113 overlap blocks. */
    ck_assert_double_eq_tol(zoid_timeline_overlap(t), 6.0 / 11, 1e-6);
    zoid_timeline_destroy(&t);
}
END_TEST

START_TEST(tells_waiting_from_starving)
{
    struct zoid_timeline *t = fixture(NULL);
    struct zoid_worker_sum a = zoid_timeline_worker_sum(t, 0), b = zoid_timeline_worker_sum(t, 1);

    /* Requested at 102, arrived at 104; the request at 106, during a block, is not waiting. */
    ck_assert_double_eq_tol(a.busy, 0.006, NANO);
    ck_assert_double_eq_tol(a.waiting, 0.002, NANO);
    ck_assert_double_eq_tol(a.starved, 0.012, NANO);
    ck_assert_int_eq(a.blocks, 2);
    ck_assert_double_eq_tol(b.busy, 0.005, NANO);
    ck_assert_double_eq_tol(b.waiting, 0, NANO);
    ck_assert_double_eq_tol(b.starved, 0.015, NANO);
    zoid_timeline_destroy(&t);
}
END_TEST

/* Another writer of the same format numbers and orders its events differently, and quotes more. */
START_TEST(follows_the_head_of_the_trace)
{
    static const char paje[] = "%EventDef PajeCreateContainer 3\n"
                               "% Name string\n% Alias string\n% Type string\n% Container string\n"
                               "% Time date\n"
                               "%EndEventDef\n"
                               "%EventDef PajePushState 4\n"
                               "% Container string\n% Time date\n% Type string\n% Value string\n"
                               "%EndEventDef\n"
                               "3 \"CPU0\" \"w0\" \"W\" \"t1\" 0\n"
                               "4 w0 1 WS Fi\n"
                               "99 nonsense\n"
                               "x\n"
                               "\n"
                               "4 w0\n";
    static const char tasks[] = "WorkerId: 0\nStartTime: 3\nEndTime: 5\nIteration: 2\n";
    struct zoid_timeline *t = read_fixture(paje, tasks);

    ck_assert_int_eq(zoid_timeline_finish(t, NULL), ZOID_OK);
    ck_assert_uint_eq(t->workers, 1);
    ck_assert_str_eq(t->worker[0].name, "CPU 0");
    ck_assert_uint_eq(t->blocks, 1);
    ck_assert_int_eq(t->block[0].pass, 2);
    /* Without marks the run is the span of its blocks. */
    ck_assert_double_eq_tol(t->run.begin, 0.003, NANO);
    ck_assert_double_eq_tol(zoid_timeline_worker_sum(t, 0).waiting, 0, NANO);
    ck_assert(isnan(zoid_timeline_overlap(t)));
    zoid_timeline_destroy(&t);
}
END_TEST

START_TEST(survives_an_empty_trace)
{
    struct zoid_timeline *t = read_fixture("\n", "\n");

    ck_assert_int_eq(zoid_timeline_finish(t, NULL), ZOID_OK);
    ck_assert_uint_eq(t->workers + t->links + t->blocks, 0);
    zoid_timeline_destroy(&t);
    ck_assert_int_eq(zoid_timeline_read("/dev/null", 1, &t, NULL), ZOID_RESOURCE);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, reads_workers_and_blocks);
    tcase_add_test(tests, reads_transfers);
    tcase_add_test(tests, tells_waiting_from_starving);
    tcase_add_test(tests, follows_the_head_of_the_trace);
    tcase_add_test(tests, survives_an_empty_trace);
    tcase_add_test(tests, ranks_have_one_clock);
    tcase_add_test(tests, held_workers_are_not_starved);
    tcase_add_test(tests, members_share_the_blocks_of_a_team);
    tcase_add_test(tests, borders_and_plans_of_places);
    tcase_add_test(tests, a_rank_has_its_own_workers);
    tcase_add_test(tests, ranks_without_clocks_are_refused);
}

int main(void)
{
    return run_suite("timeline", 60, add);
}
