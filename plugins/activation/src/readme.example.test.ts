/* oxlint-disable no-restricted-imports -- the README imports the package by its name, as its readers do */
// #region usage
import { activation } from '@skills/activation'
import { createSkills, processHost } from '@skills/core'
import { fileSource } from '@skills/files/source'

async function skillsFor(cwd: string, file: string) {
  const project = fileSource({
    id: 'project',
    source: 'project',
    roots: () => ({ roots: [{ path: `${cwd}/.claude/skills` }] }),
  })
  const skills = createSkills({
    host: processHost({ cwd }),
    plugins: [project, activation()],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  try {
    await skills.catalog()
    // Reports a file that a tool of the agent read or wrote. The next catalog takes it into account.
    skills.emit('file:touched', { paths: [`${cwd}/${file}`] })
    return (await skills.catalog()).entries.filter(({ dormant }) => dormant === undefined).map(({ name }) => name)
  } finally {
    await skills.close()
  }
}
// #endregion usage

import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'

it('gives the skills that a touched file brings, as the README shows', async () => {
  const tree = tempTree({
    '.git/HEAD': '',
    '.claude/skills/database/SKILL.md': '---\npaths: "*.sql"\n---\nSet-up.',
    'apps/web/.claude/skills/pages/SKILL.md': 'Pages.',
    'apps/web/x.sql': '',
  })
  onTestFinished(() => tree.dispose())
  expect(await skillsFor(tree.path, 'apps/web/x.sql')).toEqual(['database', 'pages'])
  expect(await skillsFor(tree.path, 'README.md')).toEqual([])
})
