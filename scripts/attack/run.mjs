#!/usr/bin/env node
// @ts-check
// npm run attack [-- NAME… --long --count N --seed N]: attacks the built packages. Without NAME it runs all attacks in
// their short form. Without --seed the cases are new ones; the seed is printed.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

/** @typedef {import('./attack.d.ts').Attack} Attack */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    count: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})

const attacks = await everyAttack()
const wanted = positionals.length === 0 ? attacks.filter(({ counts }) => counts.short > 0) : positionals.map(named)
let passed = 0
let failed = 0
for (const attack of wanted) await tryOne(attack)
console.log(`\n${passed} passed, ${failed} failed`)
// A library that an attack loads may end the process with 0; so the exit code is set here.
process.exit(failed === 0 && passed > 0 ? 0 : 1)

/** @param {Attack} attack */
async function tryOne(attack) {
  const { short, long } = attack.counts
  const count = Number(values.count ?? (values.long || short === 0 ? long : short))
  const folder = mkdtempSync(path.join(tmpdir(), 'skills-attack-'))
  const start = performance.now()
  console.log(`${attack.name}: ${attack.title}`)
  try {
    const {
      tried,
      failures,
      figures = {},
    } = await attack.run({ count, seed: Number(values.seed), folder, progress: progressOf(attack, count) })
    const isHeld = failures.length === 0 && tried > 0
    if (isHeld) passed += 1
    else failed += 1
    console.log(
      `  ${isHeld ? 'held' : 'BROKEN'}: ${tried} tried, ${failures.length} got through, ` +
        `${((performance.now() - start) / 1000).toFixed(1)} s, seed ${values.seed}`,
    )
    for (const [name, value] of Object.entries(figures)) console.log(`  ${name}: ${value}`)
    for (const failure of failures.slice(0, 20)) console.log(`  - ${failure}`)
    if (failures.length > 20) console.log(`  - and ${failures.length - 20} more`)
  } catch (error) {
    failed += 1
    console.log('  BROKEN: the attack itself failed')
    console.error(error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {Attack} attack
 * @param {number} count
 */
function progressOf({ name }, count) {
  return (/** @type {number} */ done) => {
    if (process.stderr.isTTY)
      process.stderr.write(`\r  ${name}: ${done} of ` + `${count}\x1B[K${done >= count ? '\r\x1B[K' : ''}`)
  }
}

/** @returns {Promise<Attack[]>} */
async function everyAttack() {
  const files = readdirSync(import.meta.dirname)
    .filter(file => file.endsWith('.attack.mjs'))
    .toSorted()
  return Promise.all(
    files.map(async file => {
      /** @type {{ attack: Attack }} */
      const { attack } = await import(`./${file}`)
      return attack
    }),
  )
}

/** @param {string} name */
function named(name) {
  const found = attacks.find(attack => attack.name === name)
  if (found) return found
  console.error(
    `There is no attack ${JSON.stringify(name)}. There are: ` + `${attacks.map(attack => attack.name).join(', ')}.`,
  )
  process.exit(2)
}
