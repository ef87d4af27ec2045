#!/usr/bin/env node
'use strict'
// A second opinion on Majlis, written from SPEC.md alone and without dependencies (Node.js 18 or newer).
//
//     node verify.js log FILE            the chain of a table's log: order, heads, signatures, who sits there
//     node verify.js vectors FOLDER      the test vectors in FOLDER/wire, FOLDER/log, FOLDER/table and FOLDER/deck
//
// Exit 0 when all is well, 1 when something is refused (or a vector gives something else), 2 when asked wrongly.

const fs = require('node:fs')
const path = require('node:path')
const { Refused, frames, unpack } = require('./msgpack.js')
const { Chain, readGenesis, readRecord, checkClaim, termsDigest } = require('./log.js')
const vectors = require('./vectors.js')

function checkLog (file) {
  const bytes = fs.readFileSync(file)
  let chain = null
  let number = 0
  try {
    for (const body of frames(bytes)) {
      const record = readRecord(body)
      if (chain === null) {
        const { table, game, options, rules, seats } = readGenesis(record.entry)
        chain = new Chain(table)
        const terms = termsDigest(table, game, options, rules)
        for (const claim of seats) checkClaim(table, terms, claim)
      }
      chain.take(record)
      number += 1
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    console.log(`record ${number}: ${error.code}`)
    return 1
  }
  if (chain === null) {
    console.log('record 0: frame-truncated')
    return 1
  }
  const kinds = new Map()
  for (const body of frames(bytes)) {
    const kind = unpack(readRecord(body).entry.body).get('k')
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  console.log(`${chain.genesis.game}, table ${chain.table.toString('hex')}`)
  for (const { name, key } of chain.genesis.seats) console.log(`  ${JSON.stringify(name)} ${key.toString('hex')}`)
  console.log([...kinds].map(([kind, count]) => `${count} ${kind}`).join(', '))
  console.log(`${number} records, head ${chain.head.toString('hex')}: good`)
  return 0
}

function main ([command, target]) {
  if (command === 'log' && target) return checkLog(target)
  if (command === 'vectors' && target) return vectors.run(path.resolve(target))
  console.error('usage: node verify.js log FILE | vectors FOLDER')
  return 2
}

process.exitCode = main(process.argv.slice(2))
