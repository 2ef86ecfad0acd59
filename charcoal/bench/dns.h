// Questions for the address of a name, and answers to them, as DNS has them (RFC 1035).
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// More than any message of the benchmark needs.
#define DNS_SIZE 128
#define DNS_HEADER 12
// An address: a name that refers to the question, type A, class IN, a minute, four bytes.
static const unsigned char dns_record[] = {0xc0, DNS_HEADER, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4};

static inline unsigned dns_number(const unsigned char *at) { return (unsigned)at[0] << 8 | at[1]; }

// Writes the question for a name of at most 100 characters. Returns its size.
static inline size_t dns_ask(unsigned char *into, unsigned id, const char *name) {
  static const unsigned char rest[] = {1, 0, 0, 1, 0, 0, 0, 0, 0, 0};
  into[0] = (unsigned char)(id >> 8);
  into[1] = (unsigned char)id;
  memcpy(into + 2, rest, sizeof rest);
  size_t at = DNS_HEADER;
  for (;;) {
    size_t label = strcspn(name, ".");
    into[at] = (unsigned char)label;
    memcpy(into + at + 1, name, label);
    at += label + 1;
    if (!name[label])
      break;
    name += label + 1;
  }
  static const unsigned char end[] = {0, 0, 1, 0, 1};
  memcpy(into + at, end, sizeof end);
  return at + sizeof end;
}

// Where the name ends that begins at a place; 0 where it does not end.
static inline size_t dns_skip(const unsigned char *text, size_t size, size_t at) {
  while (at < size && text[at] != 0 && text[at] < 0xc0)
    at += text[at] + 1U;
  at += at < size && text[at] >= 0xc0 ? 2 : 1;
  return at <= size ? at : 0;
}

// The address that a name has in the benchmark: a number made of its letters.
static inline uint32_t dns_address(const unsigned char *question, size_t size) {
  uint32_t hash = 2166136261U;
  for (size_t i = DNS_HEADER; i < size; i++)
    hash = (hash ^ question[i]) * 16777619U;
  return hash;
}

// Makes the answer of a question, in its place. Returns its size; 0 where it is no question or has no room.
static inline size_t dns_reply(unsigned char *text, size_t size, size_t room) {
  if (size < DNS_HEADER + 5 || size + sizeof dns_record + 4 > room || dns_number(text + 4) != 1)
    return 0;
  uint32_t address = dns_address(text, size);
  text[2] = 0x81;
  text[3] = 0x80;
  text[7] = 1;
  memcpy(text + size, dns_record, sizeof dns_record);
  size += sizeof dns_record;
  for (int i = 0; i < 4; i++)
    text[size + (size_t)i] = (unsigned char)(address >> (24 - 8 * i));
  return size + 4;
}

// Whether a message answers a question, and with which address.
static inline bool dns_answers(const unsigned char *text, size_t size, const unsigned char *question, size_t asked,
                               uint32_t *address) {
  if (size < asked || dns_number(text) != dns_number(question) || !(text[2] & 0x80) || (text[3] & 15) != 0)
    return false;
  if (dns_number(text + 6) == 0 || memcmp(text + DNS_HEADER, question + DNS_HEADER, asked - DNS_HEADER) != 0)
    return false;
  size_t at = dns_skip(text, size, asked);
  if (at == 0 || at + 14 > size || dns_number(text + at) != 1 || dns_number(text + at + 8) != 4)
    return false;
  const unsigned char *bytes = text + at + 10;
  *address = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
  return true;
}
