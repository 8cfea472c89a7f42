import { expect, test } from 'vitest'
// #region usage
import { commandOf } from '@skills/skill-md'

const bytes = Buffer.from('---\ndescription: Deploys.\nallowed-tools: Bash(git:*) Read\n---\nDeploy it.\n')
const { command, diagnostics } = await commandOf(bytes, { name: 'deploy', source: 'storage' })
const body = await command?.load('', { signal: new AbortController().signal })
// #endregion usage

test('the example in the README', () => {
  expect({ diagnostics, body }).toEqual({ diagnostics: [], body: { template: 'Deploy it.\n' } })
  expect(command).toMatchObject({
    name: 'deploy',
    description: 'Deploys.',
    allowedTools: ['Bash(git:*)', 'Read'],
    source: 'storage',
    isSnapshot: true,
    filePath: undefined,
  })
})

// #region field
import { defineField } from '@skills/core/fields'

const owner = defineField({ name: 'owner', type: 'names', asks: false, effect: 'who is asked about the skill' })
const owned = await commandOf(Buffer.from('---\nowner: ops, web\n---\nDo it.\n'), {
  name: 'a',
  source: 'storage',
  layout: { fields: { own: [owner] } },
})
const owners = owned.command && owner.of(owned.command)
// #endregion field

test('the example of a field', () => {
  expect(owners).toEqual(['ops', 'web'])
})

// #region update
import { updateFrontmatter } from '@skills/skill-md'

const updated = await updateFrontmatter('---\nname: deploy # the key\n---\nDeploy it.\n', {
  name: 'ship',
  license: 'MIT',
})
// #endregion update

test('the second example in the README', () => {
  expect(updated).toBe('---\nname: ship # the key\nlicense: MIT\n---\nDeploy it.\n')
})
