/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between ranks: cells, patches, planes, and their rows in the data of a rank. */
#ifndef ZOID_GRAPHS_MESSAGE_H
#define ZOID_GRAPHS_MESSAGE_H

#include "graphs/graph.h"

/* Cell that leaves a message. */
long zoid_message_from(const struct zoid_datum *message);
/* Cell that reads a message. */
long zoid_message_to(const struct zoid_graph *graph, const struct zoid_datum *message);
/* Patch of a message, in the coordinates of the cell that leaves it. */
struct zoid_patch zoid_message_patch(const struct zoid_graph *graph,
                                     const struct zoid_datum *message);
/* Maximum number of planes of a message; 0 if there is no message of that name. Cells that are not
 * neighbours along the chain axis exchange one message per slab; others exchange one for all slabs,
 * in column 0. */
long zoid_message_planes(const struct zoid_graph *graph, const struct zoid_census *census,
                         const struct zoid_datum *message);
/* The heading of a message along the chain axis, and the maximum number of planes of messages of
 * that heading in a column. */
enum zoid_heading { ZOID_DOWNWARD, ZOID_BESIDE, ZOID_UPWARD, ZOID_HEADINGS };
enum zoid_heading zoid_message_heading(const struct zoid_graph *graph,
                                       const struct zoid_datum *message);
long zoid_heading_planes(const struct zoid_graph *graph, const struct zoid_census *census,
                         enum zoid_heading heading, long column);
/* Name the message rows of one rank's census, one datum for each row; `message` has room for all of
 * them. Sent messages come first: one row each, which serves the names of that epoch and the
 * following ones. Received messages have a row for each of ZOID_MESSAGE_EPOCHS names, and so have
 * sent ones if ranks are apart. */
enum { ZOID_MESSAGE_EPOCHS = 3 };
void zoid_rank_messages(const struct zoid_graph *graph, struct zoid_datum *message);
/* Row of a datum among the rows that the graph's census has of its kind. */
long zoid_rank_row(const struct zoid_graph *graph, const struct zoid_census_row *rows,
                   const struct zoid_datum *datum);
/* Number of a message, from 0: the same on both of its ranks, and that of no other message that its
 * sender has. */
long zoid_message_number(const struct zoid_graph *graph, const struct zoid_datum *message);

#endif
