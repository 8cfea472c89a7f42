import { contentOf, shown, type StoreRule } from './store-trial.js'
import type { StoreSamples } from './store-fixture.js'

const plain = ['deploy/SKILL.md', 'deploy/scripts/run.sh', 'review/SKILL.md', 'README.md']
const plainSamples: StoreSamples = Object.fromEntries(plain.map(path => [path, `Of ${path}.\n`]))

const strangeNames = [
  'with spaces .md',
  '.hidden',
  '..twodots',
  '...',
  'trailing.',
  '~',
  '$HOME',
  '%2e%2e',
  '100%',
  'a?b#c',
  'résumé.md',
  're\u0301sume\u0301.md',
  '日本語',
  '👩‍👩‍👧.md',
  '-rf',
  '*',
  '\'"`',
  'CON',
]

const large = Buffer.alloc(300_000, 'Forty-two bytes that are said again and again.\n')
const oddContents: StoreSamples = {
  empty: '',
  nul: new Uint8Array([0, 1, 0, 255]),
  'not-utf8': new Uint8Array([0xc3, 0x28, 0xff, 0xfe]),
  bom: '\ufeff---\nname: a\n---\n',
  lines: 'one\r\ntwo\rthree\n',
  large: large,
}

/** Rules for the entries that a store lists and the files that it reads. */
export const contentRules: readonly StoreRule[] = [
  {
    name: 'list',
    rule: 'a folder is listed with its own folders and files, each once, and none of a folder below',
    async check(trial) {
      const opened = await trial.open(plainSamples)
      for (const [path, folders, files] of [
        ['', ['deploy', 'review'], ['README.md']],
        ['deploy', ['scripts'], ['SKILL.md']],
        ['deploy/scripts', [], ['run.sh']],
      ] as const) {
        const found = (await opened.list(path)) ?? trial.broken(`list(${shown(path)}) found no folder.`)
        trial.expectNames(`list(${shown(path)}) has the folders`, found.folders, folders)
        trial.expectNames(`list(${shown(path)}) has the files`, found.files, files)
        trial.expectNames(`list(${shown(path)}) has the links`, found.links, [])
      }
    },
  },
  {
    name: 'missing',
    rule: 'what is not there is undefined: to list, to read, to stat and as a real path',
    async check(trial) {
      const opened = await trial.open(plainSamples)
      for (const path of [
        'nowhere',
        'deploy/nowhere',
        'nowhere/SKILL.md',
        'README.md/below',
        'deploy/SKILL.md/SKILL.md',
        'DEPLOY/none',
        'deploy ',
      ]) {
        const found = [
          await opened.list(path),
          await opened.read(path),
          await opened.stat(path),
          opened.store.realPath && (await opened.realPath(path)),
        ]
        const at = found.findIndex(one => one !== undefined)
        if (at >= 0)
          trial.broken(
            `${['list', 'read', 'stat', 'realPath'][at]}(${shown(path)}) found something: ${JSON.stringify(found[at])}`,
          )
      }
      if ((await opened.list('README.md')) !== undefined) trial.broken('list() of a file found a folder.')
    },
  },
  {
    name: 'names',
    rule: 'names with spaces, dots, signs of shells and URLs, and letters of any script are given and read as they are, be they composed or not',
    async check(trial) {
      // Each name has its own folder: some disks treat two encodings of one letter as one name.
      const opened = await trial.open(
        Object.fromEntries(strangeNames.map((name, at) => [`${at}/${name}`, `Of ${name}.`])),
      )
      for (const [at, name] of strangeNames.entries()) {
        trial.expectNames(`list("${at}") has the files`, (await opened.list(String(at)))?.files ?? [], [name])
        trial.expectBytes(name, await trial.bytes(opened, `${at}/${name}`), Buffer.from(`Of ${name}.`))
      }
    },
  },
  ...(['backslash', 'newline'] as const).map((need): StoreRule => ({
    name: need,
    rule: `a ${need} is a character of a name and not more`,
    needs: [need],
    async check(trial) {
      const name = need === 'newline' ? 'two\nlines.md' : 'one\\name.md'
      const opened = await trial.open({ [`a/${name}`]: 'Content.' })
      trial.expectNames('list("a") has the files', (await opened.list('a'))?.files ?? [], [name])
      trial.expectBytes(name, await trial.bytes(opened, `a/${name}`), Buffer.from('Content.'))
    },
  })),
  {
    name: 'bytes',
    rule: 'a file is read byte for byte, with its length and whether that is all of it',
    async check(trial) {
      const opened = await trial.open(oddContents)
      for (const [path, content] of Object.entries(oddContents)) {
        if (typeof content !== 'string' && 'link' in content) continue
        const expected = Buffer.from(content)
        const file = await trial.file(opened, path)
        trial.expectBytes(path, contentOf(file), expected)
        if (!file.isWhole)
          trial.broken(`read(${shown(path)}) gave all ${file.length} bytes and says that more follow (isWhole).`)
        const {
          kind,
          identity: { size },
        } = await trial.stats(opened, path)
        if (kind !== 'file' || size !== expected.length)
          trial.broken(
            `stat(${shown(path)}) says that it is a ${kind} of ${size} bytes; it is a file of ${expected.length}.`,
          )
        if (file.stats.identity.size !== expected.length)
          trial.broken(
            `read(${shown(path)}) says that the file has ${file.stats.identity.size} bytes; it has ${expected.length}.`,
          )
      }
    },
  },
  {
    name: 'head',
    rule: 'a read of the head gives at least so many bytes from the beginning, and says whether more follow',
    async check(trial) {
      const opened = await trial.open({ large, short: 'Short.' })
      for (const [path, expected] of [
        ['large', large],
        ['short', Buffer.from('Short.')],
      ] as const) {
        const file = await trial.file(opened, path, { head: 1000 })
        if (file.length < Math.min(1000, expected.length))
          trial.broken(`read(${shown(path)}) of 1000 bytes gave ${file.length}.`)
        trial.expectBytes(path, contentOf(file), expected.subarray(0, file.length))
        if (file.isWhole !== (file.length === expected.length))
          trial.broken(
            `read(${shown(path)}) gave ${file.length} of ${expected.length} bytes, and its isWhole is ${file.isWhole}.`,
          )
      }
    },
  },
  {
    name: 'lent',
    rule: "bytes that came with a promise are the caller's; those given at once stay as they are until the next call",
    async check(trial) {
      const opened = await trial.open({ one: 'The first.', two: 'Number two.' })
      const { signal } = new AbortController()
      const ask = (path: string): ReturnType<typeof opened.store.read> =>
        opened.store.read(opened.at(path), { signal, maxBytes: 1000 })
      const [one, two] = [ask('one'), opened.store.isSlow === true ? ask('two') : undefined]
      const isLater = one instanceof Promise
      const first = await trial.answer('read("one")', async () => one)
      if (isLater) await trial.answer('read("two")', async () => two ?? ask('two'))
      trial.expectBytes('one', first?.found === 'file' ? contentOf(first) : Buffer.of(), Buffer.from('The first.'))
    },
  },
  {
    name: 'too-large',
    rule: 'a file of more bytes than are allowed is answered by "too-large" and its size; one of just so many is read',
    async check(trial) {
      const opened = await trial.open({ file: 'x'.repeat(1001) })
      const found = await opened.read('file', { maxBytes: 1000, head: 10 })
      if (found?.found !== 'too-large' || found.size !== 1001)
        trial.broken(
          `read() of 1001 bytes with 1000 allowed gave ${JSON.stringify(found?.found)} instead of "too-large" with the size 1001.`,
        )
      await trial.file(opened, 'file', { maxBytes: 1001 })
    },
  },
  {
    name: 'lying-size',
    rule: 'a file that is larger than its index says is never given beyond the bytes that are allowed, nor as a whole that it is not',
    needs: ['sizes'],
    async check(trial) {
      const content = 'x'.repeat(100_000)
      const opened = await trial.open(
        { less: content, more: content, other: 'Other.' },
        { sizes: { less: 10, more: 200_000 } },
      )
      for (const [path, maxBytes] of [
        ['less', 1000],
        ['less', 200_000],
        ['more', 300_000],
      ] as const) {
        // A store may refuse the file, or the whole place.
        const outcome = await trial.ended(`read(${shown(path)})`, async () =>
          opened.store.read(opened.at(path), { maxBytes, signal: new AbortController().signal }),
        )
        if ('error' in outcome || outcome.value?.found !== 'file') continue
        if (outcome.value.length > maxBytes)
          trial.broken(
            `read() gave ${outcome.value.length} bytes where ${maxBytes} are allowed, because the index says that there are fewer.`,
          )
        if (contentOf(outcome.value).toString() !== content)
          trial.broken(
            `read() gave ${outcome.value.length} bytes of a file of ${content.length}, as its index says. Read to the end, or refuse the file.`,
          )
      }
    },
  },
  {
    name: 'not-a-file',
    rule: 'a folder is not read as a file, and says that it is something else',
    async check(trial) {
      const opened = await trial.open(plainSamples)
      const found = await opened.read('deploy')
      if (found?.found !== 'other' || found.what === '')
        trial.broken(
          `read() of a folder gave ${JSON.stringify(found)} instead of { found: 'other', what: 'a folder' }.`,
        )
      for (const path of ['', 'deploy']) {
        const { kind } = await trial.stats(opened, path)
        if (kind !== 'folder') trial.broken(`stat(${shown(path)}) says that a folder is a ${kind}.`)
      }
    },
  },
]
