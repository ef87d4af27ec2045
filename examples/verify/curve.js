'use strict'
// secp256k1 with BigInt, enough to check proofs: SPEC.md sections 8.1 and 8.2. Not for secrets: nothing here is
// constant-time.

const crypto = require('node:crypto')
const { Refused } = require('./msgpack.js')

const P = 2n ** 256n - 2n ** 32n - 977n
const Q = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const mod = (x, m = P) => ((x % m) + m) % m

function power (base, exponent) {
  let result = 1n
  for (base = mod(base); exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = result * base % P
    base = base * base % P
  }
  return result
}

// Points in Jacobian coordinates (X/Z², Y/Z³); Z = 0 is infinity, which only exists within a sum.
const ZERO = { X: 0n, Y: 1n, Z: 0n }

function double ({ X, Y, Z }) {
  if (Z === 0n) return ZERO
  const YY = Y * Y % P
  const S = 4n * X * YY % P
  const M = 3n * X * X % P
  const X3 = mod(M * M - 2n * S)
  return { X: X3, Y: mod(M * (S - X3) - 8n * YY * YY), Z: 2n * Y * Z % P }
}

function add (one, other) {
  if (one.Z === 0n) return other
  if (other.Z === 0n) return one
  const ZZ1 = one.Z * one.Z % P
  const ZZ2 = other.Z * other.Z % P
  const U1 = one.X * ZZ2 % P
  const H = mod(other.X * ZZ1 - U1)
  const S1 = one.Y * ZZ2 * other.Z % P
  const R = mod(other.Y * ZZ1 * one.Z - S1)
  if (H === 0n) return R === 0n ? double(one) : ZERO
  const HH = H * H % P
  const HHH = H * HH % P
  const V = U1 * HH % P
  const X = mod(R * R - HHH - 2n * V)
  return { X, Y: mod(R * (V - X) - S1 * HHH), Z: one.Z * other.Z % P * H % P }
}

const neg = ({ X, Y, Z }) => ({ X, Y: mod(-Y), Z })

function mul (scalar, point) {
  let sum = ZERO
  for (const bit of mod(scalar, Q).toString(2)) {
    sum = double(sum)
    if (bit === '1') sum = add(sum, point)
  }
  return sum
}

// Thrown when a sum or product that must be a point is infinity: the proof has failed.
class Infinity extends Error {}

function encode (point) {
  if (point.Z === 0n) throw new Infinity()
  if (!point.bytes) {
    const inverse = power(point.Z, P - 2n)
    const square = inverse * inverse % P
    const y = point.Y * square % P * inverse % P
    const x = (point.X * square % P).toString(16).padStart(64, '0')
    point.bytes = Buffer.from((y & 1n ? '03' : '02') + x, 'hex')
  }
  return point.bytes
}

function decode (bytes) {
  if (bytes.length !== 33 || (bytes[0] !== 2 && bytes[0] !== 3)) throw new Refused('point-encoding')
  const X = BigInt('0x' + bytes.subarray(1).toString('hex'))
  const square = mod(X * X * X + 7n)
  const root = power(square, (P + 1n) / 4n)
  if (X >= P || root * root % P !== square) throw new Refused('point-not-on-curve')
  const Y = (root & 1n) === BigInt(bytes[0] & 1) ? root : P - root
  return { X, Y, Z: 1n, bytes: Buffer.from(bytes) }
}

function scalar (bytes) {
  if (bytes.length !== 32) throw new Refused('scalar-length')
  const k = BigInt('0x' + bytes.toString('hex'))
  if (k >= Q) throw new Refused('scalar-not-below-order')
  return k
}

// Exactly `count` points or scalars, one after the other.
function split (bytes, length, count, read) {
  if (bytes.length !== length * count) throw new Refused('proof-length')
  return Array.from({ length: count }, (_, i) => read(bytes.subarray(i * length, (i + 1) * length)))
}
const points = (bytes, count) => split(bytes, 33, count, decode)
const scalars = (bytes, count) => split(bytes, 32, count, scalar)

// Σ scalar·point over pairs; must not be infinity.
function sum (...terms) {
  const total = terms.reduce((so, [k, point]) => add(so, mul(k, point)), ZERO)
  if (total.Z === 0n) throw new Infinity()
  return total
}

const same = (one, other) => encode(one).equals(encode(other))

const G = decode(Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex'))

function u32 (n) {
  const out = Buffer.alloc(4)
  out.writeUInt32BE(n)
  return out
}

// SPEC.md 8.2
function hashToPoint (label, index) {
  for (let attempt = 0; ; attempt++) {
    const hash = crypto.createHash('sha512').update('majlis/1/hash/to-point\0' + label + '\0')
      .update(u32(index)).update(u32(attempt)).digest()
    try {
      return decode(Buffer.concat([Buffer.from([2]), hash.subarray(0, 32)]))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
  }
}

const many = label => Array.from({ length: 52 }, (_, i) => hashToPoint(label, i))
const CARDS = many('majlis/1/point/card')
const H = hashToPoint('majlis/1/point/chain', 0)
const POSITIONS = many('majlis/1/point/position')

module.exports = {
  Q, G, H, CARDS, POSITIONS, Infinity, mod, add, neg, mul, sum, same, encode, decode, scalar, points, scalars, u32
}
