// @ts-check
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { runContract, sourceContract } from '@skills/testing'
import { jsonSource } from './json-source.mjs'

/** The source over an empty file, and what the contract may do to that file. */
function fixture() {
  const folder = mkdtempSync(`${tmpdir()}/json-source-`)
  const file = `${folder}/skills.json`
  writeFileSync(file, '{}')
  /** @param {(skills: Record<string, unknown>) => void} change */
  const edit = change => {
    const skills = JSON.parse(readFileSync(file, 'utf8'))
    change(skills)
    writeFileSync(file, JSON.stringify(skills))
  }
  return {
    provider: jsonSource(file),
    store: {
      /** @param {readonly import('@skills/testing').SampleSkill[]} added */
      put: added =>
        edit(skills => {
          for (const { name, description, body } of added) skills[name] = { description, text: body }
        }),
      /** @param {string} name */
      remove: name => edit(skills => delete skills[name]),
      /** @param {string} name */
      putBroken(name) {
        edit(skills => (skills[name] = { text: '' }))
        return {}
      },
      shut() {
        const kept = readFileSync(file)
        writeFileSync(file, '{ not JSON')
        return () => writeFileSync(file, kept)
      },
    },
    dispose: () => rmSync(folder, { recursive: true }),
  }
}

const outcomes = await runContract(
  sourceContract(fixture, {
    without: {
      deny: 'One file holds all skills.',
      putEndless: 'One file holds all skills.',
      stall: 'A disk does not hang when it is asked to.',
      pathOf: 'A skill has no path of its own.',
      refresh: 'The file is read anew each time.',
      identity: 'The file does not say what is the same text.',
      countReads: 'Its one read is of the whole file.',
    },
  }),
)
for (const { name, outcome, message } of outcomes) {
  if (outcome !== 'passed') console.log(`${outcome}  ${name}  ${message}`)
}
console.log(`${outcomes.filter(({ outcome }) => outcome === 'passed').length} rules hold.`)
process.exitCode = outcomes.some(({ outcome }) => outcome === 'failed') ? 1 : 0
