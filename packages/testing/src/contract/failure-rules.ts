import { isAbortError, sourceKind } from '@skills/core'
import { fakeClock } from '../fake-clock.js'
import { neighbour } from './neighbour.js'
import { errorsAbout, expectNames, expectNoErrors, watchTurns } from './reading.js'
import { sample } from './samples.js'
import { expectToldAndKept } from './taking-time.js'
import { quietCall, type SourceRule } from './trial.js'

const sound = ['alpha', 'omega']
/** Turns of the event loop in which a source may answer although its storage hangs, before its time limit. */
const graceTurns = 200

/** Rules for a source whose storage or skills are broken. */
export const failureRules: readonly SourceRule[] = [
  {
    name: 'fail-open',
    rule: 'one bad skill never hides another',
    needs: ['putBroken'],
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha')])
      await trial.able(fixture.store, 'putBroken').putBroken('broken')
      await fixture.store.put([sample('omega')])
      const { list } = await trial.start(fixture)
      expectNames(trial, await list(), sound, 'Beside a skill "broken" that cannot be read')
    },
  },
  {
    name: 'diagnostics',
    rule: 'what does not load is told of as an error with its name, its path and its line',
    needs: ['putBroken'],
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha')])
      const { path, line } = await trial.able(fixture.store, 'putBroken').putBroken('broken')
      const result = await (await trial.start(fixture)).list()
      const error = result.errors.find(({ name }) => name === 'broken' || name === trial.nameOf('broken'))
      if (error === undefined)
        return trial.broken(
          `there is no error with the name "broken"; there are ${result.errors.length} errors${result.errors[0] === undefined ? '' : `, the first: ${result.errors[0].message}`}.`,
        )
      trial.expectSame('the severity of "broken" among the errors', error.severity, 'error')
      if (path !== undefined && error.path !== path)
        trial.broken(`the error of "broken" has the path ${String(error.path)} instead of ${path}.`)
      if (line !== undefined && error.line !== line)
        trial.broken(`the error of "broken" has the line ${String(error.line)} instead of ${line}.`)
    },
  },
  {
    name: 'unreadable',
    rule: 'a folder that cannot be read costs its own skill and is told of',
    needs: ['deny'],
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha'), sample('closed'), sample('omega')])
      await trial.able(fixture.store, 'deny').deny('closed')
      const result = await (await trial.start(fixture)).list()
      expectNames(trial, result, sound, 'Beside a skill "closed" that may not be read')
      if (errorsAbout(trial, result, 'closed').length === 0)
        trial.broken('there is no error with the name or the path of "closed", which may not be read.')
    },
  },
  {
    name: 'unavailable',
    rule: 'a store that cannot be read is told of, never passed off as empty, and found again once it can be',
    needs: ['shut'],
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha'), sample('omega')])
      const { list, source } = await trial.start(fixture)
      const open = await trial.able(fixture.store, 'shut').shut()
      const outcome = await trial.ended('list()', async () => source.list(quietCall()))
      if ('value' in outcome ? outcome.value.errors.length === 0 : isAbortError(outcome.error))
        trial.broken('list() neither failed nor gave an error while the store could not be read.')
      await open()
      const result = await list()
      expectNoErrors(trial, result, 'Once the store could be read again')
      expectNames(trial, result, sound, 'Once the store could be read again')
    },
  },
  {
    name: 'endless',
    rule: 'an entry whose reading never ends holds no one up, and is told of',
    needs: ['putEndless'],
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha'), sample('omega')])
      const { list } = await trial.start(fixture)
      const entry = await trial.able(fixture.store, 'putEndless').putEndless('endless')
      trial.atEnd(() => entry.remove())
      const result = await list()
      if (entry.wasHeld) trial.broken('list() waited for "endless", whose reading never ends, until it was freed.')
      expectNames(trial, result, sound, 'Beside an entry "endless" whose reading never ends')
      if (errorsAbout(trial, result, 'endless').length === 0)
        trial.broken('there is no error with the name or the path of "endless", whose reading never ends.')
    },
  },
  {
    name: 'hung',
    rule: 'storage that hangs is told of once its time is over, costs nothing that was known, and is found again once it answers',
    needs: ['stall'],
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha')])
      const { provider, store } = fixture
      const able = trial.able(store, 'stall')
      const clock = fakeClock()
      const skills = trial.engine(fixture, { clock, plugins: [neighbour] })
      const before = await trial.catalog(skills)
      await store.put([sample('omega')])
      const release = await able.stall()
      trial.atEnd(release)
      skills.invalidate()
      // A provider whose engine sets no limit (Infinity) has one of its own, on any clock.
      const limitMs = provider.limitMs === Infinity ? sourceKind.limitMs : (provider.limitMs ?? sourceKind.limitMs)
      const catalog = await trial.answer(
        'catalog() while the storage hangs',
        async () =>
          (
            await watchTurns(skills.catalog(), turns => {
              if (turns > graceTurns) void clock.advance(limitMs)
            })
          ).value,
      )
      if (catalog.get(trial.nameOf('omega')) !== undefined)
        trial.broken('it cannot be checked, because the source read the store while stall() should have held it up.')
      expectToldAndKept(trial, {
        catalog,
        provider: provider.id,
        known: [trial.nameOf('alpha')],
        whole: before,
        when: 'While the storage hangs',
      })
      await release()
      skills.invalidate()
      const whole = await trial.catalog(skills)
      expectNoErrors(trial, whole, 'Once the storage answered again')
      const entries = whole.entries.filter(({ name }) => name !== 'neighbour')
      expectNames(trial, { entries }, sound, 'Once the storage answered again')
    },
  },
]
