import { expect, test } from 'vitest'
import { SkillsError } from '@skills/core'
import type { UiAnswers } from './api.js'
import { makeReport } from './report.js'

const refused = (what: string) => async (): Promise<never> => {
  throw new SkillsError('E_INVALID_OPTION', `${what} cannot be told.`, { hint: 'Mend it.' })
}
const own = {
  name: 'own',
  path: '/own/SKILL.md',
  state: 'active',
  source: null,
  description: null,
  reason: null,
  told: { told: 'whole', cause: null, chars: 0, of: 0 },
  errors: 0,
  warnings: 0,
} as const

/** Makes answers that refuse every question except the given ones. */
function answering(given: Partial<UiAnswers>): UiAnswers {
  const all: Record<keyof UiAnswers, () => Promise<never>> = {
    about: refused('about'),
    skills: refused('skills'),
    skill: refused('skill'),
    listing: refused('listing'),
    health: refused('health'),
    agents: refused('agents'),
    given: refused('given'),
    compat: refused('compat'),
    audit: refused('audit'),
    needs: refused('needs'),
    evals: refused('evals'),
    runs: refused('runs'),
    run: refused('run'),
    answer: refused('answer'),
    file: refused('file'),
    check: refused('check'),
    save: refused('save'),
    move: refused('move'),
  }
  return { ...all, ...given }
}

const dataOf = (html: string): unknown =>
  JSON.parse(/<script type="application\/json" id="report">([^]*?)<\/script>/.exec(html)?.[1] ?? '')

test('a report holds what could be answered, and why the rest could not', async () => {
  const html = await makeReport(
    answering({ skills: async () => [own], compat: async () => ({ agents: [], skills: [] }) }),
    { now: 0 },
  )
  expect(dataOf(html)).toEqual({
    answers: { skills: [own], compat: { agents: [], skills: [] } },
    unanswered: {
      about: 'about cannot be told. Mend it.',
      listing: 'listing cannot be told. Mend it.',
      audit: 'audit cannot be told. Mend it.',
      needs: 'needs cannot be told. Mend it.',
      evals: 'evals cannot be told. Mend it.',
      health: 'health cannot be told. Mend it.',
      'skill [["name","own"],["path","/own/SKILL.md"]]': 'skill cannot be told. Mend it.',
    },
    at: '1970-01-01T00:00:00.000Z',
  })
})

test('an error that is no refusal is no part of a report', async () => {
  const broken = answering({
    skills: async () => [],
    evals: async () => {
      throw new TypeError('A fault of the host.')
    },
  })
  await expect(makeReport(broken, { now: 0 })).rejects.toThrow('A fault of the host.')
})
