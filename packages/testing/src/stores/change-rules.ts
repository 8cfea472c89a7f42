import { letOthersGoOn } from '../contract/reading.js'
import { sameIdentity, shown, type Opened, type StoreRule, type StoreTrial } from './store-trial.js'

const samples = { 'a/SKILL.md': 'First.', 'b/SKILL.md': 'Other.', 'b/notes.md': 'Notes.' }

/** Rules for how a store reports changes, and for closing a store. */
export const changeRules: readonly StoreRule[] = [
  {
    name: 'identity',
    rule: 'a file that has not changed has one identity, read or stated, now and later; two files have two',
    async check(trial) {
      const opened = await trial.open(samples)
      for (const path of ['a/SKILL.md', 'a', '']) {
        const before = await trial.stats(opened, path)
        await opened.list('b')
        await opened.look()
        if (!sameIdentity(before, await trial.stats(opened, path)))
          trial.broken(`stat(${shown(path)}) gives another identity although nothing has changed.`)
      }
      const [one, other] = [await trial.stats(opened, 'a/SKILL.md'), await trial.stats(opened, 'b/SKILL.md')]
      const read = await trial.file(opened, 'a/SKILL.md')
      if (!sameIdentity(one, read.stats)) trial.broken('read() and stat() give one file two identities.')
      if (one.identity.realPath === other.identity.realPath)
        trial.broken(`two files have one realPath, ${one.identity.realPath}.`)
    },
  },
  {
    name: 'change-seen',
    rule: 'a file that changes has another identity and its new bytes at the next look, be it as long as before, and only it',
    needs: ['change'],
    async check(trial) {
      const opened = await trial.open(samples)
      await opened.look()
      const [before, other] = [await trial.stats(opened, 'a/SKILL.md'), await trial.stats(opened, 'b/SKILL.md')]
      const folder = await trial.stats(opened, 'b')
      await change(trial, opened, { 'a/SKILL.md': 'Worse.' })
      await opened.look()
      if (sameIdentity(before, await trial.stats(opened, 'a/SKILL.md')))
        trial.broken('a file of other bytes and the same length has the identity that it had.')
      trial.expectBytes('a/SKILL.md', await trial.bytes(opened, 'a/SKILL.md'), Buffer.from('Worse.'))
      if (!sameIdentity(other, await trial.stats(opened, 'b/SKILL.md')))
        trial.broken('a file that has not changed has another identity, because one beside it changed.')
      if (!sameIdentity(folder, await trial.stats(opened, 'b')))
        trial.broken('a folder whose entries have not changed has another identity.')
    },
  },
  {
    name: 'entries-seen',
    rule: 'what is added is there at the next look and what is removed is not, and their folder has another identity',
    needs: ['change'],
    async check(trial) {
      const opened = await trial.open(samples)
      await opened.look()
      const before = await trial.stats(opened, 'b')
      await change(trial, opened, { 'b/new.md': 'New.', 'b/notes.md': undefined, 'a/SKILL.md': undefined })
      await opened.look()
      const listed = (await opened.list('b')) ?? trial.broken('list("b") found nothing.')
      trial.expectNames('list("b") has the files', listed.files, ['SKILL.md', 'new.md'])
      if ((await opened.stat('b/notes.md')) !== undefined || (await opened.read('a/SKILL.md')) !== undefined)
        trial.broken('a file that was removed is still there.')
      const after = await trial.stats(opened, 'b')
      if (sameIdentity(before, after)) trial.broken('a folder with other entries has the identity that it had.')
      if (!sameIdentity(after, { kind: 'folder', identity: listed.identity }))
        trial.broken('list() and stat() give one folder two identities.')
    },
  },
  {
    name: 'changes',
    rule: 'changes() has the same version until something changes, then another; the paths that it names are those that differ since, or it names none',
    needs: ['change', 'changes'],
    async check(trial) {
      const opened = await trial.open(samples)
      const ask = (since: string | undefined): ReturnType<Opened['look']> =>
        trial.answer('changes()', async () => opened.store.changes?.(since, { signal: new AbortController().signal }))
      const first = (await ask(undefined)) ?? trial.broken('changes() gave nothing.')
      await opened.list('')
      const same = await ask(first.version)
      if (same?.version !== first.version || (same.paths ?? []).length > 0)
        trial.broken(
          `although nothing changed, changes() went from version ${first.version} to ${same?.version ?? 'none'} and names ${JSON.stringify(same?.paths)}.`,
        )
      await change(trial, opened, { 'a/SKILL.md': 'Worse.' })
      const next = await ask(first.version)
      if (next?.version === first.version) trial.broken('a file changed and changes() has the version that it had.')
      const covers =
        next?.paths?.some(path => opened.at('a/SKILL.md') === path || opened.at('a/SKILL.md').startsWith(`${path}/`)) ??
        true
      if (!covers) trial.broken(`changes() names ${JSON.stringify(next?.paths)}, and not the file that changed.`)
      if (next?.paths?.includes(opened.at('b/SKILL.md')) === true)
        trial.broken('changes() names a file that has not changed.')
      const unknown = await ask('no such version')
      if (unknown?.paths?.length === 0)
        trial.broken('changes() since a version that the store does not know says that nothing changed.')
    },
  },
  {
    name: 'watch',
    rule: 'watch() tells of what changes, and nothing any more once it is stopped',
    needs: ['change', 'watch'],
    async check(trial) {
      const opened = await trial.open(samples)
      await opened.list('')
      let told: readonly string[] = []
      let calls = 0
      let wake = (): void => {}
      const stop = opened.store.watch?.(paths => {
        told = [...told, ...paths]
        calls++
        wake()
      })
      if (stop === undefined) return trial.broken('the store has no watch().')
      trial.atEnd(stop)
      const path = opened.at('a/SKILL.md')
      const heard = new Promise<void>(resolve => (wake = resolve))
      await change(trial, opened, { 'a/SKILL.md': 'Worse.' })
      await trial.within('watch()', told.length > 0 ? Promise.resolve() : heard)
      if (!told.some(one => path === one || path.startsWith(`${one}/`)))
        trial.broken(`watch() told of ${JSON.stringify(told)} when ${path} changed.`)
      stop()
      stop()
      calls = 0
      await change(trial, opened, { 'b/SKILL.md': 'Changed.' })
      await letOthersGoOn()
      if (calls > 0) trial.broken('watch() told of a change after it was stopped.')
    },
  },
  {
    name: 'abort',
    rule: 'a call whose signal was aborted before rejects with an AbortError, and the next one is whole',
    async check(trial) {
      const opened = await trial.open(samples)
      const { store } = opened
      const call = { signal: AbortSignal.abort(), maxBytes: 1000 }
      const each = async (): Promise<void> => {
        await trial.expectRefused('list()', () => store.list(opened.at('a'), call))
        await trial.expectRefused('read()', () => store.read(opened.at('a/SKILL.md'), call))
        await trial.expectRefused('stat()', () => store.stat(opened.at('a/SKILL.md'), call))
        if (store.changes !== undefined) await trial.expectRefused('changes()', () => store.changes?.(undefined, call))
      }
      await each()
      trial.expectNames('list("a") has the files', (await opened.list('a'))?.files ?? [], ['SKILL.md'])
      await each()
      trial.expectBytes('a/SKILL.md', await trial.bytes(opened, 'a/SKILL.md'), Buffer.from('First.'))
    },
  },
  {
    name: 'abort-shared',
    rule: 'a caller that gives up takes nothing from another one that asked for the same at the same time, nor from the next',
    async check(trial) {
      const opened = await trial.open(samples)
      const controller = new AbortController()
      const given = [
        trial.ended('list()', async () => opened.store.list(opened.at('a'), { signal: controller.signal })),
        trial.ended('read()', async () =>
          opened.store.read(opened.at('b/SKILL.md'), { signal: controller.signal, maxBytes: 1000 }),
        ),
      ]
      const others = [opened.list('a'), trial.bytes(opened, 'b/SKILL.md')] as const
      controller.abort()
      await Promise.all(given)
      const [folder, bytes] = await Promise.all(others)
      trial.expectNames('list("a") beside one that was aborted has the files', folder?.files ?? [], ['SKILL.md'])
      trial.expectBytes('b/SKILL.md', bytes, Buffer.from('Other.'))
      trial.expectBytes('b/notes.md', await trial.bytes(opened, 'b/notes.md'), Buffer.from('Notes.'))
    },
  },
  {
    name: 'abort-quiet',
    rule: 'the place itself is not asked any more once an aborted call has ended',
    needs: ['asked'],
    async check(trial) {
      const opened = await trial.open(samples)
      const asked = opened.asked ?? trial.lacking('fixture', 'asked')
      const before = asked()
      await trial.ended('list()', async () => opened.store.list(opened.at(''), { signal: AbortSignal.abort() }))
      await letOthersGoOn()
      if (asked() > before) trial.broken(`list() whose signal was aborted before asked ${asked() - before} times.`)
      await trial.bytes(opened, 'a/SKILL.md')
      if (asked() === before)
        trial.broken('it cannot be checked, because asked() counted nothing when a file was read.')
    },
  },
  {
    name: 'close',
    rule: 'close() releases all that the store holds open, and may be called again',
    needs: ['held'],
    async check(trial) {
      const opened = await trial.open(samples)
      const held = opened.held ?? trial.lacking('fixture', 'held')
      await trial.bytes(opened, 'a/SKILL.md')
      for (const what of ['close()', 'the second close()']) await trial.answer(what, async () => opened.store.close?.())
      const left = held()
      if (left > 0) trial.broken(`after close() the store still holds ${left} open.`)
    },
  },
]

async function change(
  trial: StoreTrial,
  { change: put }: Opened,
  changed: Parameters<NonNullable<Opened['change']>>[0],
): Promise<void> {
  await trial.unchecked('change() of the fixture failed', async () => put?.(changed))
}
