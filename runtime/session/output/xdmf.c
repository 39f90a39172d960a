/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/output/xdmf.h"

void zoid_xdmf_begin(FILE *out)
{
    fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
          "<Grid Name=\"snapshots\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
          out);
}

/* Three numbers, the slowest axis first. */
static void write_three(const char *name, const double of[ZOID_AXES], FILE *out)
{
    fprintf(out,
            "<DataItem Name=\"%s\" Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" "
            "Format=\"XML\">%.17g %.17g %.17g</DataItem>\n",
            name, of[2], of[1], of[0]);
}

static void write_field(const struct zoid_xdmf_grid *g, const char *field, const char *file,
                        FILE *out)
{
    fprintf(out, "<Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Node\">\n", field);
    /* Three numbers, as in the topology: of fewer VTK's reader takes one row. */
    fprintf(out, "<DataItem Dimensions=\"%ld %ld %ld\" ", g->n[2], g->n[1], g->n[0]);
    fprintf(out, "NumberType=\"%s\" Precision=\"%zu\" Format=\"HDF\">%s:/%s</DataItem>\n",
            g->type == ZOID_U8 ? "UChar" : "Float", zoid_type_size(g->type), file, field);
    fputs("</Attribute>\n", out);
}

void zoid_xdmf_add(const struct zoid_xdmf_grid *g, const struct zoid_xdmf_time *t, FILE *out)
{
    fprintf(out, "<Grid Name=\"%s\" GridType=\"Uniform\">\n<Time Value=\"%.17g\"/>\n", t->file,
            t->time);
    fprintf(out, "<Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"%ld %ld %ld\"/>\n", g->n[2],
            g->n[1], g->n[0]);
    fputs("<Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n", out);
    write_three("origin", g->origin, out);
    write_three("spacing", g->spacing, out);
    fputs("</Geometry>\n", out);
    for (int f = 0; f < g->fields; f++)
        write_field(g, g->field[f], t->file, out);
    fputs("</Grid>\n", out);
}

void zoid_xdmf_end(FILE *out)
{
    fputs("</Grid>\n</Domain>\n</Xdmf>\n", out);
}
