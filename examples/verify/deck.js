'use strict'
// The proofs of SPEC.md section 8: what a verifier computes, in the order of that page.

const crypto = require('node:crypto')
const { Refused } = require('./msgpack.js')
const { u64 } = require('./log.js')
const {
  Q, G, H, CARDS, POSITIONS, Infinity, mod, neg, sum, same, encode, decode, scalar, points, scalars, u32
} = require('./curve.js')

const L = 'majlis/1/'
const sha512 = (...parts) => parts.reduce((hash, part) => hash.update(part), crypto.createHash('sha512')).digest()
const number = bytes => BigInt('0x' + bytes.toString('hex'))
const fail = code => { throw new Refused(code) }
const range = count => Array.from({ length: count }, (_, i) => i)

// A proof in which infinity turns up is false.
function proves (code, check) {
  try {
    return check()
  } catch (error) {
    if (error instanceof Infinity) return fail(code)
    throw error
  }
}

// --- 8.3 transcripts ----------------------------------------------------------------------------------------------

class Transcript {
  constructor (context, label) {
    this.hash = crypto.createHash('sha512')
    this.bytes('protocol', Buffer.from(L + 'hash/transcript'))
    this.bytes('proof', Buffer.from(label))
    this.bytes('table', context.table)
    this.int('serial', context.serial)
    this.int('seat', context.seat)
    this.int('counter', context.counter)
    this.bytes('step', Buffer.from(context.step))
    this.bytes('head', context.head)
  }

  frame (kind, label, data) {
    const name = Buffer.from(label)
    const length = Buffer.from([name.length >> 8, name.length & 255])
    for (const part of [kind, length, name, u64(data.length), data]) this.hash.update(part)
  }

  bytes (label, data) { this.frame('A', label, data) }
  int (label, value) { this.bytes(label, u64(value)) }
  points (label, list) { this.bytes(label, Buffer.concat([u32(list.length), ...list.map(encode)])) }
  state () { return this.hash.copy().digest() }

  draw (label) {
    this.frame('D', label, Buffer.alloc(0))
    const digest = this.state()
    this.hash.update(digest)
    return digest
  }

  challenge (label) { return mod(number(this.draw(label)), Q) }

  weights (label, count) {
    const stream = crypto.createHash('shake256', { outputLength: 16 * count })
      .update(L + 'hash/weights').update(this.draw(label)).digest()
    return range(count).map(i => number(stream.subarray(16 * i, 16 * i + 16)) || 1n)
  }
}

// equations: [target, [witness, point], …]
function linear (transcript, equations, witnesses, proof, code) {
  const [c, ...answers] = scalars(proof, 1 + witnesses)
  transcript.int('equations', equations.length)
  for (const [target, ...terms] of equations) {
    transcript.bytes('witnesses', Buffer.from(terms.map(([index]) => index)))
    transcript.points('equation', [target, ...terms.map(([, point]) => point)])
  }
  proves(code, () => transcript.points('commitments', equations.map(([target, ...terms]) =>
    sum([c, target], ...terms.map(([index, point]) => [answers[index], point])))))
  if (transcript.challenge('challenge') !== c) fail(code)
}

const weighted = (rho, list) => list.length === 1 ? list[0] : sum(...list.map((point, i) => [rho[i], point]))

// D = x·P for all P, X = x·G
function powers (transcript, X, list, data, code) {
  const split = 33 * list.length
  if (list.length === 0 || data.length !== split + 64) fail('proof-length')
  const found = points(data.subarray(0, split), list.length)
  transcript.points('points', list)
  transcript.points('powers', found)
  const rho = transcript.weights('weights', list.length)
  const equations = proves(code, () => [[X, [0, G]], [weighted(rho, found), [0, weighted(rho, list)]]])
  linear(transcript, equations, 1, data.subarray(split), code)
  return found
}

const ciphers = (bytes, count) => {
  const flat = points(bytes, 2 * count)
  return range(count).map(i => [flat[2 * i], flat[2 * i + 1]])
}
const trivial = (card, key) => [G, sum([1n, CARDS[card]], [1n, key])]
const minus = (one, other) => sum([1n, one], [1n, neg(other)])

// --- 8.4 keys -----------------------------------------------------------------------------------------------------

function keyCommitment (context, commitment, key, salt) {
  const place = [context.table, u64(context.serial), u64(context.seat)]
  const made = sha512(L + 'hash/key-commitment\0', ...place, encode(key), salt).subarray(0, 32)
  if (!made.equals(commitment)) fail('key-commitment')
}

function key (context, Y, proof) {
  const transcript = new Transcript(context, L + 'proof/key')
  transcript.points('key', [Y])
  linear(transcript, [[Y, [0, G]]], 1, proof, 'key-proof')
}

// --- 8.5 recovery shares, 8.11 recovery -----------------------------------------------------------------------------

function absorbShare (transcript, share) {
  transcript.int('recipient', share.recipient)
  transcript.points('share', [share.key, share.S, share.E])
  transcript.bytes('ciphertext', share.ct)
}

// recipients: [{recipient, key}] in ascending order
function shares (context, Y, recipients, data) {
  const count = recipients.length
  if (data.length !== 98 * count + 32 * (1 + count)) fail('shares-length')
  const published = recipients.map((one, i) => {
    const part = data.subarray(98 * i, 98 * i + 98)
    return { ...one, S: decode(part.subarray(0, 33)), E: decode(part.subarray(33, 66)), ct: part.subarray(66) }
  })
  proves('shares-sum', () => same(sum(...published.map(share => [1n, share.S])), Y) || fail('shares-sum'))
  const transcript = new Transcript(context, L + 'proof/recovery-shares')
  transcript.points('key', [Y])
  transcript.int('recipients', count)
  for (const share of published) absorbShare(transcript, share)
  const equations = published.map((share, i) => [share.E, [i, G]])
  linear(transcript, equations, count, data.subarray(98 * count), 'shares-proof')
  return published
}

// The share in a ciphertext, given D = x_j·E; null when it does not fit S.
function openShare (context, sender, share, D) {
  const place = [context.table, u64(context.serial), u64(sender), u64(share.recipient)]
  const mask = sha512(L + 'hash/share-mask\0', ...place, ...[share.key, share.S, share.E, D].map(encode))
  const s = number(Buffer.from(share.ct.map((byte, i) => byte ^ mask[i])))
  return s > 0n && s < Q && same(sum([s, G]), share.S) ? s : null
}

// Whether a complaint of the author of `context` about its share is justified.
function complaint (context, Y, sender, share, data) {
  const transcript = new Transcript(context, L + 'proof/complaint')
  transcript.points('key', [Y])
  transcript.int('sender', sender)
  absorbShare(transcript, share)
  const [D] = powers(transcript, Y, [share.E], data, 'complaint-proof')
  return openShare(context, sender, share, D) === null
}

function recovery (context, S, list, data) {
  const transcript = new Transcript(context, L + 'proof/recovery')
  transcript.points('share', [S])
  return powers(transcript, S, list, data, 'recovery-proof')
}

// --- Appendix A: the proof of shuffle -------------------------------------------------------------------------------

function shuffleWithin (transcript, inputs, outputs, Y, proof) {
  const N = inputs.length
  if (N < 1 || N > 52 || outputs.length !== N) fail('shuffle-length')
  if (proof.length !== 130 * N + 160) fail('proof-length')
  const list = points(proof.subarray(0, 66 * N), 2 * N)
  const [committed, chain] = [list.slice(0, N), list.slice(N)]
  const [c, s1, s2, s3, s4, ...answers] = scalars(proof.subarray(66 * N), 5 + 2 * N)
  const [sHat, sTilde] = [answers.slice(0, N), answers.slice(N)]
  transcript.int('count', N)
  transcript.points('key', [Y])
  transcript.points('inputs', inputs.flat())
  transcript.points('outputs', outputs.flat())
  transcript.points('permutation', committed)
  const u = transcript.weights('weights', N)
  transcript.points('chain', chain)
  const all = range(N)
  const product = u.reduce((so, one) => so * one % Q, 1n)
  proves('shuffle-proof', () => transcript.points('commitments', [
    sum(...all.map(j => [c, committed[j]]), ...all.map(i => [-c, POSITIONS[i]]), [s1, G]),
    sum([c, chain[N - 1]], [-c * product, H], [s2, G]),
    sum(...all.map(j => [c * u[j], committed[j]]), [s3, G], ...all.map(i => [sTilde[i], POSITIONS[i]])),
    sum(...all.map(j => [c * u[j], inputs[j][0]]), [-s4, G], ...all.map(i => [sTilde[i], outputs[i][0]])),
    sum(...all.map(j => [c * u[j], inputs[j][1]]), [-s4, Y], ...all.map(i => [sTilde[i], outputs[i][1]])),
    ...all.map(i => sum([c, chain[i]], [sHat[i], G], [sTilde[i], i === 0 ? H : chain[i - 1]]))
  ]))
  if (transcript.challenge('challenge') !== c) fail('shuffle-proof')
}

// 8.6, 8.10
function shuffle (context, inputs, outputs, Y, proof) {
  shuffleWithin(new Transcript(context, L + 'proof/shuffle'), inputs, outputs, Y, proof)
}

// --- 8.7 dealing --------------------------------------------------------------------------------------------------

// cards: [{position, cipher, recipient, key}]
function deal (context, Y, cards, data) {
  const count = cards.length
  const recipients = [...new Map(cards.map(card => [card.recipient, card.key]))].sort(([a], [b]) => a - b)
  if (count === 0 || data.length !== 66 * count + 32 * (2 + recipients.length)) fail('deal-length')
  const found = ciphers(data.subarray(0, 66 * count), count)
  const transcript = new Transcript(context, L + 'proof/deal')
  transcript.points('key', [Y])
  transcript.int('cards', count)
  for (const card of cards) {
    transcript.int('position', card.position)
    transcript.points('card', card.cipher)
    transcript.int('recipient', card.recipient)
    transcript.points('recipient key', [card.key])
  }
  transcript.points('shares', found.flat())
  const rho = transcript.weights('weights', count)
  const over = (which, point) => sum(...which.map(i => [rho[i], point(i)]))
  const equations = proves('deal-proof', () => [
    [Y, [0, G]],
    ...recipients.map(([seat], t) =>
      [over(range(count).filter(i => cards[i].recipient === seat), i => found[i][0]), [t + 1, G]]),
    [over(range(count), i => found[i][1]), [0, over(range(count), i => cards[i].cipher[0])],
      ...recipients.map(([, recipientKey], t) => [t + 1, recipientKey])]
  ])
  linear(transcript, equations, 1 + recipients.length, data.subarray(66 * count), 'deal-proof')
  return found
}

// --- 8.8 opening --------------------------------------------------------------------------------------------------

function opening (context, Y, cards, data) {
  const transcript = new Transcript(context, L + 'proof/opening')
  transcript.points('key', [Y])
  transcript.points('cards', cards.flat())
  return powers(transcript, Y, cards.map(([a]) => a), data, 'opening-proof')
}

function own (context, Y, slots, cards, proof) {
  if (slots.length === 0 || cards.some(card => card < 0 || card > 51)) fail('own-card-list')
  if (proof.length !== 64) fail('proof-length')
  const transcript = new Transcript(context, L + 'proof/own-card')
  transcript.points('key', [Y])
  transcript.points('slots', slots.flat())
  transcript.bytes('cards', Buffer.from(cards))
  const rho = transcript.weights('weights', slots.length)
  const equations = proves('own-card-proof', () => [
    [Y, [0, G]],
    [weighted(rho, slots.map(([, b], i) => minus(b, CARDS[cards[i]]))), [0, weighted(rho, slots.map(([a]) => a))]]
  ])
  linear(transcript, equations, 1, proof, 'own-card-proof')
}

// --- 8.9 none of these cards --------------------------------------------------------------------------------------

function none (context, Y, slots, allowed, proof) {
  const members = range(52).filter(card => allowed >> BigInt(card) & 1n)
  const [k, m] = [slots.length, members.length]
  if (k < 1 || k > m) fail('claim-impossible')
  if (proof.length !== 196 * m + 224) fail('proof-length')
  const outputs = ciphers(proof.subarray(0, 66 * m), m)
  const shuffled = proof.subarray(66 * m, 196 * m + 160)
  const transcript = new Transcript(context, L + 'proof/none-of-these')
  transcript.points('key', [Y])
  transcript.points('slots', slots.flat())
  transcript.int('allowed', allowed)
  const inputs = proves('none-proof', () => members.map(card => trivial(card, Y)))
  shuffleWithin(transcript, inputs, outputs, Y, shuffled)
  transcript.bytes('shuffle proof', shuffled)
  const rho = transcript.weights('weights', k)
  const equations = proves('none-proof', () => [
    [Y, [0, G]],
    [weighted(rho, slots.map(([, b], i) => minus(b, outputs[i][1]))),
      [0, weighted(rho, slots.map(([a], i) => minus(a, outputs[i][0])))]]
  ])
  linear(transcript, equations, 1, proof.subarray(196 * m + 160), 'none-proof')
}

// --- 8.10 handing over, 8.12 seals ----------------------------------------------------------------------------------

function handOver (context, Y, slot, recipientKey, given, proof) {
  const transcript = new Transcript(context, L + 'proof/hand-over')
  transcript.points('giver key', [Y])
  transcript.points('slot', slot)
  transcript.points('recipient key', [recipientKey])
  transcript.points('given', given)
  const equations = proves('hand-over-proof', () => [
    [Y, [0, G]],
    [given[0], [1, G]],
    [minus(slot[1], given[1]), [0, slot[0]], [1, neg(recipientKey)]]
  ])
  linear(transcript, equations, 2, proof, 'hand-over-proof')
}

function seal (sealed, table, serial, seat, name, value, nonce) {
  const place = [table, u64(serial), u64(seat), Buffer.from([name.length]), Buffer.from(name)]
  const made = sha512(L + 'hash/seal\0', ...place, Buffer.from([value.length]), value, nonce).subarray(0, 32)
  if (!made.equals(sealed)) fail('seal')
}

// --- 8.13 a prover's own secrets ------------------------------------------------------------------------------------

const withLength = bytes => Buffer.concat([u64(bytes.length), bytes])
const asScalar = bytes => (mod(number(bytes), Q - 1n) + 1n).toString(16).padStart(64, '0')

class Secrets {
  constructor (master) { this.master = master }

  derive (label, ...parts) {
    const tagged = parts.map(part => Buffer.isBuffer(part)
      ? Buffer.concat([Buffer.from('b'), part])
      : typeof part === 'string' ? Buffer.from('s' + part) : Buffer.concat([Buffer.from('i'), u64(part)]))
    const message = Buffer.concat([Buffer.from(L + 'derive/' + label), ...tagged].map(withLength))
    return crypto.createHmac('sha512', this.master).update(message).digest()
  }

  scalar (label, ...parts) { return asScalar(this.derive(label, ...parts)) }
}

function nonces (secret, transcript, fresh, count) {
  const seed = sha512(...[Buffer.from(L + 'derive/nonces'), secret, transcript.state(), fresh].map(withLength))
  const stream = crypto.createHash('shake256', { outputLength: 64 * count }).update(seed).update(u64(1)).digest()
  return range(count).map(i => asScalar(stream.subarray(64 * i, 64 * i + 64)))
}

module.exports = {
  Secrets, nonces, Transcript, ciphers, scalar, decode, keyCommitment, key, shares, openShare, complaint, recovery,
  shuffle, deal, opening, own, none, handOver, seal
}
