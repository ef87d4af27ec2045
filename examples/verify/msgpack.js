'use strict'
// Frames and MessagePack bodies, as SPEC.md sections 3.1 to 3.3 allow them. Integers come out as BigInt, so that
// nothing is rounded; byte strings as Buffer; maps as Map.

class Refused extends Error {
  constructor (code) {
    super(code)
    this.code = code
  }
}

const MAX_DEPTH = 16
const MAX_ITEMS = 4096
const BEFORE_AUTH = 4096
const AFTER_AUTH = 65536

// The bodies in a stream that has ended.
function * frames (bytes, limit = AFTER_AUTH) {
  let at = 0
  while (at < bytes.length) {
    if (bytes.length - at < 4) throw new Refused('frame-truncated')
    const length = bytes.readUInt32BE(at)
    if (length > limit) throw new Refused('frame-too-long')
    if (bytes.length - at - 4 < length) throw new Refused('frame-truncated')
    yield bytes.subarray(at + 4, at + 4 + length)
    at += 4 + length
  }
}

const garbage = () => { throw new Refused('frame-garbage') }
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

class Reader {
  constructor (bytes) {
    this.bytes = bytes
    this.at = 0
    this.deepest = 0
  }

  take (length) {
    if (length > this.bytes.length - this.at) garbage()
    const part = this.bytes.subarray(this.at, this.at + length)
    this.at += length
    return part
  }

  uint (length) { return BigInt('0x' + this.take(length).toString('hex')) }
  size (length) { return Number(this.uint(length)) }
  int (length) { return BigInt.asIntN(8 * length, this.uint(length)) }

  text (length) {
    try {
      return utf8.decode(this.take(length))
    } catch {
      return garbage()
    }
  }

  value (depth) {
    // A few levels beyond the limit are still read: what is also garbage is called garbage.
    if (depth > 512) throw new Refused('too-deep')
    const kind = this.take(1)[0]
    if (kind < 0x80) return BigInt(kind)
    if (kind < 0x90) return this.map(kind & 15, depth)
    if (kind < 0xa0) return this.list(kind & 15, depth)
    if (kind < 0xc0) return this.text(kind & 31)
    if (kind >= 0xe0) return BigInt(kind - 256)
    switch (kind) {
      case 0xc0: return null
      case 0xc2: return false
      case 0xc3: return true
      case 0xc4: return this.take(this.size(1))
      case 0xc5: return this.take(this.size(2))
      case 0xc6: return this.take(this.size(4))
      case 0xcc: return this.uint(1)
      case 0xcd: return this.uint(2)
      case 0xce: return this.uint(4)
      case 0xcf: return this.uint(8)
      case 0xd0: return this.int(1)
      case 0xd1: return this.int(2)
      case 0xd2: return this.int(4)
      case 0xd3: return this.int(8)
      case 0xd9: return this.text(this.size(1))
      case 0xda: return this.text(this.size(2))
      case 0xdb: return this.text(this.size(4))
      case 0xdc: return this.list(this.size(2), depth)
      case 0xdd: return this.list(this.size(4), depth)
      case 0xde: return this.map(this.size(2), depth)
      case 0xdf: return this.map(this.size(4), depth)
      default: return garbage() // floats, extensions, and the byte that MessagePack never uses
    }
  }

  list (count, depth) {
    if (count > MAX_ITEMS || count > this.bytes.length) garbage()
    this.deepest = Math.max(this.deepest, depth)
    const items = []
    for (let i = 0; i < count; i++) items.push(this.value(depth + 1))
    return items
  }

  map (count, depth) {
    if (count > MAX_ITEMS || count > this.bytes.length) garbage()
    this.deepest = Math.max(this.deepest, depth)
    const found = new Map()
    for (let i = 0; i < count; i++) {
      const key = this.value(depth + 1)
      if (typeof key !== 'string' || found.has(key)) garbage()
      found.set(key, this.value(depth + 1))
    }
    return found
  }
}

// The one map that a body holds.
function unpack (body) {
  const reader = new Reader(body)
  if (body.length === 0) garbage()
  const found = reader.value(1)
  if (!(found instanceof Map) || reader.at !== body.length) garbage()
  if (reader.deepest > MAX_DEPTH) throw new Refused('too-deep')
  return found
}

// --- typed fields (SPEC.md 3.3) -----------------------------------------------------------------------------------

const misfit = () => { throw new Refused('message-misfit') }
const is = {
  bytes: length => value => Buffer.isBuffer(value) && value.length === length,
  blob: value => Buffer.isBuffer(value) && value.length <= 40000,
  anyBytes: value => Buffer.isBuffer(value),
  number: value => typeof value === 'bigint' && value >= 0n && value < 1n << 32n,
  text: most => value => typeof value === 'string' && [...value].length <= most,
  options: value => value instanceof Map && value.size <= 40 && [...value].every(([name, one]) =>
    is.text(40)(name) && (is.text(20)(one) || is.number(one))),
  list: (most, item) => value => Array.isArray(value) && value.length <= most && value.every(item)
}

// A map with exactly these fields, as an object. `kind` is its `k`, or null for maps without one.
function typed (map, kind, fields) {
  if (!(map instanceof Map) || (kind !== null && map.get('k') !== kind)) misfit()
  const known = new Set([...Object.keys(fields), ...(kind === null ? [] : ['k'])])
  for (const name of map.keys()) if (!known.has(name)) misfit()
  const found = {}
  for (const [name, fits] of Object.entries(fields)) {
    if (!map.has(name) || !fits(map.get(name))) misfit()
    found[name] = map.get(name)
  }
  return found
}

// What tests/vectors/wire expects: JSON with byte strings as {"hex": …}, in the spacing of those files.
function asJson (value) {
  if (Buffer.isBuffer(value)) return `{"hex": "${value.toString('hex')}"}`
  if (value instanceof Map) return `{${[...value].map(([k, v]) => `${JSON.stringify(k)}: ${asJson(v)}`).join(', ')}}`
  if (Array.isArray(value)) return `[${value.map(asJson).join(', ')}]`
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}

module.exports = { Refused, frames, unpack, typed, is, asJson, BEFORE_AUTH, AFTER_AUTH }
