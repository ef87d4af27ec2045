'use strict'
// Small parts of SPEC.md sections 9 and 10: whose card a position is, who sits where, what a play claims about the rest
// of the hand, and what of that must be proved. Card sets are BigInt.

const RANKS = '23456789TJQKA'
const SUITS = 'CDHS'

const card = name => 13 * SUITS.indexOf(name[1]) + RANKS.indexOf(name[0])
const cards = text => text.split(' ').filter(Boolean).map(card)
const bit = one => 1n << BigInt(one)
const set = list => list.reduce((so, one) => so | bit(one), 0n)
const suit = one => Math.floor(one / 13)
const suitSet = s => ((1n << 13n) - 1n) << BigInt(13 * s)
const above = one => suitSet(suit(one)) & ~((1n << BigInt(one + 1)) - 1n)

// 10.2
const owner = (position, seats) => seats === 3 && position >= 48 ? -1 : position % seats

// 9.5: the old seats in their new order
const draw = drawn => drawn.map((_, seat) => seat).sort((one, other) =>
  drawn[other] % 13 - drawn[one] % 13 || suit(drawn[other]) - suit(drawn[one]))

// 10.4: [X, code] of playing c to a trick. duties: trump, beat, beatInTrumped, underTrumpFree
function duty (c, trick, T, duties) {
  if (trick.length === 0) return [0n, '-']
  const L = suit(trick[0])
  const highest = s => Math.max(...trick.filter(one => suit(one) === s))
  const trumps = trick.filter(one => suit(one) === T)
  const best = trumps.length ? highest(T) : highest(L)
  const trumped = trumps.length > 0 && T !== L
  if (suit(c) === L) {
    const owed = duties.beat && (!trumped || duties.beatInTrumped) && c < highest(L)
    return owed ? [above(highest(L)), 'play-higher'] : [0n, '-']
  }
  const led = suitSet(L)
  if (T === -1 || T === L) return [led, 'follow-suit']
  if (suit(c) === T) {
    return duties.beat && trumped && c < best ? [led | above(best), 'play-higher'] : [led, 'follow-suit']
  }
  if (!duties.trump) return [led, 'follow-suit']
  return [led | (trumped && duties.underTrumpFree ? above(best) : suitSet(T)), 'must-trump']
}

// 10.4, claiming the rest: the cards that beat one of a hand's cards when it is led
function beaters (hand, T) {
  let found = 0n
  for (let s = 0; s < 4; s++) {
    const mine = hand & suitSet(s)
    if (mine) found |= suitSet(s) & ~((mine & -mine) * 2n - 1n)
  }
  if (T !== -1 && hand & ~suitSet(T)) found |= suitSet(T)
  return found & ~hand
}

// 10.5: the cards that fit in Trix
function fits (down) {
  let found = 0n
  for (let s = 0; s < 4; s++) {
    const row = down & suitSet(s)
    found |= row ? (row << 1n | row >> 1n) & suitSet(s) & ~row : bit(13 * s + 9)
  }
  return found
}

// 9.6, steps 4 and 5. hand: [[slot, set], …]; shown: Map slot → card; leaves: the slots of the action's cards
function obligation (hand, shown, named, leaves, X) {
  const P = set(named)
  const opened = named.filter((one, i) => leaves.length && shown.get(leaves[i]) !== one)
  const doubtful = hand.filter(([slot, known]) => !leaves.includes(slot) && known & X & ~P)
  const union = doubtful.reduce((so, [, known]) => so | known, 0n)
  return { opened, doubtful: doubtful.map(([slot]) => slot), allowed: union & ~X & ~P }
}

module.exports = { card, cards, set, owner, draw, duty, beaters, fits, obligation }
