# SPDX-License-Identifier: BSD-3-Clause
# The functions and objects that preprocessed C declares and does not define, a name a line.

function say(statement, name, i, n) {
    gsub(/__attribute__ *\(\(.*\)\)/, "", statement)
    gsub(/[ \n]+/, " ", statement)
    sub(/^ /, "", statement)
    if (statement ~ /^(static|typedef)/) return
    if (statement ~ /\(/) {
        sub(/ *\(.*/, "", statement)
        sub(/.*[ *]/, "", statement)
        print statement
    } else if (sub(/^extern (const )?((struct|enum) )?[a-z_0-9]+ /, "", statement)) {
        n = split(statement, name, ",")
        for (i = 1; i <= n; i++) {
            gsub(/\[.*|const|[ *]/, "", name[i])
            print name[i]
        }
    }
}

{ text = text $0 "\n" }

END {
    n = split(text, c, "")
    for (i = 1; i <= n; i++) {
        if (c[i] == "{") {
            depth++
        } else if (c[i] == "}") {
            if (!--depth && statement ~ /^[ \n]*static/) statement = ""
        } else if (!depth && c[i] == ";") {
            say(statement)
            statement = ""
        } else if (!depth) {
            statement = statement c[i]
        }
    }
}
