import { expect, onTestFinished, test } from 'vitest'
import { createSkills, type Command, type LocalCommand } from '@skills/core'
import { fieldTable } from '@skills/skill-md'
import { fileSource } from '@skills/files/source'
import { tempTree } from '@skills/testing'
import { setFields } from './set-fields.js'

async function commandOf(text: string): Promise<Command> {
  const tree = tempTree({ 'skills/greet/SKILL.md': text })
  onTestFinished(() => tree.dispose())
  const source = fileSource({ id: 'mine', source: 'user', roots: () => ({ roots: [{ path: `${tree.path}/skills` }] }) })
  const skills = createSkills({ plugins: [source], onDiagnostic: () => {} })
  try {
    return (await skills.catalog()).require('greet').command
  } finally {
    await skills.close()
  }
}

test('a skill that says nothing sets nothing', async () => {
  expect(setFields(await commandOf('Say hello.'))).toEqual([])
  expect(
    setFields(
      await commandOf(
        '---\nname: greet\ncontext: inline\nshell: bash\nuser-invocable: yes\nmodel: inherit\n---\nSay hello.',
      ),
    ),
  ).toEqual([])
})

test('every field there is has its place, regardless of order in the file', async () => {
  const written = {
    metadata: '{ author: x, tags: [a, b] }',
    compatibility: 'any',
    license: 'MIT',
    version: '1.10',
    aliases: '[hi]',
    requires: '[base]',
    'on-shell-error': 'skip',
    shell: 'powershell',
    hooks: '{ Stop: [] }',
    paths: '"*.ts"',
    'disable-model-invocation': 'true',
    'user-invocable': 'no',
    arguments: 'who',
    'argument-hint': '[who]',
    background: 'no',
    agent: 'x',
    context: 'fork',
    effort: 'high',
    model: 'm',
    'disallowed-tools': 'Write',
    'allowed-tools': 'Read',
    when_to_use: 'often',
    description: 'Says hello.',
    name: 'Greeting',
  }
  const fields = setFields(
    await commandOf(
      `---\n${Object.entries(written)
        .map(([key, value]) => `${key}: ${value}`)
        .join('\n')}\n---\nx`,
    ),
  )
  expect(fields.map(({ name }) => name)).toEqual(fieldTable.map(({ name }) => name))
  expect(Object.fromEntries(fields.map(({ name, value }) => [name, value]))).toMatchObject({
    name: 'Greeting',
    'allowed-tools': ['Read'],
    background: false,
    'user-invocable': false,
    'disable-model-invocation': true,
    version: '1.10',
    metadata: { author: 'x', tags: ['a', 'b'] },
  })
})

test('a description that no one wrote is none', async () => {
  const fields = setFields(await commandOf('---\nversion: 2\n---\nFirst paragraph.'))
  expect(fields).toEqual([{ name: 'version', value: '2' }])
})

test('a command that is no prompt has the fields that every command has', () => {
  const hello: LocalCommand = {
    type: 'local',
    name: 'hello',
    displayName: 'Hello',
    aliases: ['hi'],
    description: 'Says hello.',
    hasUserSpecifiedDescription: true,
    source: 'builtin',
    loadedFrom: 'builtin',
    userInvocable: false,
    isHidden: true,
    isEnabled: () => true,
    call: () => undefined,
  }
  expect(setFields(hello).map(({ name }) => name)).toEqual(['name', 'description', 'user-invocable', 'aliases'])
})
