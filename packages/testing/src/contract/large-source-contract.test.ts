import { compareCodeUnits, defineProvider, loadResult, promptCommand, type Command, type Source } from '@skills/core'
import { largeSourceContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { expect, test } from 'vitest'
import { failuresOf } from '../../test/failures-of.js'
import { MemoryStore } from '../../test/memory-store.js'
import type { MakeFixture } from '../internal.js'

type Large = Required<Pick<Source, 'source' | 'list' | 'find' | 'search' | 'page' | 'count'>>

function soundSource(store: MemoryStore): Large {
  const commandOf = async (name: string): Promise<Command | undefined> => {
    const head = await store.head(name)
    if (typeof head !== 'object') return undefined
    return promptCommand({ name, source: 'large', description: head.description, load: () => ({ template: name }) })
  }
  const namesOf = async (): Promise<readonly string[]> => (await store.names()).toSorted(compareCodeUnits)
  const made = async (names: readonly string[]): Promise<readonly Command[]> =>
    (await Promise.all(names.map(commandOf))).filter(command => command !== undefined)
  return {
    source: 'large',
    list: () => loadResult({}),
    find: async name => ((await namesOf()).includes(name) ? commandOf(name) : undefined),
    async search(query, { limit, prefix = '' }) {
      const words = query.toLowerCase().split(/\s+/)
      const names = (await namesOf()).filter(name => name.startsWith(prefix) && words.includes(name))
      return (await made(names.slice(0, limit))).map(command => ({ command, score: 1 }))
    },
    async page({ limit, after = '' }) {
      const left = (await namesOf()).filter(name => name > after)
      const names = left.slice(0, limit)
      return { commands: await made(names), next: left.length > limit ? names.at(-1) : undefined }
    },
    count: async () => (await namesOf()).length,
  }
}

type Fault = (sound: Large) => Partial<Large>

const made =
  (fault: Fault = () => ({})): MakeFixture =>
  () => {
    const store = new MemoryStore()
    const sound = soundSource(store)
    const provider = defineProvider({ kind: 'source', id: 'large', setup: () => ({ ...sound, ...fault(sound) }) })
    return { store, provider }
  }

testContract('a sound large source', largeSourceContract(made()))

test.each<[caseName: string, what: string, fault: Fault, says: string]>([
  [
    'list',
    'lists everything',
    ({ page }) => ({ list: async () => loadResult(await page({ signal: AbortSignal.timeout(1e6), limit: 1000 })) }),
    'it listed "skill-00000"',
  ],
  ['find', 'finds nothing', () => ({ find: () => undefined }), 'gave nothing.'],
  [
    'find',
    'finds in any case',
    ({ find }) => ({ find: (name, call) => find(name.toLowerCase(), call) }),
    'find("SKILL-00000") gave "skill-00000".',
  ],
  [
    'page',
    'gives a page twice',
    ({ page }) => ({ page: call => page({ ...call, after: undefined }) }),
    'gave the same next page twice',
  ],
  [
    'page',
    'gives longer pages',
    ({ page }) => ({ page: call => page({ ...call, limit: call.limit + 1 }) }),
    'a page of at most 10 has 11 commands.',
  ],
  [
    'page',
    'loses one',
    ({ page }) => ({
      async page(call) {
        const { commands, next } = await page(call)
        return { commands: commands.slice(1), next }
      },
    }),
    'the list of names in pages of 10 is',
  ],
  [
    'page-empty',
    'has one in an empty store',
    () => ({
      page: () => ({ commands: [promptCommand({ name: 'x', source: 'large', load: () => ({ template: '' }) })] }),
    }),
    'the number of commands is 1 instead of 0.',
  ],
  [
    'search',
    'finds what it does not find by name',
    () => ({
      search: query => [
        {
          command: promptCommand({
            name: query,
            source: 'large',
            description: 'Other.',
            load: () => ({ template: '' }),
          }),
          score: 1,
        },
      ],
    }),
    'gave another command than search(), or none.',
  ],
  ['search', 'finds nothing', () => ({ search: () => [] }), 'did not give "skill-00000" first.'],
  ['count', 'counts wrongly', () => ({ count: () => 36 }), 'count() is 36 instead of 37.'],
  [
    'changes',
    'keeps what it found',
    ({ find }) => {
      const kept = new Map<string, Command | undefined>()
      return {
        async find(name, call) {
          const command = kept.get(name) ?? (await find(name, call))
          kept.set(name, command)
          return command
        },
      }
    },
    'is found.',
  ],
  [
    'abort',
    'fails in its own way',
    ({ find }) => ({
      find(name, call) {
        if (call.signal.aborted) throw new TypeError('No.')
        return find(name, call)
      },
    }),
    'find() rejected with no AbortError but: No.',
  ],
  [
    'engine',
    'lists what is asked for',
    ({ page }) => ({ list: async () => loadResult(await page({ signal: AbortSignal.timeout(1e6), limit: 1000 })) }),
    'or lists it.',
  ],
  [
    'shut',
    'says that there is none when it cannot know',
    ({ find }) => ({
      async find(name, call) {
        return Promise.resolve(find(name, call)).catch(() => undefined)
      },
    }),
    'counts as unknown, although the store could not be read.',
  ],
])('%s fails for one that %s', async (caseName, _what, fault, says) => {
  const failed = await failuresOf(largeSourceContract(made(fault)))
  expect(failed[caseName]).toContain(says)
})

test('a source without a member says so, and one that has it all the same fails', async () => {
  const without = { search: 'It has no index.' } as const
  const bare = made(() => ({ search: undefined as never }))
  expect(await failuresOf(largeSourceContract(bare, { without }))).toEqual({})
  expect(Object.keys(await failuresOf(largeSourceContract(bare)))).toEqual(['search'])
  expect(await failuresOf(largeSourceContract(made(), { without }))).toMatchObject({
    without: expect.stringContaining('there is a search()'),
  })
})
