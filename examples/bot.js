#!/usr/bin/env node
// A bot for all four games in JavaScript, without dependencies:
//
//   majlis join INVITE --bot 'node examples/bot.js'
//
// It reads one JSON message a line and answers `act` with one of its `legal` actions. Every `act` carries the whole view,
// so nothing is remembered between two of them. Only Kasra is played with a little sense; the other games at random.
'use strict';

const RANKS = '23456789TJQKA';
const rank = (card) => RANKS.indexOf(card[0]);
const suit = (card) => card[1];
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

const send = (message) => process.stdout.write(JSON.stringify(message) + '\n');

// ---- chance: seeded by the peer, so that the same seed at the same table plays the same again

let state = 1;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const any = (list) => list[Math.floor(random() * list.length)];

function best(list, worth) {
  let found = list[0];
  let top = -Infinity;
  for (const one of list) {
    const value = worth(one);
    if (value > top) [found, top] = [one, value];
  }
  return found;
}

// ---- Kasra

function kasra(view, legal) {
  const [verb] = legal[0].split(' ');
  const cards = legal.filter((action) => action.startsWith('play ')).map((action) => action.slice(5));
  if (verb === 'game') return best(legal, (action) => liking(view.hand, action.slice(5)));
  if (verb === 'trump') return best(legal, (action) => length(view.hand, action[6]));
  if (verb === 'double') return legal[0]; // none
  if (!cards.length) return legal[0]; // a pass
  const choose = { complex: avoid, ltooshain: finishLow, tarneeb: win, trix: layDown }[view.contract];
  return 'play ' + choose(view, cards);
}

const length = (hand, suitLetter) => hand.filter((card) => suit(card) === suitLetter).length;

function liking(hand, game) {
  const low = sum(hand.map((card) => 6 - rank(card))); // about 0 for an average hand
  if (game === 'complex') return low - 8 * hand.filter((card) => card === 'KH' || card[0] === 'Q').length + 8;
  if (game === 'ltooshain') return low / 2;
  if (game === 'tarneeb') return Math.max(...['S', 'H', 'D', 'C'].map((s) => 4 * length(hand, s))) - 20 - low / 4;
  return 5 * hand.filter((card) => card[0] === 'J').length - 5 - 2 * hand.filter((card) => card[0] === '2').length;
}

/** The card that wins the trick on the table, or undefined when we lead. */
function winning(view) {
  const led = view.trick.length ? suit(view.trick[0][1]) : '';
  const strength = (card) => rank(card) + (suit(card) === view.trump ? 200 : suit(card) === led ? 100 : 0);
  return view.trick.length ? best(view.trick, (play) => strength(play[1]))[1] : undefined;
}

function beats(view, card) {
  const top = winning(view);
  if (top === undefined) return true;
  return suit(card) === suit(top) ? rank(card) > rank(top) : suit(card) === view.trump;
}

const price = (card) => (card === 'KH' ? 75 : card[0] === 'Q' ? 25 : 0) + (suit(card) === 'D' ? 10 : 0);

/** Complex: lead low; play under the trick with the most expensive card; otherwise as cheap as possible. */
function avoid(view, cards) {
  if (!view.trick.length) return best(cards, (card) => -rank(card) - price(card) / 10);
  const safe = cards.filter((card) => !beats(view, card));
  if (safe.length) return best(safe, (card) => price(card) * 2 + rank(card));
  return best(cards, (card) => -price(card) + (view.trick.length === 3 ? rank(card) : -rank(card)) / 20);
}

/** The last two tricks: throw high cards while nothing is at stake, then duck. */
function finishLow(view, cards) {
  const played = sum(view.tricks);
  if (played < 10) return best(cards, rank);
  const safe = cards.filter((card) => !beats(view, card));
  return safe.length && view.trick.length ? best(safe, rank) : best(cards, (card) => -rank(card));
}

/** Tarneeb: the cheapest card that wins, else the lowest. */
function win(view, cards) {
  const wins = cards.filter((card) => beats(view, card));
  if (!view.trick.length) return best(cards, rank);
  if (!wins.length) return best(cards, (card) => -rank(card) - (suit(card) === view.trump ? 20 : 0));
  return best(wins, (card) => (view.trick.length === 3 ? -rank(card) : rank(card)));
}

/** Trix: prefer the suit in which most of our own cards wait behind this one. */
function layDown(view, cards) {
  const behind = (card) => {
    const jack = rank('J');
    const further = (other) =>
      suit(other) === suit(card) &&
      other !== card &&
      (rank(card) === jack || Math.sign(rank(other) - rank(card)) === Math.sign(rank(card) - jack));
    return view.hand.filter(further).length;
  };
  return best(cards, behind);
}

// ---- the conversation

function answer(message) {
  const view = message.view;
  const action = view.game === 'kasra' ? kasra(view, message.legal) : any(message.legal);
  send({ type: 'act', id: message.id, action: message.legal.includes(action) ? action : message.legal[0] });
}

function hear(message) {
  switch (message.type) {
    case 'hello':
      state = Number(message.seed % 2 ** 31) | 0;
      break;
    case 'act':
      answer(message);
      break;
    case 'error': // the list again: take any of it
      process.stderr.write(`refused: ${message.sentence}\n`);
      if (message.legal && message.legal.length) send({ type: 'act', id: message.id, action: any(message.legal) });
      break;
    case 'ask': // pause, take-over or claim: agree
      send({ type: 'vote', id: message.id, yes: true });
      break;
    case 'ping':
      send({ type: 'pong' });
      break;
    case 'end':
      process.exitCode = 0;
      process.stdin.destroy();
      break;
    default: // messages of later versions are no reason to stop
  }
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) if (line.trim()) hear(JSON.parse(line));
});
process.stdin.on('end', () => process.exit(0));
process.stdout.on('error', () => process.exit(0));

send({ type: 'ready', name: 'bot.js', version: '1', author: 'Majlis examples', versions: [1, 1], wants: [] });
