import { isDeepStrictEqual } from 'node:util'
import { fakeClock } from '../fake-clock.js'
import { expectNames, expectNoErrors, namesOf, promptNamed, some, textOf } from './reading.js'
import { manySamples, sample } from './samples.js'
import type { LoadResult } from '@skills/core'
import type { SourceRule } from './source-rule.js'

const three = [sample('beta'), sample('alpha'), sample('gamma')]

/** What a source gives, and that it gives the same every time. */
export const listingRules: readonly SourceRule[] = [
  {
    name: 'list',
    rule: 'every skill that is there is a command of the catalog, with the name, description and body that were stored',
    async check(trial) {
      const skills = trial.engine(await trial.fixture(three))
      const catalog = await trial.answer('catalog()', () => skills.catalog())
      expectNoErrors(trial, catalog, 'With three sound skills')
      expectNames(trial, catalog.entries.map(({ name }) => name), three.map(({ name }) => name), 'With three sound skills')
      for (const { name, description, body } of three) {
        const command = promptNamed(trial, catalog.entries.map(entry => entry.command), name, 'In the catalog')
        if (command.description !== description) trial.broken(`the description of "${name}" is "${command.description}" instead of "${description}".`)
        if (!command.hasUserSpecifiedDescription) trial.broken(`"${name}" says that nobody wrote its description: hasUserSpecifiedDescription is false.`)
        const text = await textOf(trial, command)
        if (text.trim() !== body) trial.broken(`load() of "${name}" gave ${JSON.stringify(text)} instead of ${JSON.stringify(body)}.`)
      }
    },
  },
  {
    name: 'content-length',
    rule: 'contentLength is the number of bytes that load() gives',
    async check(trial) {
      const { list } = await trial.start(await trial.fixture([sample('alpha')]))
      const command = promptNamed(trial, (await list()).commands, 'alpha', 'With one skill')
      const bytes = Buffer.byteLength(await textOf(trial, command))
      if (command.contentLength !== bytes) trial.broken(`"alpha" says ${command.contentLength} and its body has ${bytes} bytes.`)
    },
  },
  {
    name: 'empty',
    rule: 'a store that is empty, or not there yet, is no error',
    async check(trial) {
      const { list } = await trial.start(await trial.fixture())
      const result = await list()
      expectNoErrors(trial, result, 'Before anything was stored')
      expectNames(trial, namesOf(result), [], 'Before anything was stored')
    },
  },
  {
    name: 'determinism',
    rule: 'one content gives one result, whatever the order in which it was stored, every time',
    async check(trial) {
      const skills = ['beta', 'skill-10', 'alpha', 'skill-9', 'Zeta', 'gamma'].map(name => sample(name))
      const fixture = await trial.fixture(skills)
      const { list } = await trial.start(fixture)
      const first = await list()
      const again = [{ who: 'the same source', result: await list() }, { who: 'a second one', result: await (await trial.start(fixture)).list() }]
      for (const { who, result } of again) {
        if (!isDeepStrictEqual(plain(result), plain(first))) trial.broken(`asked again, ${who} listed ${some(namesOf(result))} with other fields or in another order than ${some(namesOf(first))}.`)
      }
      const other = await (await trial.start(await trial.fixture(skills.toReversed()))).list()
      if (!isDeepStrictEqual(namesOf(other), namesOf(first))) trial.broken(`stored in reverse the skills came as ${some(namesOf(other))} instead of ${some(namesOf(first))}.`)
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
      expectNames(trial, namesOf(result), skills.map(({ name }) => name), 'With 2,000 skills')
    },
  },
  {
    name: 'again',
    rule: 'a provider serves several engines, at once and one after the other, and closing one undoes what its set-up began',
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha')])
      const clock = fakeClock()
      const [first, second] = [trial.engine(fixture, { clock }), trial.engine(fixture)]
      for (const [skills, when] of [[first, 'In a first engine'], [second, 'In a second engine beside it']] as const) {
        const catalog = await trial.answer('catalog()', () => skills.catalog())
        expectNames(trial, catalog.entries.map(({ name }) => name), ['alpha'], when)
      }
      await trial.answer('close()', () => first.close())
      if (clock.pending > 0) trial.broken(`after close(), ${clock.pending} timers of the host's clock still wait.`)
      for (const [skills, when] of [[second, 'After the first engine was closed, in the second'], [trial.engine(fixture), 'In an engine that came later']] as const) {
        skills.invalidate()
        const catalog = await trial.answer('catalog()', () => skills.catalog())
        expectNoErrors(trial, catalog, when)
        expectNames(trial, catalog.entries.map(({ name }) => name), ['alpha'], when)
      }
    },
  },
]

/** What of a result can be compared: its data without its functions. */
function plain({ commands, errors, warnings, disabledPaths, places }: LoadResult): unknown {
  return JSON.parse(JSON.stringify({ commands, errors, warnings, disabledPaths, places }))
}
