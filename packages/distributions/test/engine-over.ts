import { createSkills, type Diagnostic, type Skills } from '@skills/core'
import { standard } from '../src/index.js'
import { fakeHost, tempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'

export interface Opened {
  readonly skills: Skills
  readonly distribution: ReturnType<typeof standard>
  readonly path: string
  readonly told: readonly Diagnostic[]
}

/** Makes a real engine of the standard distribution over these files, all of which are trusted. */
export function engineOver(entries: TreeEntries, rules?: Parameters<typeof standard>[0]['rules']): Opened {
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', ...entries })
  onTestFinished(() => tree.dispose())
  const told: Diagnostic[] = []
  const distribution = standard({
    host: fakeHost({
      cwd: `${tree.path}/repo`,
      home: `${tree.path}/home`,
      uid: process.getuid?.(),
      env: { PATH: process.env['PATH'] },
    }),
    onDiagnostic: one => void told.push(one),
    trust: { all: true },
    ...(rules && { rules }),
  })
  const skills = createSkills(distribution)
  onTestFinished(() => skills.close())
  return { skills, distribution, path: tree.path, told }
}

/** Returns a SKILL.md with further fields, each a line. */
export const skillMd = (description: string, body: string, ...fields: readonly string[]): string =>
  ['---', `description: ${description}`, ...fields, '---', body, ''].join('\n')
