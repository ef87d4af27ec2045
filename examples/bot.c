/* A bot for all four games in C, with nothing but the standard library (POSIX getline):
 *
 *     cc -O2 -o bot examples/bot.c
 *     majlis join INVITE --bot ./bot
 *
 * It reads one JSON message a line and answers `act` with one of its `legal` actions: among cards the lowest, or the
 * highest when it leads where tricks are wanted; everything else is drawn by lot. Nothing is remembered between two
 * messages. JSON is not parsed into a tree: `skip` steps over one value, `member` finds a field of an object.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading JSON in place: a value is a pointer to its first character; every line ends with a zero byte */

static const char *blank(const char *at) { return at + strspn(at, " \t\r\n"); }

/* Behind the string that begins here. */
static const char *skip_string(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

/* Behind the value that begins here, whatever it is; brackets inside strings do not count. */
static const char *skip(const char *at) {
    int depth = 0;
    do {
        at = blank(at);
        if (*at == '"') at = skip_string(at);
        else if (*at == '{' || *at == '[') { depth++; at++; continue; }
        else if (*at == '}' || *at == ']') { depth--; at++; }
        else at += strcspn(at, ",:{}[]\" \t\r\n");
        at = blank(at);
        if (depth && (*at == ',' || *at == ':')) at++;
    } while (depth > 0 && *at);
    return at;
}

/* The value of a field of the object that begins here, or NULL. */
static const char *member(const char *at, const char *name) {
    if (!at || *(at = blank(at)) != '{') return NULL;
    for (at = blank(at + 1); *at == '"'; at = blank(at)) {
        const char *key = at + 1, *end = skip_string(at);
        at = blank(end);
        if (*at != ':') return NULL;
        at = blank(at + 1);
        if ((size_t)(end - 1 - key) == strlen(name) && !strncmp(key, name, strlen(name))) return at;
        at = blank(skip(at));
        if (*at == ',') at++;
    }
    return NULL;
}

/* The first element of an array, and the one behind an element; NULL at the end. */
static const char *first(const char *at) {
    if (!at || *at != '[') return NULL;
    at = blank(at + 1);
    return *at && *at != ']' ? at : NULL;
}
static const char *next(const char *at) {
    at = blank(skip(at));
    return *at == ',' ? blank(at + 1) : NULL;
}

static int is(const char *value, const char *text) { /* whether a string begins like this */
    return value && *value == '"' && !strncmp(value + 1, text, strlen(text));
}

/* ---- chance: seeded by the peer, so that the same seed at the same table plays the same again (xorshift64) */

static uint64_t state = 1;

static unsigned any(unsigned count) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned)(state % count);
}

/* ---- the decision */

static int rank(const char *action) { /* of `"play TD"`: from 0, the two, to 12, the ace */
    static const char ranks[] = "23456789TJQKA";
    const char *found = strchr(ranks, action[6]);
    return found ? (int)(found - ranks) : 0;
}

/* One of the legal actions: the element itself, quotes and all. */
static const char *decide(const char *view, const char *legal) {
    const char *best = NULL, *one, *contract = member(view, "contract"), *trick = member(view, "trick");
    int high = first(trick) == NULL && !is(contract, "complex") && !is(contract, "ltooshain") && !is(contract, "none");
    unsigned count = 0;
    for (one = first(legal); one; one = next(one), count++)
        if (is(one, "play ") && (!best || (high ? rank(one) > rank(best) : rank(one) < rank(best)))) best = one;
    if (best || !count) return best;
    count = any(count);
    for (one = first(legal); count; count--) one = next(one);
    return one;
}

static void answer(const char *id, const char *action) {
    if (!id || !action) return;
    printf("{\"type\":\"act\",\"id\":%.*s,\"action\":%.*s}\n", (int)strspn(id, "0123456789"), id,
           (int)(skip_string(action) - action), action);
}

/* ---- the conversation */

int main(void) {
    char *line = NULL;
    size_t room = 0;
    printf("{\"type\":\"ready\",\"name\":\"bot.c\",\"version\":\"1\",\"author\":\"Majlis examples\",\"versions\":[1,1]}\n");
    fflush(stdout);
    while (getline(&line, &room, stdin) > 0) {
        const char *type = member(line, "type"), *id = member(line, "id"), *legal = member(line, "legal");
        if (is(type, "hello\"") && member(line, "seed")) state = strtoull(member(line, "seed"), NULL, 10) | 1ull << 60;
        else if (is(type, "act\"")) answer(id, decide(member(line, "view"), legal));
        else if (is(type, "error\"")) answer(id, first(legal)); /* the question is still open: take any of the list */
        else if (is(type, "ask\"") && id) printf("{\"type\":\"vote\",\"id\":%d,\"yes\":true}\n", atoi(id));
        else if (is(type, "ping\"")) printf("{\"type\":\"pong\"}\n");
        else if (is(type, "end\"")) break; /* whatever else comes is no reason to stop */
        fflush(stdout);
    }
    free(line);
    return 0;
}
