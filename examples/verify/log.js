'use strict'
// The log: framing, labels, signatures, entries, records, heads (SPEC.md sections 2.2, 6 and 7).

const crypto = require('node:crypto')
const { Refused, unpack, typed, is } = require('./msgpack.js')

const L = 'majlis/1/'
const NO_HEAD = Buffer.alloc(32)

function u64 (number) {
  const out = Buffer.alloc(8)
  out.writeBigUInt64BE(BigInt(number))
  return out
}

function framed (...parts) {
  return Buffer.concat(parts.flatMap(part => {
    const bytes = Buffer.isBuffer(part) ? part : typeof part === 'string' ? Buffer.from(part, 'utf8') : u64(part)
    return [u64(bytes.length), bytes]
  }))
}

const sha256 = bytes => crypto.createHash('sha256').update(bytes).digest()
const digest = (label, ...parts) => sha256(framed(label, ...parts))

// --- signatures ---------------------------------------------------------------------------------------------------

const SMALL_ORDER = new Set([
  '00'.repeat(32), '01' + '00'.repeat(31),
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ec' + 'ff'.repeat(30) + '7f', 'ed' + 'ff'.repeat(30) + '7f', 'ee' + 'ff'.repeat(30) + '7f'
])
const SPKI = Buffer.from('302a300506032b6570032100', 'hex') // what precedes an Ed25519 key in DER

function signed (key, label, payload, signature) {
  const name = Buffer.from(label, 'ascii')
  const length = Buffer.from([name.length >> 8, name.length & 255])
  const cleared = Buffer.from(key)
  if (key.length === 32) cleared[31] &= 0x7f
  let good = key.length === 32 && signature.length === 64 && !SMALL_ORDER.has(cleared.toString('hex'))
  if (good) {
    const publicKey = crypto.createPublicKey({ key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' })
    good = crypto.verify(null, Buffer.concat([length, name, payload]), publicKey, signature)
  }
  if (!good) throw new Refused('bad-signature')
}

// --- seats --------------------------------------------------------------------------------------------------------

const CLAIM = {
  key: is.bytes(32),
  name: is.text(60),
  bot: is.text(60),
  machine: is.bytes(32),
  vouch: is.anyBytes,
  terms: is.bytes(32),
  signature: is.bytes(64)
}
const readClaim = map => typed(map, 'seatclaim', CLAIM)

const byCodePoints = (one, other) => Buffer.compare(Buffer.from(one, 'utf8'), Buffer.from(other, 'utf8'))
const sorted = map => framed(...[...map.keys()].sort(byCodePoints).flatMap(name => [name, String(map.get(name))]))
const termsDigest = (table, game, options, rules) =>
  digest(L + 'log/options', table, game, sorted(options), sorted(rules))

function checkClaim (table, terms, claim) {
  if (!claim.terms.equals(terms)) throw new Refused('terms-differ')
  const { key, name, bot, machine, vouch } = claim
  signed(key, L + 'log/seat-claim', framed(table, claim.terms, key, name, bot, machine, vouch), claim.signature)
  if (!machine.equals(key)) signed(machine, L + 'log/seat-vouch', framed(table, key), vouch)
}

const GENESIS = {
  version: is.number,
  table: is.bytes(16),
  game: is.text(60),
  options: is.options,
  rules: is.options,
  seats: is.list(4, one => one instanceof Map)
}

function readGenesis (entry) {
  const map = unpack(entry.body)
  if (map.get('k') !== 'genesis') throw new Refused('genesis-missing')
  const found = typed(map, 'genesis', GENESIS)
  return { ...found, seats: found.seats.map(readClaim) }
}

// --- entries and records ------------------------------------------------------------------------------------------

const ENTRY = {
  author: is.bytes(32),
  counter: is.number,
  height: is.number,
  head: is.bytes(32),
  body: is.blob,
  signature: is.bytes(64)
}
const RECORD = {
  term: is.number,
  height: is.number,
  prev: is.bytes(32),
  entry: value => value instanceof Map,
  signature: is.bytes(64)
}

const readEntry = bytes => typed(unpack(bytes), null, ENTRY)
function readRecord (bytes) {
  const record = typed(unpack(bytes), null, RECORD)
  return { ...record, entry: typed(record.entry, null, ENTRY) }
}

const entryHash = e =>
  digest(L + 'log/entry-hash', e.author, e.counter, e.height, e.head, e.body, e.signature)
const checkEntry = (table, e) =>
  signed(e.author, L + 'log/entry', framed(table, e.author, e.counter, e.height, e.head, e.body), e.signature)
const place = (table, r) => framed(table, r.term, r.height, r.prev, entryHash(r.entry))

// The log as far as it is known.
class Chain {
  constructor (table) {
    this.table = table
    this.host = null
    this.genesis = null
    this.heads = []
    this.entries = new Map() // author → hashes of its entries, by counter − 1
  }

  get head () { return this.heads.length ? this.heads[this.heads.length - 1] : NO_HEAD }

  // Take a record, or throw `Refused` and change nothing (SPEC.md 6.3).
  take (record) {
    const next = BigInt(this.heads.length)
    if (record.height > next) throw new Refused('log-order-bad')
    if (record.term !== 0n) throw new Refused('log-term-bad')
    const payload = place(this.table, record)
    const head = digest(L + 'log/head-hash', payload)
    if (record.height < next && this.heads[Number(record.height)].equals(head)) throw new Refused('log-repeated')
    signed(this.host ?? record.entry.author, L + 'log/head', payload, record.signature)
    if (record.height < next || !record.prev.equals(this.head)) throw new Refused('log-forked')
    this.admit(record.entry)
    if (this.host === null) {
      const genesis = readGenesis(record.entry)
      if (!genesis.table.equals(this.table)) throw new Refused('genesis-missing')
      this.genesis = genesis
      this.host = record.entry.author
    }
    const author = record.entry.author.toString('hex')
    if (!this.entries.has(author)) this.entries.set(author, [])
    this.entries.get(author).push(entryHash(record.entry))
    this.heads.push(head)
  }

  admit (entry) {
    const before = this.entries.get(entry.author.toString('hex')) ?? []
    if (entry.counter !== BigInt(before.length + 1)) {
      const ordered = before[Number(entry.counter) - 1]
      if (ordered !== undefined && !ordered.equals(entryHash(entry))) {
        checkEntry(this.table, entry)
        throw new Refused('author-forked')
      }
      throw new Refused('counter-gap')
    }
    const quoted = entry.height === 0n ? NO_HEAD : this.heads[Number(entry.height) - 1]
    if (quoted === undefined || !quoted.equals(entry.head)) throw new Refused('head-unknown')
    checkEntry(this.table, entry)
  }
}

const holds = check => {
  try {
    check()
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

// SPEC.md 6.5: whether two entries convict their author, two records the host.
function authorForked (table, first, second) {
  return first.author.equals(second.author) && first.counter === second.counter &&
    !entryHash(first).equals(entryHash(second)) &&
    holds(() => { checkEntry(table, first); checkEntry(table, second) })
}

function hostForked (table, host, first, second) {
  const [one, other] = [place(table, first), place(table, second)]
  return first.term === second.term && first.height === second.height && !one.equals(other) &&
    holds(() => {
      signed(host, L + 'log/head', one, first.signature)
      signed(host, L + 'log/head', other, second.signature)
    })
}

module.exports = {
  framed, digest, sha256, u64, signed, termsDigest, checkClaim, readClaim, readGenesis, readEntry, readRecord, Chain,
  authorForked, hostForked
}
