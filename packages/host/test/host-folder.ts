import { fakeHost, tempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'

/** Makes the options of a host for a project with these files and a home folder beside it. */
export function hostFolder(entries: TreeEntries) {
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', ...entries })
  onTestFinished(() => tree.dispose())
  const env = { PATH: process.env['PATH'] }
  return {
    path: tree.path,
    options: {
      cwd: `${tree.path}/repo`,
      home: `${tree.path}/home`,
      env,
      host: fakeHost({ uid: process.getuid?.() }),
      managed: { dirs: [] },
    },
  }
}

/** Returns a SKILL.md with further fields, each a line. */
export const skillMd = (description: string, body: string, ...fields: readonly string[]): string =>
  ['---', `description: ${description}`, ...fields, '---', body, ''].join('\n')
