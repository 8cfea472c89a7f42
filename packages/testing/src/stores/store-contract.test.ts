import {
  MemoryStore,
  TreeStore,
  type ReadCall,
  type Store,
  type StoreContent,
  type StoreFile,
  type TreeEntry,
} from '@skills/store'
import { storeContract, type MakeStore } from '@skills/testing'
import type { StoreFixture, StoreSamples } from '@skills/testing/internal'
import { testStore } from '@skills/testing/vitest'
import { expect, test } from 'vitest'
import { failuresOf } from '../../test/failures-of.js'

interface Place {
  readonly samples: StoreSamples
  readonly sizes: Readonly<Record<string, number>>
  asked: number
  held: number
}
type Fault = (sound: Store, place: Place) => Partial<Store>

/** Makes a store over files in memory that counts requests, holds the place open, and has one fault. */
function made(fault: Fault = () => ({})): MakeStore {
  return (samples, { sizes = {} } = {}): StoreFixture => {
    const place: Place = { samples, sizes, asked: 0, held: 1 }
    const memory = new MemoryStore(samples)
    const lying = new TreeStore({
      root: 'memory:',
      id: 'lying',
      entries: () =>
        new Map(
          Object.entries(sizes).map(([path, size]): [string, TreeEntry] => [
            path,
            { size, version: '1', read: () => Buffer.from(textOf(samples[path])) },
          ]),
        ),
    })
    const inner: Store = Object.keys(sizes).length > 0 ? lying : memory
    const sound: Store = {
      id: 'memory',
      list: (folder, call) => inner.list(folder, call),
      stat: (path, call) => inner.stat(path, call),
      realPath: (path, call) => inner.realPath?.(path, call),
      changes: (since, call) => inner.changes?.(since, call) ?? { version: '' },
      watch: onChange => memory.watch(onChange),
      close: () => void (place.held = 0),
      read(path, call) {
        const found = inner.read(path, call)
        place.asked++
        return found
      },
    }
    return {
      store: { ...sound, ...fault(sound, place) },
      root: 'memory:',
      asked: () => place.asked,
      held: () => place.held,
      change(changed) {
        for (const [path, content] of Object.entries(changed)) {
          if (content === undefined) memory.remove(path)
          else memory.set(path, content)
        }
      },
    }
  }
}

testStore('a sound store', made())

const reading =
  (change: (file: StoreContent, path: string, call: ReadCall) => StoreFile | undefined): Fault =>
  sound => ({
    async read(path, call) {
      const found = await sound.read(path, call)
      return found?.found === 'file' ? change(found, path, call) : found
    },
  })
const renamed =
  (change: (name: string) => string): Fault =>
  sound => ({
    async list(folder, call) {
      const found = await sound.list(folder, call)
      return found && { ...found, files: found.files.map(change) }
    },
  })
const versioned =
  (versionOf: (version: string) => string | undefined): Fault =>
  sound => ({
    async stat(path, call) {
      const found = await sound.stat(path, call)
      return found && { ...found, identity: { ...found.identity, version: versionOf(found.identity.version ?? '') } }
    },
  })
const kept: unknown[] = []

// At least one faulty store a case.
const mutants: readonly (readonly [caseName: string, fault: string, fault: Fault, says: string])[] = [
  [
    'list',
    'lists what lies further down',
    sound => ({
      list: async (folder, call) => {
        const found = await sound.list(folder, call)
        return found && { ...found, files: [...found.files, ...found.folders.map(name => `${name}/SKILL.md`)] }
      },
    }),
    'list("") has the files',
  ],
  [
    'missing',
    'has an empty folder everywhere',
    sound => ({
      list: async (folder, call) =>
        (await sound.list(folder, call)) ?? {
          folders: [],
          files: [],
          links: [],
          identity: { realPath: folder, dev: 0, ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 },
        },
    }),
    'list("nowhere") found something',
  ],
  ['names', 'composes letters', renamed(name => name.normalize('NFC')), 'has the files'],
  ['names', 'trims', renamed(name => name.trim().replace(/\.$/, '')), 'has the files'],
  [
    'backslash',
    'takes a backslash for a separator',
    renamed(name => name.replace('\\', '/')),
    'list("a") has the files',
  ],
  ['newline', 'reads names in lines', renamed(name => name.split('\n')[0] ?? ''), 'list("a") has the files'],
  [
    'bytes',
    'decodes',
    reading(file => {
      const bytes = Buffer.from(file.bytes.toString('utf8'))
      return { ...file, bytes, length: bytes.length }
    }),
    'read("nul") gave 6 bytes',
  ],
  ['bytes', 'says that more follow', reading(file => ({ ...file, isWhole: false })), 'says that more follow'],
  [
    'head',
    'calls a head the whole',
    reading((file, _path, { head = file.length }) => ({ ...file, length: Math.min(head, file.length) })),
    'its isWhole is true',
  ],
  [
    'lent',
    'has one buffer for all',
    (sound, place) => {
      const one = Buffer.alloc(1_000_000)
      const copied = reading(file => {
        file.bytes.copy(one)
        return { ...file, bytes: one }
      })
      return copied(sound, place)
    },
    'read("one") gave',
  ],
  [
    'too-large',
    'reads a byte too many',
    sound => ({ read: (path, call) => sound.read(path, { ...call, maxBytes: call.maxBytes + 1 }) }),
    'gave "file" instead of "too-large"',
  ],
  [
    'lying-size',
    'believes the index',
    (sound, { sizes }) => ({
      read: async (path, call) => {
        const found = await sound.read(path, { ...call, maxBytes: Infinity })
        const size = sizes[path.slice('memory:/'.length)]
        return found?.found === 'file' && size !== undefined && size <= found.length
          ? { ...found, length: size }
          : found
      },
    }),
    'gave 10 bytes of a file of 100000',
  ],
  [
    'not-a-file',
    'reads a folder as an empty file',
    sound => ({
      read: async (path, call) => {
        const found = await sound.read(path, call)
        return found?.found === 'other' ? undefined : found
      },
    }),
    'read() of a folder gave undefined',
  ],
  [
    'links',
    'lists links as files',
    sound => ({
      list: async (folder, call) => {
        const found = await sound.list(folder, call)
        return found && { ...found, files: [...found.files, ...found.links], links: [] }
      },
    }),
    'list("skills") has the links',
  ],
  [
    'links-on-the-way',
    'does not go through links',
    sound => ({ read: (path, call) => (path.includes('again/') ? undefined : sound.read(path, call)) }),
    'read("skills/again/SKILL.md") found nothing',
  ],
  [
    'links-nowhere',
    'gives where a link points to',
    sound => ({ realPath: async (path, call) => (await sound.realPath?.(path, call)) ?? `${path}-target` }),
    'which leads to nothing, is',
  ],
  [
    'link-cycle',
    'gives up on a cycle without saying so',
    sound => ({
      realPath: async (path, call) => {
        try {
          return await sound.realPath?.(path, call)
        } catch {
          return undefined
        }
      },
    }),
    'of a cycle is undefined',
  ],
  [
    'contained',
    'answers for other roots',
    sound => ({
      read: (path, call) => (path === '/etc/passwd' ? sound.read('memory:/a/SKILL.md', call) : sound.read(path, call)),
    }),
    'read("/etc/passwd") found something',
  ],
  [
    'links-contained',
    'resolves absolute links',
    sound => ({
      realPath: async (path, call) => (path.endsWith('absolute') ? '/etc/passwd' : sound.realPath?.(path, call)),
    }),
    'found something: "/etc/passwd"',
  ],
  [
    'hostile-names',
    'takes the last part of a name that leads elsewhere',
    (sound, { samples }) => ({
      list: async (folder, call) => {
        const found = await sound.list(folder, call)
        const strays = Object.keys(samples)
          .filter(path => path.startsWith('../'))
          .map(path => path.slice(3))
        return found && folder === 'memory:' ? { ...found, files: [...found.files, ...strays] } : found
      },
    }),
    'a walk found "memory:/escape.md"',
  ],
  [
    'identity',
    'numbers each answer',
    (sound, place) => {
      let answers = 0
      return versioned(version => `${version}${++answers}`)(sound, place)
    },
    'gives another identity although nothing has changed',
  ],
  [
    'change-seen',
    'goes by sizes alone',
    versioned(version => (/^\d+$/.test(version) ? '' : version)),
    'has the identity that it had',
  ],
  [
    'entries-seen',
    'has one version for all folders',
    versioned(version => (version.includes(':') ? 'folder' : version)),
    'a folder with other entries has the identity that it had',
  ],
  [
    'changes',
    'has one version for ever',
    sound => ({ changes: async (since, call) => ({ ...(await sound.changes?.(since, call)), version: '1' }) }),
    'changes() has the version that it had',
  ],
  [
    'changes',
    'names another path',
    sound => ({
      changes: async (since, call) => {
        const found = (await sound.changes?.(since, call)) ?? { version: '' }
        return found.paths?.length ? { ...found, paths: ['memory:/elsewhere'] } : found
      },
    }),
    'and not the file that changed',
  ],
  [
    'watch',
    'tells on after its end',
    sound => ({
      watch: onChange => {
        sound.watch?.(onChange)
        return () => {}
      },
    }),
    'after it was stopped',
  ],
  [
    'abort',
    'does not look at the signal',
    sound => ({ stat: (path, call) => sound.stat(path, { ...call, signal: new AbortController().signal }) }),
    'stat() whose signal was aborted gave an answer all the same',
  ],
  [
    'abort-shared',
    'gives up for all',
    sound => {
      const asked: Record<string, ReturnType<Store['list']>> = {}
      return {
        list: (folder, call) =>
          (asked[folder] ??= new Promise((resolve, reject) => {
            const answered = new AbortController()
            call.signal.addEventListener('abort', () => reject(call.signal.reason as Error), answered)
            setImmediate(() => {
              answered.abort()
              resolve(sound.list(folder, { signal: new AbortController().signal }))
            })
          })),
      }
    },
    'list("a") failed: This operation was aborted',
  ],
  [
    'abort-quiet',
    'asks all the same',
    (sound, place) => ({
      list: async (folder, call) => {
        await new Promise<void>(resolve => setImmediate(resolve))
        place.asked++
        return sound.list(folder, call)
      },
    }),
    'aborted before asked 1 times',
  ],
  ['close', 'holds on', () => ({ close: () => {} }), 'still holds 1 open'],
  [
    'many',
    'keeps what it reads in copies',
    reading(file => {
      kept.push(Buffer.alloc(200_000, 1))
      return file
    }),
    'MB are kept in memory',
  ],
  [
    'at-once',
    'takes answers for each other',
    sound => {
      let last: ReturnType<Store['read']>
      let under = 0
      return {
        async read(path, call) {
          under++
          if (under < 20) last = sound.read(path, call)
          await new Promise<void>(resolve => setImmediate(resolve))
          under--
          return under > 30 ? last : sound.read(path, call)
        },
      }
    },
    'of 64 files that were read at one time',
  ],
]

test.each(mutants)('%s fails for a store that %s', async (name, _fault, fault, says) => {
  const failures = await failuresOf(storeContract(made(fault)))
  kept.length = 0
  expect(failures).toMatchObject({ [name]: expect.stringContaining(says) })
})

test('what a store is said to do without and has fails "without" alone', async () => {
  expect(await failuresOf(storeContract(made(), { without: { watch: 'It has none.' } }))).toEqual({
    without: expect.stringContaining('it has "watch", although'),
  })
})

test('there is a faulty store for every case', () => {
  expect(new Set([...mutants.map(([name]) => name), 'without'])).toEqual(
    new Set(storeContract(made()).map(({ name }) => name)),
  )
})

function textOf(sample: StoreSamples[string] | undefined): string {
  return typeof sample === 'string' ? sample : ''
}
