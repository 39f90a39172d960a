/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of rates: values are read as written, and unusable ones are reported and ignored. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/machine/rates.h"
#include "tests/suite.h"

static char path[] = "/tmp/zoid-rates-XXXXXX";

static struct zoid_machine machine(void)
{
    return (struct zoid_machine){.cpu = "Some CPU",
                                 .isa = ZOID_PORTABLE,
                                 .cores = 4,
                                 .cache = {32 << 10, 1 << 20, 32 << 20},
                                 .cache_sharers = {1, 1, 4},
                                 .gpu = "Some GPU"};
}

static struct zoid_op_rates one_op = {.name = "heat3d_r1_f32",
                                      .tiled = 1.25e-10,
                                      .exceeding = 2e-11,
                                      .visit = 1e-9,
                                      .marched = 2.5e-10,
                                      .marched_visit = 7.5e-10,
                                      .step = 5e-10,
                                      .gpu_step = 2e-12,
                                      .gpu_even = 1e-12,
                                      .cores = {1.25, 0.75, 1.5, 3},
                                      .gpus = {0.5, 2.5, 1.25, 2}};

/* Rates different from all defaults. */
static struct zoid_rates sample(const struct zoid_machine *m)
{
    struct zoid_rates r;

    zoid_rates_defaults(m, &r);
    r.measured = ZOID_RATES_MEMORY | ZOID_RATES_TASKS | ZOID_RATES_GPU | ZOID_RATES_DISK;
    r.workers = 3;
    r.task = 1.5e-5;
    r.gpu_memory = 2.5e-12;
    r.link_both = 1.375;
    r.few[0] = 7e-11;
    r.few[1] = 8e-11;
    r.disk_read = 3e-9;
    r.disk_datum = 2e-4;
    snprintf(r.disk, sizeof r.disk, "/some/folder");
    r.op = &one_op;
    r.ops = 1;
    return r;
}

static void save(const struct zoid_machine *m, const struct zoid_rates *r)
{
    FILE *out = fopen(path, "w");

    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(zoid_rates_write(m, r, out), ZOID_OK);
    ck_assert_int_eq(fclose(out), 0);
}

/* Saves as programs do: the old file stays until the new one is complete. */
static void save_beside(const struct zoid_machine *m, const struct zoid_rates *r)
{
    char beside[sizeof path + 2];
    FILE *out;

    snprintf(beside, sizeof beside, "%s+", path);
    out = fopen(beside, "w");
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(zoid_rates_write(m, r, out), ZOID_OK);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_int_eq(rename(beside, path), 0);
}

static void save_text(const char *text)
{
    FILE *out = fopen(path, "w");

    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
}

static void set_up(void)
{
    int fd;

    strcpy(path + strlen(path) - 6, "XXXXXX");
    fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    setenv("ZOID_RATES", path, 1);
}

static void tear_down(void)
{
    unlink(path);
    unsetenv("ZOID_RATES");
}

/* Expects the defaults, and a note that names the file, contains `word` and gives advice. */
static void expect_refused(const struct zoid_machine *m, const char *word)
{
    struct zoid_rates defaults, r;

    zoid_rates_defaults(m, &defaults);
    zoid_rates_load(m, &r);
    ck_assert(!r.calibrated);
    ck_assert_uint_eq(r.ops, 0);
    ck_assert_msg(strstr(r.note, path) && strstr(r.note, word) && strstr(r.note, "--calibrate") &&
                      !strchr(r.note, '\n'),
                  "'%s' has no '%s'", r.note, word);
    ck_assert(r.task == defaults.task && r.few[0] == defaults.few[0] && r.costs == defaults.costs &&
              !*r.disk);
    zoid_rates_free(&r);
}

static bool same_factors(const struct zoid_factors *a, const struct zoid_factors *b)
{
    return a->near == b->near && a->far == b->far && a->waits == b->waits && a->runs == b->runs;
}

START_TEST(what_is_written_is_read)
{
    const struct zoid_machine m = machine();
    const struct zoid_rates want = sample(&m);
    const struct zoid_op_rates *op;
    struct zoid_rates got;

    save(&m, &want);
    zoid_rates_load(&m, &got);
    ck_assert_msg(got.calibrated && !*got.note, "%s", got.note);
    ck_assert_uint_eq(got.measured, want.measured);
    ck_assert_int_eq(got.workers, want.workers);
    ck_assert(got.task == want.task && got.submit == want.submit &&
              got.gpu_memory == want.gpu_memory && got.few[0] == want.few[0] &&
              got.few[1] == want.few[1] && got.disk_read == want.disk_read &&
              got.disk_datum == want.disk_datum && got.gpu_task == want.gpu_task &&
              got.link_both == want.link_both);
    ck_assert_str_eq(got.disk, want.disk);
    ck_assert_int_eq(got.costs, want.costs);
    op = zoid_rates_find(&got, zoid_op_find("heat", 3, 1, ZOID_F32));
    ck_assert_ptr_nonnull(op);
    ck_assert(op->tiled == one_op.tiled && op->exceeding == one_op.exceeding &&
              op->visit == one_op.visit && op->marched == one_op.marched &&
              op->marched_visit == one_op.marched_visit && op->step == one_op.step &&
              op->gpu_step == one_op.gpu_step && op->gpu_even == one_op.gpu_even &&
              same_factors(&op->cores, &one_op.cores) && same_factors(&op->gpus, &one_op.gpus));
    ck_assert_ptr_null(zoid_rates_find(&got, zoid_op_find("heat", 3, 1, ZOID_F64)));
    zoid_rates_free(&got);
}
END_TEST

/* Operators of other texts have rates of their own, whatever their names are. */
START_TEST(names_have_the_hash_of_a_text)
{
    const struct zoid_machine m = machine();
    const struct zoid_rates want = sample(&m);
    struct zoid_op op = *zoid_op_find("heat", 3, 1, ZOID_F32);
    char name[ZOID_RATES_NAME];

    zoid_rates_name(&op, name);
    ck_assert_str_eq(name, "heat3d_r1_f32");
    ck_assert_ptr_nonnull(zoid_rates_find(&want, &op));
    op.text = 0xabc;
    zoid_rates_name(&op, name);
    ck_assert_str_eq(name, "heat3d_r1_f32 0000000000000abc");
    ck_assert_ptr_null(zoid_rates_find(&want, &op));
}
END_TEST

START_TEST(without_a_file_there_is_nothing_to_say)
{
    const struct zoid_machine m = machine();
    struct zoid_rates r;

    unlink(path);
    zoid_rates_load(&m, &r);
    ck_assert(!r.calibrated && !*r.note);
}
END_TEST

START_TEST(another_machine_is_refused)
{
    static const char *const words[] = {"cpu", "cores", "isa"};
    const struct zoid_machine m = machine();
    const struct zoid_rates r = sample(&m);

    save(&m, &r);
    for (int i = 0; i < 3; i++) {
        struct zoid_machine other = m;

        if (i == 0)
            strcpy(other.cpu, "Another CPU");
        else if (i == 1)
            other.cores++;
        else
            other.isa = ZOID_V3;
        expect_refused(&other, words[i]);
    }
}
END_TEST

/* Rates of cores do not depend on whether the GPU is used. */
START_TEST(a_gpu_that_is_not_used_makes_no_difference)
{
    struct zoid_machine m = machine();
    const struct zoid_rates want = sample(&m);
    struct zoid_rates got;

    save(&m, &want);
    m.gpu[0] = 0;
    zoid_rates_load(&m, &got);
    ck_assert(got.calibrated);
    zoid_rates_free(&got);
}
END_TEST

/* The next GPU may be another model. */
START_TEST(rates_of_a_gpu_that_is_not_used_are_none)
{
    struct zoid_machine m = machine();
    const struct zoid_rates want = sample(&m);
    struct zoid_rates got;

    save(&m, &want);
    m.gpu[0] = 0;
    zoid_rates_load(&m, &got);
    ck_assert_uint_eq(got.measured & ZOID_RATES_GPU, 0);
    ck_assert(got.op[0].gpu_step == 0 && got.op[0].tiled == one_op.tiled);
    zoid_rates_free(&got);
}
END_TEST

/* Of two networks either may be measured, and either may have taught; the rates between ranks of a
 * machine have the factors in them. */
START_TEST(networks_are_kept_one_by_one)
{
    static const struct zoid_network network = {5e-6, 1e-3, 1e-9, 2e-10, 1.5, 0.75, 3};
    const struct zoid_machine m = machine(), far = {.spread = true};
    const bool measured = _i & 1, taught = _i & 2;
    struct zoid_rates r = sample(&m), defaults, got;
    struct zoid_network *here, refined;

    zoid_rates_defaults(&m, &defaults);
    here = &r.network[_i & 4 ? ZOID_SEVERAL_HOSTS : ZOID_ONE_HOST];
    *here = network;
    if (measured)
        r.measured |= zoid_rates_network_part(_i & 4 ? ZOID_SEVERAL_HOSTS : ZOID_ONE_HOST);
    if (!taught)
        here->way_factor = here->wire_factor = here->runs = 0;
    save(&m, &r);
    zoid_rates_load(&m, &got);
    ck_assert_str_eq(got.note, "");
    ck_assert_uint_eq(got.measured & ~(unsigned)(ZOID_RATES_NETWORK - 1),
                      r.measured & ~(unsigned)(ZOID_RATES_NETWORK - 1));
    for (int k = 0; k < ZOID_NETWORKS; k++) {
        const bool changed = &r.network[k] == here;
        const struct zoid_network *want = changed && measured ? here : &defaults.network[k];
        const struct zoid_network *learnt = changed && taught ? here : &defaults.network[k];

        ck_assert(got.network[k].message == want->message && got.network[k].way == want->way &&
                  got.network[k].wire == want->wire && got.network[k].copy == want->copy);
        ck_assert(got.network[k].way_factor == learnt->way_factor &&
                  got.network[k].wire_factor == learnt->wire_factor &&
                  got.network[k].runs == learnt->runs);
    }
    refined = zoid_rates_network(&got, _i & 4 ? &far : &m);
    ck_assert(refined.way == (measured ? 1e-3 : defaults.network[0].way) * (taught ? 1.5 : 1));
    ck_assert(refined.way_factor == 0 && refined.runs == 0);
    zoid_rates_free(&got);
}
END_TEST

START_TEST(a_network_with_a_part_of_its_rates_is_refused)
{
    static const char *const names[] = {"message",    "way",         "wire",
                                        "way_factor", "wire_factor", "runs"};
    const struct zoid_machine m = machine();
    struct zoid_rates r = sample(&m);
    json_t *file;

    r.measured |= zoid_rates_network_part(ZOID_ONE_HOST);
    r.network[ZOID_ONE_HOST].way_factor = r.network[ZOID_ONE_HOST].wire_factor = 1.5;
    r.network[ZOID_ONE_HOST].runs = 2;
    save(&m, &r);
    file = json_load_file(path, 0, NULL);
    ck_assert_int_eq(
        json_object_del(json_object_get(json_object_get(file, "network"), "one_host"), names[_i]),
        0);
    ck_assert_int_eq(json_dump_file(file, path, 0), 0);
    json_decref(file);
    expect_refused(&m, "broken");
}
END_TEST

/* Machines with different GPUs have separate rates in the same file, and writers keep each
 * other's. */
START_TEST(each_gpu_has_its_rates)
{
    struct zoid_machine one = machine(), two = one, none = one;
    struct zoid_op_rates other_op = {.name = "box27_f32", .gpu_step = 7, .gpu_even = 5};
    struct zoid_rates first = sample(&one), second = first, got;

    strcpy(two.gpu, "Another GPU");
    none.gpu[0] = 0;
    second.gpu_memory = 3.5e-12;
    second.op = &other_op;
    save(&one, &first);
    zoid_rates_load(&two, &got);
    ck_assert(got.calibrated && !(got.measured & ZOID_RATES_GPU) && got.op[0].gpu_step == 0);
    ck_assert(got.op[0].tiled == one_op.tiled && got.task == first.task);
    zoid_rates_free(&got);
    save_beside(&two, &second);
    save_beside(&none, &second);
    zoid_rates_load(&two, &got);
    ck_assert(got.measured & ZOID_RATES_GPU && got.gpu_memory == second.gpu_memory);
    ck_assert_uint_eq(got.ops, 1);
    ck_assert(got.op[0].gpu_step == 7);
    zoid_rates_free(&got);
    zoid_rates_load(&one, &got);
    ck_assert(got.measured & ZOID_RATES_GPU && got.gpu_memory == first.gpu_memory);
    ck_assert_str_eq(got.op[0].name, one_op.name);
    ck_assert(same_factors(&got.op[0].gpus, &one_op.gpus));
    zoid_rates_free(&got);
}
END_TEST

/* Rates that were not measured are not in the file, so that they stay defaults, also those of a
 * later Zoid. */
START_TEST(parts_are_kept_one_by_one)
{
    static const unsigned parts[] = {ZOID_RATES_MEMORY, ZOID_RATES_TASKS, ZOID_RATES_GPU,
                                     ZOID_RATES_DISK,   ZOID_RATES_LINKS, ZOID_RATES_PEERS};
    const struct zoid_machine m = machine();
    struct zoid_rates r = sample(&m), defaults, got;

    zoid_rates_defaults(&m, &defaults);
    r.link_up = 3e-11;
    r.link_down = 4e-11;
    r.link_peer = 5e-12;
    for (int i = 0; i < 6; i++) {
        r.measured = parts[i];
        save(&m, &r);
        zoid_rates_load(&m, &got);
        ck_assert_msg(got.calibrated && !*got.note, "%s", got.note);
        ck_assert_uint_eq(got.measured, parts[i]);
        ck_assert(got.workers == (i == 0 ? r.workers : defaults.workers));
        ck_assert(got.task == (i == 1 ? r.task : defaults.task));
        ck_assert(got.gpu_memory == (i == 2 ? r.gpu_memory : defaults.gpu_memory));
        ck_assert(got.link_both == (i == 2 ? r.link_both : defaults.link_both));
        ck_assert(got.disk_read == (i == 3 ? r.disk_read : defaults.disk_read));
        ck_assert(got.disk_datum == (i == 3 ? r.disk_datum : defaults.disk_datum));
        ck_assert_str_eq(got.disk, i == 3 ? r.disk : "");
        ck_assert(got.link_up == (i == 4 ? r.link_up : defaults.link_up));
        ck_assert(got.link_down == (i == 4 ? r.link_down : defaults.link_down));
        ck_assert(got.link_peer == (i == 5 ? r.link_peer : defaults.link_peer));
        zoid_rates_free(&got);
    }
}
END_TEST

START_TEST(what_is_measured_is_taken_over)
{
    const struct zoid_machine m = machine();
    struct zoid_op_rates ops[] = {{.name = "heat3d_r1_f32", .gpu_step = 3, .gpu_even = 2},
                                  {.name = "box27_f32", .tiled = 4}};
    struct zoid_rates into, from;

    zoid_rates_defaults(&m, &from);
    from.measured = ZOID_RATES_TASKS | ZOID_RATES_CORE_OPS;
    from.task = 7;
    from.few[0] = 8;
    from.op = &one_op;
    from.ops = 1;
    zoid_rates_defaults(&m, &into);
    ck_assert_int_eq(zoid_rates_merge(&into, &from), ZOID_OK);
    ck_assert(into.calibrated && into.measured == ZOID_RATES_TASKS && into.task == 7);
    ck_assert(into.few[0] != 8);
    from.measured = ZOID_RATES_MEMORY | ZOID_RATES_LINKS | ZOID_RATES_PEERS;
    from.link_up = from.link_down = from.link_peer = 11;
    from.task = 9;
    from.op = ops;
    from.ops = 2;
    ck_assert_int_eq(zoid_rates_merge(&into, &from), ZOID_OK);
    ck_assert(into.measured == (from.measured | ZOID_RATES_TASKS));
    ck_assert(into.link_up == 11 && into.link_down == 11 && into.link_peer == 11);
    ck_assert(into.task == 7 && into.few[0] == 8);
    ck_assert_uint_eq(into.ops, 2);
    ck_assert(into.op[0].tiled == one_op.tiled && into.op[0].gpu_step == 3 &&
              into.op[1].tiled == 4);
    ck_assert(into.op[0].marched == one_op.marched &&
              into.op[0].marched_visit == one_op.marched_visit);
    zoid_rates_free(&into);
}
END_TEST

/* The file is named after the model, without characters that file names cannot have. */
START_TEST(each_model_has_a_file)
{
    struct zoid_machine m = machine();
    char first[1024], second[1024];

    unsetenv("ZOID_RATES");
    setenv("STARPU_HOME", "/home/of/starpu", 1);
    snprintf(m.cpu, sizeof m.cpu, "Some(R) CPU / @ 2.0 GHz");
    ck_assert(zoid_rates_path(&m, first, sizeof first));
    ck_assert_msg(strstr(first, "/zoid-rates-Some-R-CPU-2-0-GHz-4-") && strstr(first, "Some-GPU"),
                  "%s", first);
    m.gpu[0] = 0;
    ck_assert(zoid_rates_path(&m, second, sizeof second));
    ck_assert_str_ne(first, second);
    ck_assert_ptr_null(strstr(second, "GPU"));
}
END_TEST

START_TEST(the_environment_says_how_they_are_used)
{
    enum zoid_rates_use use;

    unsetenv("ZOID_RATES_MODE");
    ck_assert_int_eq(zoid_rates_use(ZOID_RATES_UNSAID, ZOID_RATES_LEARN, &use), ZOID_OK);
    ck_assert_int_eq(use, ZOID_RATES_LEARN);
    for (int i = 0; zoid_rates_uses[i]; i++) {
        setenv("ZOID_RATES_MODE", zoid_rates_uses[i], 1);
        ck_assert_int_eq(zoid_rates_use(ZOID_RATES_UNSAID, ZOID_RATES_LEARN, &use), ZOID_OK);
        ck_assert_int_eq(use, ZOID_RATES_LEARN + i);
        ck_assert_int_eq(zoid_rates_use(ZOID_RATES_KEEP, ZOID_RATES_LEARN, &use), ZOID_OK);
        ck_assert_int_eq(use, ZOID_RATES_KEEP);
    }
    setenv("ZOID_RATES_MODE", "sometimes", 1);
    ck_assert_int_eq(zoid_rates_use(ZOID_RATES_UNSAID, ZOID_RATES_LEARN, &use), ZOID_BAD_ARGUMENT);
}
END_TEST

/* Replaces one value in the file. */
static void spoil(const char *object, const char *key, json_t *value)
{
    json_t *file = json_load_file(path, 0, NULL), *at;

    ck_assert_ptr_nonnull(file);
    at = object ? json_object_get(file, object) : file;
    ck_assert_ptr_nonnull(json_object_get(at, key));
    json_object_set_new(at, key, value);
    ck_assert_int_eq(json_dump_file(file, path, 0), 0);
    json_decref(file);
}

START_TEST(another_version_is_refused)
{
    const struct zoid_machine m = machine();
    const struct zoid_rates r = sample(&m);

    save(&m, &r);
    spoil("machine", "zoid", json_string("0.0.0"));
    expect_refused(&m, "zoid");
}
END_TEST

/* Machines that files describe keep their rates from one version to the next. */
START_TEST(described_machines_have_rates_of_any_version)
{
    struct zoid_machine m = machine();
    const struct zoid_rates r = sample(&m);
    struct zoid_rates got;

    save(&m, &r);
    spoil("machine", "zoid", json_string("0.0.0"));
    ck_assert_int_eq(zoid_rates_read(path, &m, &got), ZOID_OK);
    ck_assert(got.calibrated && got.measured == r.measured && got.task == r.task);
    zoid_rates_free(&got);
    m.cores++;
    ck_assert_int_eq(zoid_rates_read(path, &m, &got), ZOID_RESOURCE);
    m.cores--;
    spoil("machine", "format", json_integer(1));
    ck_assert_int_eq(zoid_rates_read(path, &m, &got), ZOID_RESOURCE);
    ck_assert_int_eq(zoid_rates_read("/no/file", &m, &got), ZOID_RESOURCE);
}
END_TEST

START_TEST(another_format_is_refused)
{
    const struct zoid_machine m = machine();
    const struct zoid_rates r = sample(&m);

    save(&m, &r);
    spoil("machine", "format", json_integer(_i));
    expect_refused(&m, "format");
}
END_TEST

START_TEST(broken_files_are_refused)
{
    static const char *const texts[] = {"", "{", "[]", "{}", "12", "{\"machine\": 3}"};
    const struct zoid_machine m = machine();
    const struct zoid_rates r = sample(&m);

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        save_text(texts[i]);
        expect_refused(&m, "");
    }
    for (int i = 0; i < 12; i++) {
        save(&m, &r);
        switch (i) {
        case 0:
            spoil(NULL, "task", json_real(-1));
            break;
        case 1:
            spoil(NULL, "few", json_pack("[f,s]", 1e-10, "fast"));
            break;
        case 2:
            spoil(NULL, "workers", json_integer(0));
            break;
        case 3:
            spoil(NULL, "cost", json_pack("[[f,f]]", 1.0, 1.0));
            break;
        case 4:
            spoil(NULL, "cost", json_pack("[[f,f],[f,f]]", 2.0, 1.0, 1.0, 1.0));
            break;
        case 5:
            spoil(NULL, "operators", json_integer(1));
            break;
        case 6:
            spoil(NULL, "disk", json_integer(1));
            break;
        case 7:
            spoil("operators", one_op.name, json_pack("{s:f, s:i}", "far", 1.5, "runs", -1));
            break;
        case 8:
            spoil("operators", one_op.name, json_pack("{s:s}", "near", "twice"));
            break;
        case 9:
            spoil("gpus", m.gpu, json_pack("{s:f, s:{}}", "gpu_task", 1.0, "operators"));
            break;
        case 10:
            spoil(NULL, "gpus", json_integer(1));
            break;
        default:
            spoil("operators", one_op.name, json_pack("{s:i}", "tiled", 0));
        }
        expect_refused(&m, "broken");
    }
}
END_TEST

START_TEST(what_is_cut_off_is_refused)
{
    const struct zoid_machine m = machine();
    const struct zoid_rates r = sample(&m);
    char text[4096];
    size_t n;
    FILE *in;

    save(&m, &r);
    in = fopen(path, "r");
    n = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    ck_assert_uint_gt(n, 100);
    text[n / 2] = 0;
    save_text(text);
    expect_refused(&m, "broken");
}
END_TEST

/* Six cores: bandwidth was measured on 1, 2 and 4 of them, and on all. */
START_TEST(memory_is_shared_by_those_at_work)
{
    static const struct {
        double workers, seconds;
    } expected[] = {{0.5, 1}, {1, 1}, {1.5, 1.25}, {2, 1.5}, {3, 2.25},
                    {4, 3},   {5, 4}, {6, 5},      {12, 10}};
    struct zoid_rates r = {
        .workers = 6, .costs = 2, .cost = {{1, 0.5}, {2, 5}}, .few = {1, 1.5, 3}};

    ck_assert_int_eq(zoid_rates_few(r.workers), 3);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        ck_assert_double_eq_tol(zoid_rates_memory(&r, expected[i].workers), expected[i].seconds,
                                1e-12);
    r.workers = 1;
    ck_assert_int_eq(zoid_rates_few(r.workers), 0);
    ck_assert_double_eq_tol(zoid_rates_memory(&r, 1), 5, 1e-12);
}
END_TEST

START_TEST(farther_is_never_nearer)
{
    const struct zoid_machine m = machine();
    struct zoid_rates r;
    double before = 0;

    zoid_rates_defaults(&m, &r);
    ck_assert(zoid_rates_distance(&r, 1) == 0 && zoid_rates_distance(&r, 1e15) == 1);
    for (double bytes = 1 << 10; bytes < 1e12; bytes *= 1.3) {
        double distance = zoid_rates_distance(&r, bytes);

        ck_assert(distance >= before && distance <= 1);
        before = distance;
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, what_is_written_is_read);
    tcase_add_test(tests, names_have_the_hash_of_a_text);
    tcase_add_test(tests, without_a_file_there_is_nothing_to_say);
    tcase_add_test(tests, another_machine_is_refused);
    tcase_add_test(tests, a_gpu_that_is_not_used_makes_no_difference);
    tcase_add_test(tests, rates_of_a_gpu_that_is_not_used_are_none);
    tcase_add_loop_test(tests, networks_are_kept_one_by_one, 0, 8);
    tcase_add_loop_test(tests, a_network_with_a_part_of_its_rates_is_refused, 0, 6);
    tcase_add_test(tests, each_gpu_has_its_rates);
    tcase_add_test(tests, parts_are_kept_one_by_one);
    tcase_add_test(tests, what_is_measured_is_taken_over);
    tcase_add_test(tests, each_model_has_a_file);
    tcase_add_test(tests, the_environment_says_how_they_are_used);
    tcase_add_test(tests, another_version_is_refused);
    tcase_add_test(tests, described_machines_have_rates_of_any_version);
    tcase_add_loop_test(tests, another_format_is_refused, 1, 8);
    tcase_add_test(tests, broken_files_are_refused);
    tcase_add_test(tests, what_is_cut_off_is_refused);
    tcase_add_test(tests, farther_is_never_nearer);
    tcase_add_test(tests, memory_is_shared_by_those_at_work);
}

int main(void)
{
    return run_suite("rates", 60, add);
}
