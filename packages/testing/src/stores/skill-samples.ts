import type { StoreSamples } from './store-fixture.js'

const skill = (description: string, body: string): string => `---\ndescription: ${description}\n---\n${body}\n`

/**
 * A folder of skills with one of everything that a source of files has to say something about: sound skills, one in a
 * group, one with a file beside it, links that lead to a folder, to a file and to nothing, frontmatter that does not
 * end, a name in another case, and files that are no skills. A source over any store finds in them what it finds in
 * memory.
 */
export const skillSamples: StoreSamples = {
  'deploy/SKILL.md': skill('Ship it.', 'Ship $ARGUMENTS.'),
  'deploy/notes.md': 'Beside it.',
  'group/lint/SKILL.md': skill('Find faults.', 'x'.repeat(9000)),
  'guarded/SKILL.md': skill('Ask first.', 'Ask.'),
  'guarded/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n',
  again: { link: 'group/lint' },
  'linked/SKILL.md': { link: '../deploy/SKILL.md' },
  nowhere: { link: 'gone' },
  'open/SKILL.md': '---\ndescription: Never closed.\n',
  'other/skill.md': skill('Another case.', 'Other.'),
  'README.md': 'No skill.',
  'empty/notes.md': 'No skill either.',
}
