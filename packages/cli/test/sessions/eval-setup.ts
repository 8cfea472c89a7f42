import { modelServer, type ModelAnswer } from '@skills/testing/model-server'
import type { Place, Setup } from './setup.js'

const cases = {
  skill_name: 'release-notes',
  queries: [
    { query: 'Write the notes for 2.1', should_trigger: true },
    { query: 'Summarise what changed since 2.0 for customers', should_trigger: true },
    { query: 'What is semantic versioning?', should_trigger: false },
  ],
  evals: [
    {
      id: 'two-commits',
      prompt: 'Write the notes of the last release into NOTES.md.',
      files: [{ path: 'log.txt', text: 'fix: a\nfeat: b\n' }],
      assertions: [{ file: 'NOTES.md', contains: 'b' }],
    },
  ],
}

const skill = (description: string): string =>
  `---\nname: release-notes\ndescription: ${description}\n---\n\nWrite NOTES.md from log.txt.\n`

/** Makes the recordings that an evaluation with these options replays. */
const recorded =
  (options: string) =>
  async ({ run }: Place): Promise<void> => {
    const server = await modelServer('openai', ({ body }) => answer(body))
    try {
      await run(`skills eval release-notes --model small --base-url ${server.url} ${options}`)
    } finally {
      await server.close()
    }
  }

/**
 * Answers as a small model: it overlooks the skill if a query does not name the notes, and writes them only with the
 * skill. With the new description it overlooks nothing.
 */
function answer(body: Readonly<Record<string, unknown>>): ModelAnswer {
  const text = JSON.stringify(body)
  const steps = (body['messages'] as readonly { readonly role: string }[]).filter(
    ({ role }) => role === 'assistant',
  ).length
  const isPicked =
    text.includes('- release-notes:') &&
    (/Write the notes (?:for 2\.1|of the last)/.test(text) ||
      (text.includes('for customers too') && text.includes('Summarise what changed')))
  if (!isPicked || steps > 1) return { text: 'Done.' }
  return steps === 0
    ? { calls: [{ id: 'call_1', name: 'Skill', input: { skill: 'release-notes' } }] }
    : { calls: [{ id: 'call_2', name: 'Write', input: { path: 'NOTES.md', text: 'b' } }] }
}

const files: Setup['files'] = {
  'project/.claude/skills/release-notes/SKILL.md': skill('Write the notes of a release. Use before a release.'),
  'project/.claude/skills/release-notes/evals/evals.json': `${JSON.stringify(cases, undefined, 2)}\n`,
  'project/.claude/skills/changelog/SKILL.md':
    '---\nname: changelog\ndescription: Write a line of the changelog. Use when a change is finished.\n---\n\nWrite it.\n',
  'project/new-description.md': skill(
    'Write the notes of a release, for customers too. Use before a release, or to say what changed.',
  ),
}

/** A skill with cases, and the recordings of a small model. */
export const evalSetup: Setup = { files, prepare: recorded('--price 3,15') }

/** The same, with recordings of a comparison with another description. */
export const evalAgainstSetup: Setup = { files, prepare: recorded('--against new-description.md --trials 20') }
