import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { digestOf, type Area, type Asked, type Batch } from './areas.mjs'
import { ourAnswers } from './claude-code/ours.js'
import { ourListed } from './ours-listed.js'
import { randomFrom } from './random.mjs'
import type { Folders } from '../trees.mjs'

// Families of generated cases that a released program was asked about: `npm run record -- PROGRAM --families`. Our
// distribution of the program answers the same, or its area says why not.

interface Kept {
  readonly program: string
  readonly version: string
  readonly seed: number
  readonly cases: string
  readonly answers: readonly string[]
}

const here = import.meta.dirname
const areas = readdirSync(here)
  .filter(program => existsSync(path.join(here, '..', `${program}.json`)))
  .flatMap(program =>
    readdirSync(path.join(here, program)).flatMap(file =>
      file.endsWith('.json') ? [[program, file.slice(0, -'.json'.length)] as const] : [],
    ),
  )

/** Asks our distribution of a program about a batch. */
function ours(program: string, batch: Batch): Promise<readonly string[]> {
  if (program === 'claude-code') return ourAnswers(batch)
  const { folders } = JSON.parse(readFileSync(path.join(here, '..', `${program}.json`), 'utf8')) as { folders: Folders }
  return ourListed(program, folders, batch)
}

describe.each(areas)('%s, %s', (program, area) => {
  it('answers what the released program answered', async () => {
    const kept = JSON.parse(readFileSync(path.join(here, program, `${area}.json`), 'utf8')) as Kept
    const { area: family } = (await import(`./${program}/${area}.mjs`)) as { area: Area }
    const batches = family.batches(randomFrom(kept.seed))
    // If the grammar has changed, the area has to be recorded again.
    expect(digestOf(batches)).toBe(kept.cases)
    const left = [...kept.answers]
    const all: Asked[] = []
    for (const batch of batches) {
      const answers = [...(await ours(program, batch))]
      for (const step of batch.steps.filter(({ silent }) => silent !== true))
        for (const name of step.rows ?? step.calls ?? [nameIn(step.prompt) || onlyIn(batch)])
          all.push({ step, file: fileOf(batch, name), theirs: left.shift() ?? '', ours: answers.shift() ?? '' })
    }
    const different = all.filter(asked => asked.ours !== asked.theirs)
    const unlike = different.filter(asked => !(family.narrower ?? []).some(([is]) => is(asked)))
    expect(unlike.slice(family.unlike ?? 0), `${unlike.length} of ${all.length} differ`).toEqual([])
    expect(unlike.length, 'fewer differ now: lower `unlike`').toBe(family.unlike ?? 0)
  })
})

function nameIn(prompt: string): string {
  return /^\/([^\s:]+)/.exec(prompt)?.[1] ?? ''
}

/** Returns the name of the skill of a batch that has one. */
function onlyIn({ files }: Batch): string {
  const [name = '', other] = Object.keys(files).flatMap(file => /skills\/([^/]+)\/SKILL\.md$/.exec(file)?.[1] ?? [])
  return other === undefined ? name : ''
}

function fileOf({ files }: Batch, name: string): string {
  return String(files[`project/.claude/skills/${name}/SKILL.md`] ?? files[`project/@/skills/${name}/SKILL.md`] ?? '')
}
