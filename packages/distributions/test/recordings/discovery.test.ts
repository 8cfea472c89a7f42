import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readReasons, Tally } from './classes.js'
import { caseFor, compare, discover, type DiscoveryCase, type FoldersCase } from './discovery-case.js'

const folder = process.env['SKILLS_RECORDINGS']
const file = join(folder ?? '', 'discovery.json')
const reasons = new URL('discovery-reasons.json', import.meta.url)

/** Our distribution for each recorded program. Older releases of pi and skills are not followed. */
const programs = {
  opencode: 'opencode',
  codex: 'codex',
  gemini: 'gemini-cli',
  pi087: 'pi',
  openskills: 'openskills',
  skills17: 'vercel-skills',
} as const

const isThere = folder !== undefined && existsSync(file)

test(`${isThere ? '' : 'LEFT OUT, for SKILLS_RECORDINGS names no folder with discovery.json: '}each program finds what our distribution finds`, async () => {
  const tally = new Tally(readReasons(reasons))
  const { cases } = (isThere ? JSON.parse(readFileSync(file, 'utf8')) : { cases: [] }) as {
    readonly cases: readonly DiscoveryCase[]
  }
  for (const one of cases) {
    for (const [program, name] of Object.entries(programs)) {
      const theirs = one.results[program]
      if (theirs === undefined) continue
      const moves = theirs.tree === undefined ? undefined : (['p/.agents', 'p/.claude'] as const)
      const found = await discover(one, name, { ...(moves && { moves }) })
      tally.add(
        name,
        one.id,
        compare({ ...theirs, ...(program === 'codex' && { told: one.results['codexPrompt']?.lines }) }, found),
      )
    }
  }
  for (const name of isThere ? readdirSync(folder).filter(later => /^discovery-.*\.json$/.test(later)) : []) {
    const { meta, cases: later } = JSON.parse(readFileSync(join(folder ?? '', name), 'utf8')) as {
      readonly meta: { readonly folders: Readonly<Record<string, { readonly project: string; readonly home: string }>> }
      readonly cases: readonly FoldersCase[]
    }
    for (const [program, folders] of Object.entries(meta.folders))
      for (const given of later) {
        const one = caseFor(given, program, folders)
        const theirs = one.results[program]
        if (theirs !== undefined) tally.add(program, one.id, compare(theirs, await discover(one, program)))
      }
  }
  if (isThere) console.log(String(tally))
  expect(tally.unclassed).toEqual([])
  expect(isThere ? tally.unused : []).toEqual([])
  expect(isThere ? Object.values(programs).filter(name => tally.share(name) < 0.95) : []).toEqual([])
})
