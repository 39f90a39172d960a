/* SPDX-License-Identifier: BSD-3-Clause */
/* Data swapped between main memory and a GPU too small for all of them keep their values, and
 * StarPU's count of their memory is right. Without a GPU they stay in main memory. */
#include <string.h>
#include <sys/mman.h>

#include "runtime/memory/pool.h"
#include "runtime/zoid_advanced.h"
#include "tests/suite.h"

enum { DATA = 24, VALUES = 3 << 17, ROOM = 16 << 20, TURNS = 3 };

static const size_t BYTES = VALUES * sizeof(float); /* a datum: 1.5 MiB */
static struct zoid_context *context;
static starpu_data_handle_t datum[DATA];
static float *memory;

static void setup(void)
{
    struct zoid_context_options limited = {.gpu_mem = ROOM};

    if (zoid_context_open(&limited, &context))
        ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
    memory = malloc(DATA * BYTES);
    ck_assert_ptr_nonnull(memory);
    for (int i = 0; i < DATA; i++) {
        for (int v = 0; v < VALUES; v++)
            memory[i * VALUES + v] = (float)(i + v);
        zoid_pool_register(&datum[i],
                           &(struct zoid_pool_datum){.home = STARPU_MAIN_RAM,
                                                     .at = (uintptr_t)(memory + i * VALUES),
                                                     .bytes = BYTES});
    }
}

static void teardown(void)
{
    for (int i = 0; i < DATA; i++)
        if (datum[i])
            starpu_data_unregister(datum[i]);
    free(memory);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
}

/* Memory node of a GPU, or of main memory. */
static unsigned far_node(void)
{
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++)
        if (starpu_node_get_kind(node) == STARPU_CUDA_RAM)
            return node;
    return STARPU_MAIN_RAM;
}

START_TEST(they_stay_what_they_are)
{
    const unsigned node = far_node();

    for (int t = 0; t < TURNS; t++)
        for (int i = 0; i < DATA; i++) {
            ck_assert_int_eq(starpu_data_acquire_on_node(datum[i], (int)node, STARPU_RW), 0);
            if (node != STARPU_MAIN_RAM)
                ck_assert_uint_le(starpu_memory_get_used(node), ROOM);
            starpu_data_release_on_node(datum[i], (int)node);
        }
    for (int i = 0; i < DATA; i++) {
        const float *value;
        int wrong = 0;

        ck_assert_int_eq(starpu_data_acquire(datum[i], STARPU_R), 0);
        value = starpu_data_handle_to_pointer(datum[i], STARPU_MAIN_RAM);
        ck_assert_ptr_eq(value, memory + i * VALUES);
        ck_assert_uint_eq(starpu_data_get_size(datum[i]), BYTES);
        for (int v = 0; v < VALUES; v++)
            wrong += value[v] != (float)(i + v);
        ck_assert_int_eq(wrong, 0);
        starpu_data_release(datum[i]);
    }
}
END_TEST

/* Room requested in advance is not counted until it is used. */
START_TEST(what_they_take_is_counted)
{
    const unsigned node = far_node();
    size_t before = starpu_memory_get_used(node);

    zoid_pool_make(ROOM);
    zoid_pool_make(UINT64_MAX);
    ck_assert_uint_eq(starpu_memory_get_used(node), before);
    ck_assert_int_eq(starpu_data_acquire_on_node(datum[0], (int)node, STARPU_W), 0);
    starpu_data_release_on_node(datum[0], (int)node);
    ck_assert_uint_eq(starpu_memory_get_used(node), before + (node == STARPU_MAIN_RAM ? 0 : BYTES));
    ck_assert_int_eq(starpu_data_evict_from_node(datum[0], node), node == STARPU_MAIN_RAM ? -1 : 0);
    ck_assert_uint_eq(starpu_memory_get_used(node), before);
}
END_TEST

/* More than 2^32 values of 4 bytes, at addresses without memory behind them. */
START_TEST(a_datum_may_be_of_any_size)
{
    const size_t bytes = ((size_t)1 << 34) + 4;
    starpu_data_handle_t large;
    void *nothing = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    ck_assert_ptr_ne(nothing, MAP_FAILED);
    zoid_pool_register(&large, &(struct zoid_pool_datum){.home = STARPU_MAIN_RAM,
                                                         .at = (uintptr_t)nothing,
                                                         .bytes = bytes});
    ck_assert_uint_eq(starpu_data_get_size(large), bytes);
    ck_assert_uint_eq(starpu_data_get_alloc_size(large), bytes);
    ck_assert_int_eq(starpu_data_acquire(large, STARPU_RW), 0);
    ck_assert_ptr_eq(starpu_data_handle_to_pointer(large, STARPU_MAIN_RAM), nothing);
    starpu_data_release(large);
    starpu_data_unregister(large);
    munmap(nothing, bytes);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, they_stay_what_they_are);
    tcase_add_test(tests, what_they_take_is_counted);
    tcase_add_test(tests, a_datum_may_be_of_any_size);
}

int main(void)
{
    return run_suite("pool", 60, add);
}
