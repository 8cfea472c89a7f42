import { isDeepStrictEqual } from 'node:util'
import { SkillsError, type Catalog, type LoadResult, type Skills } from '@skills/core'
import { fakeClock } from '../fake-clock.js'
import { expectBody, expectNames, expectNoErrors, namesOf, promptNamed, some, textOf } from './reading.js'
import { leftBehind } from './left-behind.js'
import { manySamples, sample } from './samples.js'
import type { SourceFixture } from './fixture.js'
import type { SourceRule, Trial } from './trial.js'

const three = [sample('beta'), sample('alpha'), sample('gamma')]

/** Rules for the commands that a source lists, and for listing the same commands every time. */
export const listingRules: readonly SourceRule[] = [
  {
    name: 'list',
    rule: 'every skill that is there is a command of the catalog, with the name, description and body that were stored, every field of its type, and places count what came from them',
    async check(trial) {
      const fixture = await trial.fixture(three)
      const skills = trial.engine(fixture)
      const catalog = await trial.catalog(skills)
      expectNoErrors(trial, catalog, 'With three sound skills')
      const names = three.map(({ name }) => name)
      expectNames(trial, catalog, names, 'With three sound skills')
      expectCounted(trial, catalog)
      for (const { name, description, body } of three) {
        const command = promptNamed(trial, catalog, name, 'In the catalog')
        trial.expectSame(`the description of "${name}"`, command.description, description)
        if (!command.hasUserSpecifiedDescription)
          trial.broken(`"${name}" says that no one wrote its description: hasUserSpecifiedDescription is false.`)
        await expectBody(trial, command, body, `load() of "${name}"`)
      }
      // A broken skill is not a command, and removing one makes an old count wrong.
      await fixture.store.putBroken?.('broken')
      await fixture.store.remove('gamma')
      skills.invalidate()
      expectCounted(trial, await trial.catalog(skills))
    },
  },
  {
    name: 'content-length',
    rule: 'contentLength is the number of bytes that load() gives',
    async check(trial) {
      const { command } = await trial.one()
      const bytes = Buffer.byteLength(await textOf(trial, command))
      if (command.contentLength !== bytes)
        trial.broken(`"alpha" says ${command.contentLength} and its body has ${bytes} bytes.`)
    },
  },
  {
    name: 'empty',
    rule: 'a store that is empty, or not there yet, is no error',
    async check(trial) {
      const { list } = await trial.start(await trial.fixture())
      const result = await list()
      expectNoErrors(trial, result, 'Before anything was stored')
      expectNames(trial, result, [], 'Before anything was stored')
    },
  },
  {
    name: 'determinism',
    rule: 'one content gives one result, regardless of the order in which it was stored, every time',
    async check(trial) {
      const skills = ['beta', 'skill-10', 'alpha', 'skill-9', 'Zeta', 'gamma'].map(name => sample(name))
      const fixture = await trial.fixture(skills)
      const { list } = await trial.start(fixture)
      const first = await list()
      const again = [
        { who: 'the same source', result: await list() },
        { who: 'a second one', result: await (await trial.start(fixture)).list() },
      ]
      for (const { who, result } of again) {
        if (!isDeepStrictEqual(plain(result), plain(first)))
          trial.broken(
            `asked again, ${who} listed ${some(namesOf(result))} with other fields or in another order than ${some(namesOf(first))}.`,
          )
      }
      const other = await (await trial.start(await trial.fixture(skills.toReversed()))).list()
      if (!isDeepStrictEqual(namesOf(other), namesOf(first)))
        trial.broken(`stored in reverse the skills came as ${some(namesOf(other))} instead of ${some(namesOf(first))}.`)
    },
  },
  {
    name: 'many',
    rule: '2,000 skills are all found',
    async check(trial) {
      const skills = manySamples(2000)
      const { list } = await trial.start(await trial.fixture(skills))
      const result = await list()
      expectNoErrors(trial, result, 'With 2,000 sound skills')
      const names = skills.map(({ name }) => name)
      expectNames(trial, result, names, 'With 2,000 skills')
    },
  },
  {
    name: 'again',
    rule: "a provider serves several engines, at once and one after the other, each by itself, and closing one leaves no timer of its host's clock",
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha'), sample('beta')])
      const clock = fakeClock()
      const [first, second] = [trial.engine(fixture, { clock }), trial.engine(fixture)]
      for (const [at, catalog] of (await Promise.all([first, second].map(one => trial.catalog(one)))).entries()) {
        const which = at === 0 ? 'first' : 'second'
        expectNames(
          trial,
          catalog,
          ['alpha', 'beta'],
          `In the ${which} of two engines that were asked at the same time`,
        )
      }
      await expectNoticed(trial, fixture, second)
      await trial.answer('close()', () => first.close())
      if (clock.pending > 0) trial.broken(`after close(), ${clock.pending} timers of the host's clock still wait.`)
      for (const [skills, when] of [
        [second, 'After the first engine was closed, in the second'],
        [trial.engine(fixture), 'In an engine that came later'],
      ] as const) {
        skills.invalidate()
        const catalog = await trial.catalog(skills)
        expectNoErrors(trial, catalog, when)
        expectNames(trial, catalog, ['alpha'], when)
      }
    },
  },
  {
    name: 'close',
    rule: 'after close() nothing that the source began goes on: no timer, watch, connection or process, also when a skill that it listed is loaded then',
    async check(trial) {
      await expectNothingLeft(trial, await trial.fixture([sample('alpha')]))
    },
  },
]

/** Expects that the counts of all places add up to the number of commands. */
export function expectCounted(trial: Trial, { entries, places }: Catalog): void {
  const counted = places.reduce((sum, { found }) => sum + found, 0)
  if (places.length > 0 && counted !== entries.length)
    trial.broken(`its places say that they found ${counted} commands, and it gave ${entries.length}.`)
}

/** Expects that a source leaves nothing running after close(), even if its commands are loaded once more. */
export async function expectNothingLeft(trial: Trial, fixture: SourceFixture): Promise<void> {
  const left = await leftBehind(async () => {
    const skills = trial.engine(fixture)
    const { entries } = await trial.catalog(skills)
    const commands = entries.flatMap(({ command }) => (command.type === 'prompt' ? command : []))
    for (const command of commands) await textOf(trial, command)
    await trial.answer('close()', () => skills.close())
    // A source may or may not still give the body.
    for (const command of commands)
      await trial.ended('load() after close()', async () => command.load('', { signal: new AbortController().signal }))
  })
  if (left.length > 0)
    trial.broken(
      `after close() the source has left ${left.join(', ')}. Give what ends it to the effect() that setup() is given, and begin nothing once the signal of setup() has aborted.`,
    )
}

/** Expects that the second of two engines drops the skill "beta" after its load() failed because it was deleted. */
async function expectNoticed(trial: Trial, { store }: SourceFixture, second: Skills): Promise<void> {
  const beta = promptNamed(trial, await trial.catalog(second), 'beta', 'In the second engine')
  await store.remove('beta')
  const signal = new AbortController().signal
  const outcome = await trial.ended('load() of "beta"', async () => beta.load('', { signal }))
  // The rule "deleted" checks the error of load().
  if ('value' in outcome || !SkillsError.is(outcome.error)) return
  const catalog = await trial.catalog(second)
  if (catalog.get(trial.nameOf('beta')) !== undefined) {
    trial.broken(
      'after load() of "beta", which was deleted, failed in the second engine, it is still in the catalog of that one. Call the invalidate() that the very setup() was given.',
    )
  }
}

/** Returns the data of a result without its functions, for comparison. */
export function plain({ commands, errors, warnings, disabledPaths, places }: LoadResult): unknown {
  return JSON.parse(JSON.stringify({ commands, errors, warnings, disabledPaths, places }))
}
