import { createSkills } from '@skills/core'
import { fakeHost, tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { standard, type StandardOptions } from './agents/standard/index.js'

const skill = (requires: string): string => `---\ndescription: Does it.\n${requires}\n---\nx`

function opened(options: Partial<StandardOptions> = {}, platform: 'linux' | 'darwin' = 'linux') {
  const tree = tempTree({
    'bin/jq': { content: '#!/bin/sh\n', mode: 0o755 },
    'bin/notes': 'no program',
    home: { dir: true },
    'repo/.claude/skills/met/SKILL.md': skill(
      'requires:\n  bins: [jq]\n  anyBins: [nothing-at-all, jq]\n  env: [TOKEN]\n  os: [linux]',
    ),
    'repo/.claude/skills/program/SKILL.md': skill('requires:\n  bins: [notes, ../bin/jq]'),
    'repo/.claude/skills/any/SKILL.md': skill(
      'metadata:\n  openclaw:\n    requires:\n      anyBins: [aa, bb]\n      env: [UNSET]',
    ),
    'repo/.claude/skills/system/SKILL.md': skill('metadata:\n  clawdbot:\n    os: [macos]'),
    'repo/.claude/skills/unknown/SKILL.md': skill(
      'requires:\n  mcp: [tracker]\n  config: [browser.enabled]\n  pip: [numpy]',
    ),
  })
  onTestFinished(() => tree.dispose())
  const skills = createSkills(
    standard({
      host: fakeHost({
        cwd: `${tree.path}/repo`,
        home: `${tree.path}/home`,
        env: { PATH: `${tree.path}/bin:relative`, TOKEN: 'x' },
        platform,
      }),
      managed: { dirs: [] },
      bundled: false,
      builtin: false,
      activation: false,
      onDiagnostic: () => {},
      ...options,
    }),
  )
  onTestFinished(() => skills.close())
  return skills
}

const names = async (skills: ReturnType<typeof opened>): Promise<readonly string[]> =>
  (await skills.catalog()).entries.map(({ name }) => name)

async function told(skills: ReturnType<typeof opened>, name: string): Promise<readonly string[]> {
  const { notes } = await skills.explain(name)
  return notes.filter(({ provider }) => provider === 'needs').map(({ text }) => text)
}

test('explain tells of each need that is not met, or that cannot be told, and every skill is there', async () => {
  const skills = opened()
  expect(await names(skills)).toEqual(['any', 'met', 'program', 'system', 'unknown'])
  expect(await told(skills, 'met')).toEqual([])
  expect(await told(skills, 'program')).toEqual([
    'It needs the program "notes", which is not in PATH.',
    'It needs the program "../bin/jq", which is not in PATH.',
  ])
  expect(await told(skills, 'any')).toEqual([
    'It needs one of the programs "aa", "bb", but none of these programs is in PATH.',
    'It needs the environment variable "UNSET", which is not set.',
  ])
  expect(await told(skills, 'system')).toEqual(['It is made for darwin, but this system is linux.'])
  expect(await told(skills, 'unknown')).toEqual([
    'It needs the MCP server "tracker"; this program cannot see which servers are configured.',
    'It needs the setting "browser.enabled" of the program that it was written for; this program cannot see that setting.',
  ])
  expect(
    await told(opened({ mcp: { servers: { other: { command: 'x', enabled: false } } } }), 'unknown'),
  ).toContainEqual(expect.stringMatching(/"tracker", .*not configured/))
})

test('what surely cannot run here is left out when that is wanted, for a reason', async () => {
  const skills = opened({ unmetNeeds: 'leave-out' })
  expect(await names(skills)).toEqual(['met', 'unknown'])
  const { answers } = await skills.explain('system')
  expect(answers).toMatchObject([
    { status: 'disabled', notListedBecause: [{ cause: 'gate', text: expect.stringContaining('darwin') }] },
  ])
  expect(await names(opened({ unmetNeeds: 'leave-out' }, 'darwin'))).toEqual(['system', 'unknown'])
})
