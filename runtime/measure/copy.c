/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "runtime/measure/field.h"

#ifdef __x86_64__
#include <emmintrin.h>
#define ON_X86(...) __VA_ARGS__
#define ELSEWHERE(...)
#else
#define ON_X86(...)
#define ELSEWHERE(...) __VA_ARGS__
#endif

/* memcpy uses non-temporal stores as well, but from a size on that the C library chooses. */
void zoid_stream_copy(void *to, const void *from, size_t bytes)
{
    ON_X86(__m128i *out = to; const __m128i *in = from;
           for (size_t i = 0; i < bytes / sizeof *in; i++)
               _mm_stream_si128(&out[i], _mm_load_si128(&in[i]));
           _mm_sfence();)
    ELSEWHERE(memcpy(to, from, bytes);)
}
