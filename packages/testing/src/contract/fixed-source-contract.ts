import { isDeepStrictEqual } from 'node:util'
import type { MaybePromise } from '@skills/core'
import { fakeClock } from '../fake-clock.js'
import { contractOf, type ContractRule } from './contract-rule.js'
import type { ContractOptions } from './check.js'
import { expectCounted, expectNothingLeft, plain } from './listing-rules.js'
import { expectNoErrors, namesOf, some, textOf } from './reading.js'
import { quietCall, Trial } from './trial.js'
import type { ContractCase } from './contract-case.js'
import type { MakeFixture, SourceFixture } from './fixture.js'

/** Source with a fixed list of commands, which it gets when it is made. */
export type FixedSourceFixture = Omit<SourceFixture, 'store' | 'nameOf'>
export type FixedSourceContractOptions = Pick<ContractOptions<never>, 'patienceMs'>

const rules: readonly ContractRule<Trial, never>[] = [
  {
    name: 'list',
    rule: 'all that it gives is sound: no error, every field of its type, places that count what came from them, and bodies as long as contentLength says',
    async check(trial) {
      const skills = trial.engine(await trial.fixture())
      const catalog = await trial.catalog(skills)
      expectNoErrors(trial, catalog, 'In the catalog')
      expectCounted(trial, catalog)
      for (const { command } of catalog.entries) {
        const bytes = command.type === 'prompt' ? Buffer.byteLength(await textOf(trial, command)) : 0
        if (command.type === 'prompt' && command.contentLength !== bytes)
          trial.broken(`"${command.name}" says ${command.contentLength} and its body has ${bytes} bytes.`)
      }
    },
  },
  {
    name: 'determinism',
    rule: 'it gives the same every time: at once, one after the other, and to another engine',
    async check(trial) {
      const fixture = await trial.fixture()
      const [one, other] = [await trial.start(fixture), await trial.start(fixture)]
      const [first, ...more] = [...(await Promise.all([one.list(), one.list(), other.list()])), await one.list()]
      for (const result of more)
        if (!isDeepStrictEqual(plain(result), plain(first)))
          trial.broken(
            `asked again, it listed ${some(namesOf(result))} with other fields or in another order than ${some(namesOf(first))}.`,
          )
    },
  },
  {
    name: 'close',
    rule: 'after close() nothing that it began goes on, and another engine still has all of it',
    async check(trial) {
      const fixture = await trial.fixture()
      const clock = fakeClock()
      const [closed, open] = [trial.engine(fixture, { clock }), trial.engine(fixture)]
      const { entries } = await trial.catalog(closed)
      await trial.answer('close()', () => closed.close())
      if (clock.pending > 0) trial.broken(`after close(), ${clock.pending} timers of the host's clock still wait.`)
      const { length } = (await trial.catalog(open)).entries
      if (length !== entries.length)
        trial.broken(`after one engine was closed another one has ${length} commands instead of ${entries.length}.`)
      await expectNothingLeft(trial, fixture)
    },
  },
  {
    name: 'abort',
    rule: 'a list() whose signal was aborted before rejects with an AbortError or is as ever, and the next one is whole',
    async check(trial) {
      const { source, list } = await trial.start(await trial.fixture())
      const whole = plain(await list())
      const outcome = await trial.ended('list()', async () => source.list(quietCall(AbortSignal.abort())))
      for (const result of [trial.expectGivenUp(outcome, 'it') ? outcome.value : await list(), await list()])
        if (!isDeepStrictEqual(plain(result), whole)) trial.broken('a list after that is not as before.')
    },
  },
]

const contract = /* @__PURE__ */ contractOf<MakeFixture, never, Trial>({
  name: 'fixedSourceContract',
  owner: 'source',
  trial: Trial,
  rules: () => rules,
})

/** Returns those rules of {@link sourceContract} that can be checked for a source without a store, as cases. */
export function fixedSourceContract(
  make: () => MaybePromise<FixedSourceFixture>,
  options: FixedSourceContractOptions = {},
): readonly ContractCase[] {
  return contract(async () => ({ ...(await make()), store: { put: () => {}, remove: () => {} } }), options)
}
