import { tempTree } from '@skills/testing'
import { LocalStore } from '@skills/files'
import { expect, onTestFinished, test } from 'vitest'
import { OneMoment } from './one-moment.js'

const text = `---\nname: a\n---\n${'x'.repeat(9000)}`

test.each(['files', 'heads'] as const)('of kept %s a reader gets as much as it asks for', async keeps => {
  const tree = tempTree({ 'a/SKILL.md': text, 'b/SKILL.md': 'short' })
  onTestFinished(() => tree.dispose())
  const reads = new OneMoment(keeps)
  const store = reads.over(new LocalStore())
  const { signal } = new AbortController()
  const textAt = async (name: string, head?: number): Promise<string | undefined> => {
    const file = await store.read(`${tree.path}/${name}/SKILL.md`, { signal, maxBytes: 20_000, head })
    return file?.found === 'file' ? file.bytes.toString('latin1', 0, file.length).slice(0, head) : file?.found
  }
  for (const head of [100, 4096, 100, 8000, undefined, 4096]) expect(await textAt('a', head)).toBe(text.slice(0, head))
  expect(await textAt('b', 4096)).toBe('short')
  expect((await reads.bytes(`${tree.path}/a/SKILL.md`, 20_000, signal))?.toString('latin1')).toBe(text)

  tree.write({ 'b/SKILL.md': 'other' })
  expect(await textAt('b')).toBe('short')
})
