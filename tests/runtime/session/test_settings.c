/* SPDX-License-Identifier: BSD-3-Clause */
/* Every row of the table of settings: values to text and back, and refused values. */
#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "runtime/session/settings.h"
#include "runtime/session/store.h"
#include "tests/suite.h"

/* For each key, values in non-canonical spellings (NULL: no test of them here), and values that are
 * refused. */
static const struct {
    const char *key, *text, *canonical, *refused;
} values[] = {
    {"size", "5x07", "5x7", "5x0"},
    {"size", "64", "64", "1K"},
    {"steps", "007", "7", "-1"},
    {"init", "hot", "hot", "warm"},
    {"init", "gaussian:3", "gaussian:3", "gaussian:1,2,3"},
    {"init", "u=0.5", "zero\nu=0.5", "u="},
    {"seed", "18446744073709551615", "18446744073709551615", "18446744073709551616"},
    {"operator", "heat", "heat", "heaty"},
    {"load", NULL, "", ""},
    {"dims", "2", "2", "0"},
    {"radius", "2", "2", "two"},
    {"type", "f64", "f64", "f16"},
    {"boundary", "neumann,x-=dirichlet",
     "x-=dirichlet,x+=neumann,y-=neumann,y+=neumann,z-=neumann,z+=neumann", "w-=neumann"},
    {"absorb_points", "12", "12", "0"},
    {"absorb_reflection", "1e-3", "0.001", "0"},
    {"pml_points", "12", "12", "0"},
    {"pml_reflection", "1e-3", "0.001", "0"},
    {"pml_shift", "2Hz", "2Hz", NULL},
    {"pml_speed", "0.5", "0.5", "-1"},
    {"held", "z-=sine:0.1", "z-=sine:0.1", "z-"},
    {"coefficient", "v2=0.1", "v2=0.1", "v2"},
    {"scale", "v2=2", "v2=2", "=2"},
    {"velocity", "1500", "1500", ""},
    {"vp", "3000", "3000", ""},
    {"vs", "vs.npy", "vs.npy", ""},
    {"density", "2200", "2200", ""},
    {"kappa", "layers:1,2", "layers:1,2", ""},
    {"mean", "arithmetic", "arithmetic", "geometric"},
    {"per_second", "yes", "yes", "perhaps"},
    {"table", "tide=0.5", "tide=0.5", "tide"},
    {"dx", "1e1", "10", "0"},
    {"dx", "1.5km", "1500", "2s"},
    {"dy", "0.5", "0.5", "-1"},
    {"dy", "25mm", "0.025", "-25mm"},
    {"dz", "2", "2", "nan"},
    {"dz", "3m", "3", "1e308km"},
    {"dz", "3km", "3000", " 3m"},
    {"dt", "0.1", "0.1", "-1"},
    {"dt", "1ms", "0.001", "1m"},
    {"dt", "0.5us", "5e-07", "0s"},
    {"dt", "auto", "auto", "longest"},
    {"units", "physical", "physical", "feet"},
    {"border", "0.30000000000000004", "0.30000000000000004", "nan"},
    {"force", "yes", "yes", "perhaps"},
    {"source", "1,2:ricker:0.1", "1,2:ricker:0.1", NULL},
    {"receivers", "z=3", "z=3", NULL},
    {"record", "a.npy", "a.npy", ""},
    {"solver", "ssor", "ssor", "gauss"},
    {"omega", "1.5", "1.5", "fast"},
    {"omega", "auto", "auto", "nan"},
    {"rhs", "layers:1,2", "layers:1,2", ""},
    {"border", "-1e0", "-1", "x"},
    {"tolerance", "0.00000001", "1e-08", "0"},
    {"residual_every", "8", "8", "0"},
    {"subdomain", "2", "2", "1"},
    {"layers", "1", "1", "0"},
    {"forward_only", "no", "no", "never"},
    {"history", "h.csv", "h.csv", ""},
    {"matrix", "band:3", "band:3", ""},
    {"rows", "65536", "65536", "64K"},
    {"duplicates", "sum", "sum", "drop"},
    {"reorder", "rcm", "rcm", "amd"},
    {"format", "sell", "sell", "csr"},
    {"polynomial", "newton:1,2", "newton:1,2", NULL},
    {"terms", "t", "t", ""},
    {"power_iteration", "1e-3", "0.001", "0"},
    {"vectors", "4", "4", "0"},
    {"vector", "x.npy", "x.npy", ""},
    {"method", "leaning", "leaning", "3D"},
    {"method", "b2r", "b2r", ""},
    {"block", "3", "3", "0"},
    {"depth", "3", "3", "x"},
    {"lanes", "2", "2", "0"},
    {"team", "auto", "auto", "none"},
    {"team", "4", "4", "0"},
    {"strip", "auto", "auto", "none"},
    {"strip", "0", "0", "-1"},
    {"cells", "2x2", "2x2", "0"},
    {"epoch", "4", "4", "0"},
    {"traversal", "step", "step", "fast"},
    {"traversal", "gpus=naive", "gpus=naive", "gpu=naive"},
    {"traversal", "gpus=naive,cores=two", "cores=two,gpus=naive", "gpus=fast"},
    {"traversal", "naive,cores=step", "cores=step,gpus=naive", "naive,"},
    {"traversal", "gpus=two,cores=two", "two", "cores"},
    {"traversal", "cores=best", "cores=best", "=best"},
    {"overlap", "off", "off", "no"},
    {"leaf", "1.5K", "1536", "0"},
    {"balance", "split", "split", "both"},
    {"balance", "scheduler", "scheduler", "dmdas"},
    {"places", "cores:1+gpus", "cores:1+gpus", NULL},
    {"split_at", "12", "12", "0"},
    {"split_stay", "yes", "yes", "1"},
    {"cores_method", "naive", "naive", "3D"},
    {"cores_block", "3", "3", "0"},
    {"cores_depth", "3", "3", "x"},
    {"cores_team", "2", "2", "0"},
    {"rates", "keep", "keep", "new"},
    {"ram", "1GiB", "1073741824", "1GB"},
    {"gpu_mem", "16M", "16777216", "0"},
    {"disk", "/scratch:5", "/scratch:5", ""},
    {"disk_mem", "1T", "1099511627776", "1P"},
    {"machine", "h200", "h200", NULL},
    {"nodes", "08", "8", "0"},
    {"ranks", "1x2", "1x2", "x"},
    {"exchange", "joined", "joined", "all"},
    {"oversubscribe", "yes", "yes", "1"},
    {"check", "yes", "yes", "1"},
    {"dump", "d.h5", "d.h5", ""},
    {"report", "r.json", "r.json", ""},
    {"trace", "t", "t", ""},
    {"resumable", "yes", "yes", "maybe"},
    {"checkpoint", "ck", "ck", ""},
    {"checkpoint_every", "5", "5", "0"},
    {"checkpoint_minutes", "0.5", "0.5", "0"},
    {"checkpoint_coefficients", "yes", "yes", "x"},
    {"restart", "ck", "ck", ""},
    {"walltime", "1:30:00", "5400s", "5"},
    {"walltime", "1.5h", "5400s", "1d"},
    {"stop_within", "02:00", "120s", "0s"},
    {"snapshot_every", "5", "5", "0"},
    {"snapshot_fields", "u,v", "u,v", NULL},
    {"out", "o", "o", ""},
    {"snapshot_first", "yes", "yes", "x"},
    {"stride", "2", "2", "0"},
    {"slice", "y=08", "y=8", "w=1"},
};
enum { VALUES = sizeof values / sizeof *values };

static struct zoid_settings settings;

static void set_up(void)
{
    ck_assert_int_eq(zoid_settings_open(&settings), ZOID_OK);
}

static void tear_down(void)
{
    zoid_settings_close(&settings);
}

static void has_text(const struct zoid_setting *row, const char *expected)
{
    char *text = zoid_setting_text(row, &settings);

    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(texts)
{
    const struct zoid_setting *row = zoid_settings_find(values[_i].key);

    ck_assert_ptr_nonnull(row);
    ck_assert(!zoid_setting_has(row, &settings));
    if (values[_i].text) {
        ck_assert_int_eq(zoid_settings_set(&settings, values[_i].key, values[_i].text), ZOID_OK);
        ck_assert(zoid_setting_has(row, &settings));
    }
    has_text(row, values[_i].canonical);
    if (values[_i].refused) {
        ck_assert_int_eq(zoid_settings_set(&settings, values[_i].key, values[_i].refused),
                         ZOID_BAD_ARGUMENT);
        ck_assert_str_eq(zoid_error_key(), values[_i].key);
        has_text(row, values[_i].canonical);
    }
    /* The canonical text is itself accepted. */
    if (!(row->flags & ZOID_MANY)) {
        ck_assert_int_eq(zoid_settings_set(&settings, values[_i].key, values[_i].canonical),
                         ZOID_OK);
        has_text(row, values[_i].canonical);
    }
}
END_TEST

/* Settings that define a result come back from a checkpoint as they were. */
START_TEST(stored)
{
    const struct zoid_setting *row = zoid_settings_find(values[_i].key);
    const char *path = "test_settings.h5";
    struct zoid_stored to = {.values = 0}, from = {.values = 0};
    const struct zoid_stored_value *v;
    struct zoid_h5 *h5 = NULL;
    char *text;

    if (!zoid_h5_version() || !(row->flags & (ZOID_SAME | ZOID_TOTAL)) ||
        row->type->form == ZOID_FORM_LIST)
        return;
    ck_assert_int_eq(zoid_settings_set(&settings, values[_i].key, values[_i].text), ZOID_OK);
    text = zoid_setting_text(row, &settings);
    ck_assert_int_eq(zoid_stored_add(&to, row->key, zoid_store_kind(row, text), text, NULL),
                     ZOID_OK);
    ck_assert_int_eq(zoid_h5_open(path, path, ZOID_H5_NEW, &h5), ZOID_OK);
    ck_assert_msg(!zoid_stored_put(h5, &to), "%s", zoid_error());
    ck_assert_int_eq(zoid_h5_close(&h5), ZOID_OK);
    ck_assert_int_eq(zoid_h5_open(path, path, ZOID_H5_READ, &h5), ZOID_OK);
    ck_assert_msg(!zoid_stored_get(h5, &from), "%s", zoid_error());
    v = zoid_stored_find(&from, row->key);
    ck_assert_ptr_nonnull(v);
    /* One number for all axes is one number. */
    ck_assert(v->kind == to.value[0].kind || row->type->form == ZOID_FORM_AXES);
    ck_assert_int_eq(zoid_settings_set(&settings, row->key, v->text), ZOID_OK);
    has_text(row, values[_i].canonical);
    zoid_h5_close(&h5);
    zoid_stored_free(&to);
    zoid_stored_free(&from);
    free(text);
    unlink(path);
}
END_TEST

static bool tested(const char *key)
{
    for (size_t i = 0; i < VALUES; i++)
        if (!strcmp(values[i].key, key))
            return true;
    return false;
}

START_TEST(rows)
{
    for (const struct zoid_setting *s = zoid_settings_table; s->key; s++) {
        ck_assert_msg(strspn(s->key, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(s->key) &&
                          islower((unsigned char)*s->key),
                      "%s is no key", s->key);
        ck_assert_msg(strlen(s->doc) <= 72, "%s: %zu characters: %s", s->key, strlen(s->doc),
                      s->doc);
        if (s->flags & ZOID_COMPOUND)
            continue;
        ck_assert_msg(zoid_settings_find(s->key) == s, "%s is there twice", s->key);
        ck_assert_msg(tested(s->key), "%s has no line in this test", s->key);
        if (s->fallback)
            has_text(s, !strcmp(s->key, "boundary")
                            ? "x-=dirichlet,x+=dirichlet,y-=dirichlet,y+=dirichlet,z-=dirichlet,"
                              "z+=dirichlet"
                            : s->fallback);
    }
    ck_assert_int_eq(zoid_settings_set(&settings, "sizee", "3"), ZOID_BAD_ARGUMENT);
    ck_assert_ptr_eq(zoid_settings_find("checkpoint-every"),
                     zoid_settings_find("checkpoint_every"));
}
END_TEST

static const struct zoid_setting *spelling(const char *key)
{
    const struct zoid_setting *s = zoid_settings_table;

    while (s->key && !((s->flags & ZOID_COMPOUND) && !strcmp(s->key, key)))
        s++;
    ck_assert_ptr_nonnull(s->key);
    return s;
}

START_TEST(spellings)
{
    const struct zoid_setting *disk = spelling("disk"), *snapshot = spelling("snapshot");

    ck_assert_int_eq(zoid_setting_set(disk, "/a:b:1M", &settings), ZOID_OK);
    ck_assert_str_eq(settings.disk, "/a:b");
    ck_assert_uint_eq(settings.disk_mem, 1 << 20);
    ck_assert_int_eq(zoid_setting_set(disk, "/c:d", &settings), ZOID_OK);
    ck_assert_str_eq(settings.disk, "/c:d");
    ck_assert(!settings.has_disk_mem && settings.disk_mem == 0);
    ck_assert_int_eq(zoid_setting_set(disk, ":5", &settings), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_setting_set(snapshot, "5:u", &settings), ZOID_OK);
    ck_assert_int_eq(settings.snapshot_every, 5);
    ck_assert_str_eq(settings.snapshot_fields, "u");
    ck_assert_int_eq(zoid_setting_set(snapshot, "6", &settings), ZOID_OK);
    ck_assert(settings.snapshot_every == 6 && !settings.snapshot_fields);
    ck_assert_int_eq(zoid_setting_set(snapshot, "6:", &settings), ZOID_BAD_ARGUMENT);
}
END_TEST

START_TEST(lists)
{
    ck_assert_int_eq(zoid_settings_set(&settings, "init", "random"), ZOID_OK);
    ck_assert_int_eq(zoid_settings_set(&settings, "init", "u=1"), ZOID_OK);
    ck_assert_int_eq(zoid_settings_set(&settings, "init", "v=2"), ZOID_OK);
    has_text(zoid_settings_find("init"), "random\nu=1\nv=2");
    zoid_settings_forget_state(&settings);
    has_text(zoid_settings_find("init"), "random");
    for (int i = 0; i < ZOID_MOST_TEXTS; i++)
        ck_assert_int_eq(zoid_settings_set(&settings, "source", "x"), ZOID_OK);
    ck_assert_int_eq(zoid_settings_set(&settings, "source", "x"), ZOID_BAD_ARGUMENT);
}
END_TEST

START_TEST(params)
{
    static const char *const names[] = {"a", "b", "a", "c", "d", "e", "f", "g", "h", "i"};
    enum zoid_status status = ZOID_OK;
    int set = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names && !status; i++) {
        const struct zoid_setting row = zoid_settings_param(names[i], "");

        status = zoid_setting_set(&row, "0.5", &settings);
        set += !status;
    }
    ck_assert_int_eq(status, set == sizeof names / sizeof *names ? ZOID_OK : ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(settings.nparams, set - 1);
    ck_assert_str_eq(settings.param[0].name, "a");
    ck_assert(settings.param[0].value == 0.5);
}
END_TEST

START_TEST(given)
{
    static const char *const expected =
        "{\"size\": \"5x7\", \"init\": [\"zero\", \"u=0.5\"], \"seed\": 7, \"dx\": 0.5, "
        "\"strip\": \"auto\", \"check\": true, \"lambda\": 0.25}";
    const struct zoid_setting lambda = zoid_settings_param("lambda", "");
    char *text;

    text = zoid_settings_given(&settings);
    ck_assert_str_eq(text, "{}");
    free(text);
    ck_assert_int_eq(zoid_settings_set(&settings, "check", NULL), ZOID_OK);
    ck_assert_int_eq(zoid_settings_set(&settings, "strip", "auto"), ZOID_OK);
    ck_assert_int_eq(zoid_settings_set(&settings, "dx", "5e-1"), ZOID_OK);
    ck_assert_int_eq(zoid_settings_set(&settings, "seed", "07"), ZOID_OK);
    ck_assert_int_eq(zoid_settings_set(&settings, "init", "u=0.5"), ZOID_OK);
    ck_assert_int_eq(zoid_settings_set(&settings, "size", "5x7"), ZOID_OK);
    ck_assert_int_eq(zoid_setting_set(&lambda, "0.25", &settings), ZOID_OK);
    text = zoid_settings_given(&settings);
    ck_assert_str_eq(text, expected);
    free(text);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, texts, 0, VALUES);
    tcase_add_loop_test(tests, stored, 0, VALUES);
    tcase_add_test(tests, rows);
    tcase_add_test(tests, spellings);
    tcase_add_test(tests, lists);
    tcase_add_test(tests, params);
    tcase_add_test(tests, given);
}

int main(void)
{
    return run_suite("settings", 20, add);
}
