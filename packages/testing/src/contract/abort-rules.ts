import type { Source } from '@skills/core'
import { expectBody, expectNames, letOthersGoOn, watchTurns } from './reading.js'
import { manySamples, sample } from './samples.js'
import type { Ended } from './check.js'
import { quietCall, type AbleStore, type SourceRule, type Trial } from './trial.js'

/** Enough skills that a source which yields to the event loop does so while it lists them. */
const longList = manySamples(1500)

const how = ' Call signal.throwIfAborted() first, and again after each wait.'

/** Rules for a source whose caller aborts a call. */
export const abortRules: readonly SourceRule[] = [
  {
    name: 'abort-before',
    rule: 'a list() or refresh() whose signal was aborted before rejects with an AbortError, and the next list() is whole',
    async check(trial) {
      const { source, list } = await trial.start(await trial.fixture([sample('alpha')]))
      trial.expectAborted(
        await trial.ended('list()', async () => source.list(quietCall(AbortSignal.abort()))),
        'list() whose signal was aborted before',
        how,
      )
      expectNames(trial, await list(), ['alpha'], 'In the list() after an aborted one')
      if (source.refresh === undefined) return
      trial.expectAborted(
        await trial.ended('refresh()', async () => source.refresh?.(undefined, quietCall(AbortSignal.abort()))),
        'refresh() whose signal was aborted before',
        how,
      )
      expectNames(trial, await list(), ['alpha'], 'In the list() after an aborted refresh()')
    },
  },
  {
    name: 'abort-list',
    rule: 'a long list() gives the rest of the process its turns; aborted in one it rejects with an AbortError, and the next one is whole',
    needs: ['turns'],
    async check(trial) {
      const { source, list } = await trial.start(await trial.fixture(longList))
      const names = longList.map(({ name }) => name)
      let told = 0
      const { turns } = await listUntil(
        trial,
        source,
        () => false,
        () => told++,
      )
      if (turns === 0)
        trial.broken(
          `list() of ${names.length} skills gave way not once. Let it wait for a turn of the event loop every few milliseconds, or say why it need not: without: { turns: '…' }.`,
        )
      // Late in a listing there may be no wait left in which it could be aborted.
      const stages = [...new Set([1, Math.ceil(turns / 4)])]
      for (const stage of stages) {
        const { outcome, wasAborted } = await listUntil(trial, source, soFar => soFar === stage)
        if (wasAborted) trial.expectAborted(outcome, `list() that was aborted in turn ${stage} of about ${turns}`, how)
        expectNames(trial, await list(), names, 'In the list() after an aborted one')
      }
      if (told < 2) return
      const controller = new AbortController()
      const outcome = await trial.ended('list()', async () =>
        source.list({ signal: controller.signal, progress: () => controller.abort() }),
      )
      trial.expectAborted(outcome, 'list() that was aborted when it told of its progress for the first time', how)
      expectNames(trial, await list(), names, 'In the list() after an aborted one')
    },
  },
  {
    name: 'abort-quiet',
    rule: 'nothing is read any more once an aborted list() has ended',
    needs: ['countReads'],
    async check(trial) {
      const fixture = await trial.fixture(manySamples(300))
      const { source } = await trial.start(fixture)
      const counter = trial.counting(fixture)
      await trial.ended('list()', async () => source.list(quietCall(AbortSignal.abort())))
      await letOthersGoOn()
      if (counter.reads > 0) trial.broken(`list() whose signal was aborted before read ${counter.reads} times.${how}`)
      await listUntil(trial, source, soFar => soFar === 1)
      const { reads } = counter
      await letOthersGoOn()
      if (counter.reads > reads)
        trial.broken(
          `${counter.reads - reads} reads came after the aborted list() had ended. Wait for what is under way before rejecting, and begin nothing new.`,
        )
      await trial.ended('list()', async () => source.list(quietCall()))
      if (counter.reads === reads)
        trial.broken('it cannot be checked, because countReads() counted nothing while list() read the store.')
    },
  },
  {
    name: 'abort-load',
    rule: 'a load() whose signal was aborted before rejects with an AbortError, and the next one gives the body',
    async check(trial) {
      const skill = sample('alpha')
      const { command } = await trial.one(skill)
      trial.expectAborted(
        await trial.ended('load()', async () => command.load('', { signal: AbortSignal.abort() })),
        'load() whose signal was aborted before',
        how,
      )
      const controller = new AbortController()
      const loading = trial.ended('load()', async () => command.load('', { signal: controller.signal }))
      controller.abort()
      const outcome = await loading
      // A command that holds its body in memory has nothing to abort; any other failure is not the caller's.
      if ('error' in outcome) trial.expectAborted(outcome, 'load() that was aborted meanwhile', how)
      await expectBody(trial, command, skill.body, 'after an aborted load() the next')
    },
  },
  {
    name: 'abort-stalled',
    rule: 'a list() or load() that is aborted while its storage hangs rejects with an AbortError, once the storage answers at the latest, and the next one is whole',
    needs: ['stall'],
    async check(trial) {
      const skill = sample('alpha')
      const { source, list, command, ...fixture } = await trial.one(skill)
      const store = trial.able(fixture.store, 'stall')
      await expectGivenUp(trial, store, 'list()', async signal => source.list(quietCall(signal)))
      expectNames(trial, await list(), [skill.name], 'In the list() after an aborted one')
      await expectGivenUp(trial, store, 'load()', async signal => command.load('', { signal }))
      await expectBody(trial, command, skill.body, 'after an aborted load() the next')
    },
  },
]

/**
 * Returns a sentence with the number of times that a long `list()` let other work run, or undefined if it never did. A
 * `list()` that never does cannot be aborted.
 */
export async function turnsOf(trial: Trial): Promise<string | undefined> {
  const { source, list } = await trial.start(await trial.fixture(longList))
  // Turns that a source takes only once, such as for loading code, do not count.
  await list()
  const { turns } = await listUntil(trial, source, () => false)
  return turns > 0 ? `list() of ${longList.length} skills gave way ${turns} times` : undefined
}

/**
 * Aborts some work while the store hangs, and expects an AbortError. Work that is finished by then did not use the
 * store and had nothing to abort.
 */
async function expectGivenUp(
  trial: Trial,
  store: AbleStore<'stall'>,
  what: string,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const release = await store.stall()
  trial.atEnd(release)
  const controller = new AbortController()
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  const outcome = trial.ended(what, () => work(controller.signal))
  outcome.then(end, end)
  await letOthersGoOn()
  const wasOver = isOver
  controller.abort()
  await letOthersGoOn()
  await release()
  const found = await outcome
  if (!wasOver) trial.expectAborted(found, `${what} that was aborted while its storage hung`, how)
}

/** Lists, and aborts in the turn for which `isTime` returns true. Turns are counted from 1 while the list runs. */
async function listUntil(
  trial: Trial,
  source: Source,
  isTime: (turns: number) => boolean,
  progress = (): void => {},
): Promise<{ outcome: Ended; turns: number; wasAborted: boolean }> {
  const controller = new AbortController()
  const listing = trial.ended('list()', async () => source.list({ signal: controller.signal, progress }))
  const { value: outcome, turns } = await watchTurns(listing, soFar => {
    if (isTime(soFar)) controller.abort()
  })
  return { outcome, turns, wasAborted: controller.signal.aborted }
}
