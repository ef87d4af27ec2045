'use strict'
// Runs the files of tests/vectors (SPEC.md section 14) through this verifier.

const fs = require('node:fs')
const path = require('node:path')
const { Refused, frames, unpack, asJson, BEFORE_AUTH } = require('./msgpack.js')
const log = require('./log.js')
const deck = require('./deck.js')
const curve = require('./curve.js')
const rules = require('./rules.js')

const hex = text => Buffer.from(text.replaceAll(' ', ''), 'hex')

// One file: every name with its values in order.
class Vector {
  constructor (text) {
    this.values = new Map()
    for (const line of text.split('\n')) {
      if (line === '' || line.startsWith('#')) continue
      const at = line.indexOf(': ')
      const name = line.slice(0, at)
      if (!this.values.has(name)) this.values.set(name, [])
      this.values.get(name).push(line.slice(at + 2))
    }
  }

  words (name) { return this.values.get(name) ?? [] }
  word (name) { return this.words(name)[0] }
  data (name) { return hex(this.word(name)) }
  datas (name) { return this.words(name).map(hex) }
  number (name) { return Number(this.word(name)) }
  numbers (name) { return this.words(name).map(Number) }
  point (name) { return curve.decode(this.data(name)) }
  points (name) { return this.datas(name).map(curve.decode) }
  ciphers (name) { return this.datas(name).map(bytes => deck.ciphers(bytes, 1)[0]) }
  map (name) { return new Map(this.words(name).map(word => word.split(' '))) }

  context (step = 'step', counter = 'counter', seat = 'seat') {
    return {
      table: this.data('table'),
      serial: this.number('serial'),
      seat: this.number(seat),
      counter: this.number(counter),
      step: this.word(step),
      head: this.data('head')
    }
  }

  recipients () {
    const keys = this.points('recipient-key')
    return this.numbers('recipient').map((recipient, i) => ({ recipient, key: keys[i] }))
  }
}

function same (found, expected) {
  const text = value => Buffer.isBuffer(value) ? value.toString('hex') : JSON.stringify(value)
  if (text(found) !== text(expected)) throw new Error(`${text(found)} instead of ${text(expected)}`)
}

const samePoints = (found, expected) => same(found.map(one => curve.encode(one).toString('hex')),
  expected.map(one => curve.encode(one).toString('hex')))

// A table of cases, one a line; "-" is nothing.
const rows = (v, check) => v.words('case').forEach(line =>
  check(line.split('; ').map(part => part === '-' ? '' : part)))
const pairs = (v, name) => v.words(name).map(line => line.split(' '))

const DUTIES = {
  follow: {},
  trump: { trump: true },
  beat: { trump: true, beat: true },
  'beat-always': { trump: true, beat: true, beatInTrumped: true },
  'under-trump-free': { trump: true, beat: true, underTrumpFree: true }
}

const CHECKS = {
  // log
  framing (v) {
    const read = { bytes: hex, number: BigInt, text: text => text }
    const parts = v.words('part').map(part => read[part.split(' ')[0]](part.slice(part.indexOf(' ') + 1)))
    same(log.framed(...parts), v.data('framed'))
    same(log.digest(v.word('label'), ...parts), v.data('digest'))
  },
  signature: v => log.signed(v.data('key'), v.word('label'), v.data('payload'), v.data('signature')),
  terms: v => same(log.termsDigest(v.data('table'), v.word('game'), v.map('option'), v.map('rule')), v.data('terms')),
  claim: v => log.checkClaim(v.data('table'), v.data('terms'), log.readClaim(unpack(v.data('claim')))),
  chain (v) {
    const chain = new log.Chain(v.data('table'))
    const heads = v.datas('head')
    v.datas('record').forEach((packed, i) => {
      chain.take(log.readRecord(packed))
      if (i < heads.length) same(chain.head, heads[i])
    })
  },
  pack: v => CHECKS.chain(v),
  'author-fork': v => log.authorForked(v.data('table'), ...v.datas('entry').map(log.readEntry)) ? 'fork' : 'no',
  'host-fork': v =>
    log.hostForked(v.data('table'), v.data('host'), ...v.datas('record').map(log.readRecord)) ? 'fork' : 'no',
  score (v) {
    const numbers = [v.word('deal'), v.word('multiplier'), ...v.words('points'), ...v.words('total')]
    same(log.digest('majlis/1/log/score', v.data('table'), log.framed(...numbers)), v.data('digest'))
  },

  // table
  draw: v => same(rules.draw(v.words('card').map(rules.card)), v.numbers('old-seat')),
  layout: v => same(Array.from({ length: 52 }, (_, at) => rules.owner(at, v.number('seats'))), v.numbers('owner')),
  trix: v => rows(v, ([row, fits]) => same(String(rules.fits(rules.set(rules.cards(row)))),
    String(rules.set(rules.cards(fits))))),
  duty: v => rows(v, ([trick, trump, one, excluded, code]) => {
    const duties = DUTIES[v.word('duties')]
    const [X, found] = rules.duty(rules.card(one), rules.cards(trick), 'CDHS'.indexOf(trump || '-'), duties)
    same([X.toString(16).padStart(13, '0'), found], [excluded, code || '-'])
  }),
  beaters: v => rows(v, ([hand, trump, found]) => same(
    rules.beaters(rules.set(rules.cards(hand)), 'CDHS'.indexOf(trump || '-')).toString(16).padStart(13, '0'), found)),
  obligation (v) {
    const hand = pairs(v, 'slot').map(([slot, known]) => [Number(slot), BigInt('0x' + known)])
    const shown = new Map(pairs(v, 'shown').map(([slot, one]) => [Number(slot), rules.card(one)]))
    const named = rules.cards(v.word('action').split(' ').slice(1).join(' '))
    const found = rules.obligation(hand, shown, named, v.numbers('leaves'), BigInt('0x' + v.word('excluded')))
    same(found.opened, v.words('opened').map(rules.card))
    same(found.doubtful, v.numbers('doubtful'))
    same(found.allowed.toString(16).padStart(13, '0'), v.word('allowed'))
  },

  // deck
  point: v => { v.point('data') },
  scalar: v => { deck.scalar(v.data('data')) },
  'card-points': v => samePoints(v.points('point'), curve.CARDS),
  'shuffle-points': v => samePoints(v.points('point'), [curve.H, ...curve.POSITIONS]),
  transcript (v) {
    const made = new deck.Transcript(v.context(), v.word('proof-label'))
    for (const frame of v.words('absorb')) made.bytes(frame.split(' ')[0], hex(frame.split(' ')[1]))
    made.points('points', v.points('absorb-point'))
    made.int('number', v.number('absorb-int'))
    same(made.challenge('challenge').toString(16).padStart(64, '0'), v.word('challenge'))
    const weights = made.weights('weights', v.words('weight').length)
    same(weights.map(weight => weight.toString(16).padStart(32, '0')), v.words('weight'))
    same(made.state(), v.data('state'))
  },
  secrets (v) {
    const own = new deck.Secrets(v.data('master'))
    const place = [v.data('table'), v.number('serial')]
    same(own.scalar('deal-key', ...place), v.word('deal-key'))
    same(own.derive('key-salt', ...place).subarray(0, 32), v.data('key-salt'))
    same(own.scalar('recovery-share', ...place, 1), v.word('recovery-share-to-1'))
    same(own.derive('seal-nonce', ...place, 0, 'void').subarray(0, 32), v.data('seal-nonce-seat-0-void'))
  },
  nonces (v) {
    const transcript = new deck.Transcript(v.context(), v.word('proof-label'))
    same(deck.nonces(v.data('secret'), transcript, v.data('fresh'), v.words('scalar').length), v.words('scalar'))
  },
  'key-commitment': v => deck.keyCommitment(v.context(), v.data('commitment'), v.point('key'), v.data('salt')),
  key: v => deck.key(v.context(), v.point('key'), v.data('proof')),
  shares (v) {
    const published = deck.shares(v.context(), v.point('key'), v.recipients(), v.data('proof'))
    published.forEach((share, i) => {
      const D = curve.mul(deck.scalar(v.datas('recipient-x')[i]), share.E)
      same(deck.openShare(v.context(), v.number('seat'), share, D).toString(16).padStart(64, '0'), v.words('share')[i])
    })
  },
  complaint (v) {
    // `sender-shares` were made in the deal of the vectors, also where the complaint is replayed in another.
    const sent = { ...v.context('shares-step', 'shares-counter', 'sender'), serial: 7 }
    const published = deck.shares(sent, v.point('sender-key'), v.recipients(), v.data('sender-shares'))
    const mine = published.find(share => share.recipient === v.number('seat'))
    same(deck.complaint(v.context(), mine.key, v.number('sender'), mine, v.data('proof')) ? 'yes' : 'no',
      v.word('justified'))
  },
  recovery: v => { deck.recovery(v.context(), v.point('share-point'), v.points('point'), v.data('proof')) },
  shuffle: v => deck.shuffle(v.context(), v.ciphers('input'), v.ciphers('output'), v.point('key'), v.data('proof')),
  mix: v => CHECKS.shuffle(v),
  deal (v) {
    const [ciphers, recipients] = [v.ciphers('card'), v.recipients()]
    const cards = v.numbers('position').map((position, i) => ({ position, cipher: ciphers[i], ...recipients[i] }))
    deck.deal(v.context(), v.point('key'), cards, v.data('proof'))
  },
  opening: v => { deck.opening(v.context(), v.point('key'), v.ciphers('card'), v.data('proof')) },
  own: v => deck.own(v.context(), v.point('key'), v.ciphers('slot'), v.numbers('card'), v.data('proof')),
  'own-two': v => CHECKS.own(v),
  none: v => deck.none(v.context(), v.point('key'), v.ciphers('slot'), BigInt(v.word('allowed')), v.data('proof')),
  'hand-over': v => deck.handOver(v.context(), v.point('key'), v.ciphers('slot')[0], v.point('recipient-key'),
    v.ciphers('given')[0], v.data('proof')),
  seal (v) {
    const value = v.word('action') === undefined ? v.data('value') : Buffer.from(v.word('action'))
    const name = v.word('name') ?? v.word('step')
    deck.seal(v.data('seal'), v.data('table'), v.number('serial'), v.number('seat'), name, value, v.data('nonce'))
  }
}

// What section 14 expects of a deck vector: a false proof, or bytes that no honest program writes.
const FALSE = /^(.*-proof|key-commitment|shares-sum|claim-impossible|seal|joint-key|complaint-false)$/

function judge (vector) {
  try {
    return CHECKS[vector.word('check')](vector) ?? 'ok'
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
}

function agrees (found, expected) {
  if (expected === 'bad-proof') return FALSE.test(found)
  if (expected === 'malformed') return found !== 'ok' && !FALSE.test(found)
  return found === expected
}

function frame (text) {
  const vector = new Vector(text)
  let found
  try {
    const [body] = [...frames(vector.data('bytes'), BEFORE_AUTH)]
    found = asJson(unpack(body))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    found = error.code
  }
  return [vector.word('name'), found, vector.word('expect')]
}

function run (folder) {
  let [good, skipped, bad] = [0, 0, 0]
  const note = (name, found, expected) => {
    if (agrees(found, expected)) {
      good += 1
    } else {
      bad += 1
      console.log(`${name}: ${found} instead of ${expected}`)
    }
  }
  for (const part of ['wire', 'log', 'table', 'deck']) {
    for (const file of fs.readdirSync(path.join(folder, part)).sort()) {
      const text = fs.readFileSync(path.join(folder, part, file), 'utf8')
      if (part === 'wire') {
        const blocks = text.split('\n').filter(line => !line.startsWith('#')).join('\n').split('\n\n')
        for (const block of blocks) if (block.trim()) note(...frame(block))
        continue
      }
      const vector = new Vector(text)
      if (!(vector.word('check') in CHECKS)) {
        skipped += 1 // the stand-in needs whole games, the fingerprint a list of words
      } else {
        note(`${part}/${file}`, judge(vector), vector.word('expect'))
      }
    }
  }
  console.log(`${good} vectors agree, ${bad} do not, ${skipped} are not for this verifier`)
  return bad ? 1 : 0
}

module.exports = { run }
