import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tempTree, withoutRoot } from './index.js'

test.runIf(process.getuid?.() === 0)(
  'the superuser is another user meanwhile, and the superuser again, also after a failure',
  async () => {
    const tree = tempTree({ secret: { content: 'x', mode: 0o600 } })
    const read = (): string => readFileSync(`${tree.path}/secret`, 'utf8')
    try {
      await withoutRoot(async () => expect(read).toThrow('EACCES'))
      await expect(withoutRoot(() => Promise.reject(new Error('Broken.')))).rejects.toThrow('Broken.')
      expect(read()).toBe('x')
    } finally {
      tree.dispose()
    }
  },
)

test('what the work gives is given', async () => {
  expect(await withoutRoot(async () => 1)).toBe(1)
})
