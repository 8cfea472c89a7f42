import { expect, onTestFinished, test } from 'vitest'
import { createSkills, type Command, type LocalCommand } from '@skills/core'
import { fieldTable, type Field } from '@skills/core/fields'
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

/** Returns a value that differs from a field's default. */
function sampleOf({ type, choices = {}, otherwise }: Field): string {
  const ofType: Partial<Record<Field['type'], string>> = {
    boolean: String(otherwise !== true),
    word: Object.keys(choices).at(-1) ?? '',
    effort: 'high',
    map: '{ a: [b] }',
  }
  return ofType[type] ?? 'text'
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
  const written = fieldTable.toReversed().map(field => `${field.name}: ${sampleOf(field)}`)
  const fields = setFields(await commandOf(`---\n${written.join('\n')}\n---\nx`))
  expect(fields.map(({ name }) => name)).toEqual(fieldTable.map(({ name }) => name))
  expect(Object.fromEntries(fields.map(({ name, value }) => [name, value]))).toMatchObject({
    name: 'text',
    'allowed-tools': ['text'],
    background: true,
    'user-invocable': false,
    'disable-model-invocation': true,
    context: 'fork',
    metadata: { a: ['b'] },
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
