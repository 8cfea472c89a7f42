import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readReasons, Tally } from './classes.js'
import { compare, discover, type DiscoveryCase } from './discovery-case.js'

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

test(
  `${isThere ? '' : 'LEFT OUT, for SKILLS_RECORDINGS names no folder with discovery.json: '}each program finds what our distribution finds`,
  { timeout: 300_000 },
  async () => {
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
    if (isThere) console.log(String(tally))
    expect(tally.unclassed).toEqual([])
    expect(isThere ? tally.unused : []).toEqual([])
    expect(isThere ? Object.values(programs).filter(name => tally.share(name) < 0.95) : []).toEqual([])
  },
)
