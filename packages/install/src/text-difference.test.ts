import fc from 'fast-check'
import { applyPatch } from 'diff'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { textDifference } from './text-difference.js'

async function between(before: string | Buffer, after: string | Buffer): Promise<readonly string[]> {
  const tree = tempTree({ 'a/SKILL.md': before, 'b/SKILL.md': after })
  try {
    return await textDifference(`${tree.path}/a`, `${tree.path}/b`, ['SKILL.md'], undefined)
  } finally {
    tree.dispose()
  }
}

test('the lines that differ stand there, each with its sign', async () => {
  expect(await between('One.\nTwo.\nThree.\n', 'One.\n2.\nThree.\n')).toEqual([
    '--- SKILL.md',
    '+++ SKILL.md',
    '@@ -1,3 +1,3 @@',
    ' One.',
    '-Two.',
    '+2.',
    ' Three.',
  ])
})

test('what is no text or too large is told of in one line, and so is the rest of a long difference', async () => {
  expect(await between('One.\n', Buffer.from([0, 1]))).toEqual(['SKILL.md has no lines that can be shown.'])
  expect(await between('One.\n', 'x'.repeat(300_000))).toEqual(['SKILL.md has no lines that can be shown.'])
  const many = (word: string): string => Array.from({ length: 900 }, (_, at) => `${word} ${at}\n`).join('')
  expect((await between(many('a'), many('b'))).slice(400)).toEqual(['The rest of the difference is not shown.'])
  const all = (word: string): string => Array.from({ length: 3000 }, (_, at) => `${word} ${at}\n`).join('')
  expect(await between(all('a'), all('b'))).toEqual(['SKILL.md has changed in nearly all of its lines.'])
})

test('a link in either folder is not followed', async () => {
  const tree = tempTree({ secret: 'Secret.\n', 'a/SKILL.md': 'One.\n', 'b/SKILL.md': { link: '../secret' } })
  onTestFinished(() => tree.dispose())
  const lines = await textDifference(`${tree.path}/a`, `${tree.path}/b`, ['SKILL.md'], undefined)
  expect(lines).toEqual(['SKILL.md has no lines that can be shown.'])
})

test('applied to what is there it gives what would come', async () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 })
    .map(lines => lines.map(one => `${one}\n`).join(''))
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      fc.pre(before !== after)
      expect(applyPatch(before, `${(await between(before, after)).join('\n')}\n`)).toBe(after)
    }),
    { numRuns: 40 },
  )
})
