import type { StoreSamples } from './store-fixture.js'

const skill = (description: string, body: string): string => `---\ndescription: ${description}\n---\n${body}\n`

/**
 * Folder of skills with one example of every case that a source of files handles: valid skills, one in a group, one
 * with a file beside it, links to a folder, to a file and to nothing, frontmatter that is never closed, a name in
 * another case, and files that are not skills. A source has to find the same skills in any store as in memory.
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
