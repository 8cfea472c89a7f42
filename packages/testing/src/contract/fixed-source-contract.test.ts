import { defineProvider, loadResult, promptCommand, type SetupContext, type Source } from '@skills/core'
import { fixedSourceContract } from '@skills/testing'
import { testFixedSource } from '@skills/testing/vitest'
import { expect, test } from 'vitest'
import { failuresOf } from '../../test/failures-of.js'

const deploy = promptCommand({
  name: 'deploy',
  source: 'own',
  description: 'Ships it.',
  contentLength: 8,
  load: () => ({ template: 'Ship it.' }),
})
const sound: Source = {
  source: 'own',
  list: () => loadResult({ commands: [deploy], places: [{ path: '/own', state: 'read', found: 1 }] }),
}
const made =
  (setup: (ctx: SetupContext) => Partial<Source> = () => ({})) =>
  () => ({ provider: defineProvider({ kind: 'source', id: 'own', setup: ctx => ({ ...sound, ...setup(ctx) }) }) })

testFixedSource('a sound source that is fixed', made())

test.each<[caseName: string, fault: string, setup: (ctx: SetupContext) => Partial<Source>, says: string]>([
  [
    'list',
    'counts what it did not find',
    () => ({ list: () => loadResult({ commands: [deploy], places: [{ path: '/own', state: 'read', found: 2 }] }) }),
    'found 2 commands, and it gave 1.',
  ],
  [
    'list',
    'does not know how long its bodies are',
    () => ({ list: () => loadResult({ commands: [{ ...deploy, contentLength: 9 }] }) }),
    '"deploy" says 9 and its body has 8 bytes.',
  ],
  [
    'determinism',
    'describes it in another way each time',
    () => {
      let time = 0
      return { list: () => loadResult({ commands: [{ ...deploy, version: String(time++ % 5) }] }) }
    },
    'asked again, it listed "deploy" with other fields',
  ],
  [
    'close',
    'leaves a timer of its host',
    ({ host }) => {
      host.clock.after(1e9, () => {})
      return {}
    },
    "1 timers of the host's clock still wait",
  ],
  [
    'abort',
    'fails in its own way',
    () => ({
      list(call) {
        if (call.signal.aborted) throw new TypeError('No.')
        return sound.list(call)
      },
    }),
    'it rejected with no AbortError but: No.',
  ],
])('%s fails for one that %s', async (caseName, _fault, setup, says) => {
  const failed = await failuresOf(fixedSourceContract(made(setup)))
  expect(failed[caseName]).toContain(says)
})
