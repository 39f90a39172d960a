# SPDX-License-Identifier: BSD-3-Clause
# Flags that every source of the project is compiled with.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Contraction would make a result depend on the compiler's mood; the sources say fma where they mean
# it.
add_compile_options($<$<COMPILE_LANGUAGE:C>:-ffp-contract=off>
    "$<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra>")
if(ZOID_WERROR)
    add_compile_options($<$<COMPILE_LANGUAGE:C>:-Werror>)
endif()
if(ZOID_SANITIZE)
    list(JOIN ZOID_SANITIZE "," sanitizers)
    add_compile_options("$<$<COMPILE_LANGUAGE:C>:-fsanitize=${sanitizers};-fno-omit-frame-pointer>")
    add_link_options(-fsanitize=${sanitizers})
endif()
