import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { builtFolder, readingWorker } from '../page-files.js'
import { Reader } from './reader.js'

function reader(file = readingWorker(builtFolder())): Reader {
  const made = new Reader(file)
  onTestFinished(() => made.close())
  return made
}

/** Texts for which the library takes minutes, because its time grows with the square of their length. */
const slow = {
  links: '[a]('.repeat(60_000),
  quotes: `${'> '.repeat(50)}a\n${'a\n'.repeat(60_000)}`,
  stars: '*a_'.repeat(60_000),
}

/** Limit that is long enough for a short text even on a busy machine. */
const patient = { isLonger: true }

test('one text after the other is read, and one that takes too long holds up none', async () => {
  const own = reader()
  const [before, ...rest] = await Promise.all([
    own.read('# a', patient),
    ...Object.values(slow).map(text => own.read(text)),
    own.read('b', patient),
  ])
  const after = rest.pop()
  expect(before).toEqual({ nodes: [{ tag: 'h3', children: ['a'] }] })
  for (const reading of rest) expect(reading).toMatchObject({ mayTakeLonger: true })
  expect(after).toEqual({ nodes: [{ tag: 'p', children: ['b'] }] })
})

test('a text that no one waits for is not read, and a worker that is not there is told', async () => {
  const own = reader()
  const gone = new AbortController()
  const reading = own.read(slow.links, { isLonger: true, signal: gone.signal })
  const next = own.read('a', { signal: gone.signal })
  gone.abort()
  for (const one of [reading, next]) expect(await one).toMatchObject({ mayTakeLonger: true })
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const none = `${tree.path}/worker.js`
  expect(await reader(none).read('a')).toMatchObject({ problem: expect.stringContaining(none) })
})
