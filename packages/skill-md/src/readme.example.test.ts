import { expect, test } from 'vitest'
// #region usage
import { parseHead, readFields, readFlat } from '@skills/skill-md'

async function readSkill(bytes: Buffer) {
  // Sure of nearly every file, in a few microseconds; otherwise the full parser decides.
  const parsed = readFlat(bytes, bytes.length, true) ?? await parseHead(bytes)
  if ('needMore' in parsed || !parsed.ok) throw new Error('no skill')
  return { ...readFields(parsed.data), body: bytes.toString('utf8', parsed.bodyStart) }
}

const { fields, problems, body } = await readSkill(Buffer.from('---\nname: deploy\nallowed-tools: Bash(git:*) Read\n---\nDeploy it.\n'))
// #endregion usage

test('the example in the README', () => {
  expect({ fields, problems, body }).toEqual({ fields: { name: 'deploy', allowedTools: ['Bash(git:*)', 'Read'] }, problems: [], body: 'Deploy it.\n' })
})

// #region update
import { updateFrontmatter } from '@skills/skill-md'

const updated = await updateFrontmatter('---\nname: deploy # the key\n---\nDeploy it.\n', { name: 'ship', license: 'MIT' })
// #endregion update

test('the second example in the README', () => {
  expect(updated).toBe('---\nname: ship # the key\nlicense: MIT\n---\nDeploy it.\n')
})
