import { isDeepStrictEqual } from 'node:util'
import { compareCodeUnits, nameKey, type Command } from '@skills/core'
import { contractOf, type ContractRule } from './contract-rule.js'
import { some } from './reading.js'
import { manySamples, sample } from './samples.js'
import { quietCall, Trial, type StartedSource } from './trial.js'
import type { ContractOptions } from './check.js'
import type { ContractCase } from './contract-case.js'
import type { MakeFixture } from './fixture.js'

/** Members that a large source may lack, and `shut` of its store. */
export type LargeLack = 'search' | 'page' | 'count' | 'shut'
export type LargeSourceContractOptions = ContractOptions<LargeLack>

type Member = 'find' | 'search' | 'page' | 'count'
type Rule = ContractRule<Trial, LargeLack>

/** Returns a started source that has some members; breaks the rule if one is missing. */
async function started(trial: Trial, count: number, ...members: readonly Member[]) {
  const fixture = await trial.fixture(count === 0 ? [] : manySamples(count))
  const { source, list } = await trial.start(fixture)
  const missing = members.find(member => source[member] === undefined)
  if (missing !== undefined) trial.lacking('source', missing)
  return { fixture, source, list, names: manySamples(count).map(({ name }) => trial.nameOf(name)) }
}

const find = (trial: Trial, source: StartedSource['source'], name: string): Promise<Command | undefined> =>
  trial.answer(`find("${name}")`, async () => source.find?.(name, quietCall()))

/** Returns all pages. Breaks the rule if they do not end, or if one is longer than the limit. */
async function pagesOf(trial: Trial, source: StartedSource['source'], limit: number): Promise<readonly Command[]> {
  const all: Command[] = []
  const seen = new Set<string | undefined>()
  let after: string | undefined
  do {
    seen.add(after)
    const page = await trial.answer('page()', async () => source.page?.({ ...quietCall(), limit, after }))
    if (page === undefined) return trial.broken('page() gave nothing.')
    if (page.commands.length > limit) trial.broken(`a page of at most ${limit} has ${page.commands.length} commands.`)
    all.push(...page.commands)
    after = page.next
    if (after !== undefined && seen.has(after)) trial.broken(`page() gave the same next page twice, "${after}".`)
  } while (after !== undefined)
  return all
}

/** Returns the data of a command, without its functions. */
const plain = (command: Command | undefined): unknown =>
  command && Object.fromEntries(Object.entries(command).filter(([, value]) => typeof value !== 'function'))

async function expectFindable(trial: Trial, source: StartedSource['source'], command: Command, from: string) {
  const found = await find(trial, source, nameKey(command.name))
  if (!isDeepStrictEqual(plain(found), plain(command)))
    trial.broken(`find("${command.name}") gave another command than ${from}, or none.`)
}

const rules: readonly Rule[] = [
  {
    name: 'list',
    rule: 'list() gives nothing that no one pinned',
    async check(trial) {
      const { list } = await started(trial, 500, 'find')
      const { commands } = await list()
      if (commands.length > 0) trial.broken(`it listed ${some(commands.map(({ name }) => name))}.`)
    },
  },
  {
    name: 'find',
    rule: 'find() gives the command of exactly a name, and nothing for any other',
    async check(trial) {
      const { source, names } = await started(trial, 50, 'find')
      for (const name of names.slice(0, 10)) {
        const command = await find(trial, source, name)
        if (command === undefined || nameKey(command.name) !== name)
          trial.broken(`find("${name}") gave ${command === undefined ? 'nothing' : `"${command.name}"`}.`)
      }
      const [first = ''] = names
      for (const other of [
        'no-such-skill',
        first.toUpperCase(),
        first.slice(0, -1),
        `${first} `,
        '%',
        '*',
        "' OR 1=1 --",
      ]) {
        const command = await find(trial, source, other)
        if (command !== undefined) trial.broken(`find("${other}") gave "${command.name}".`)
      }
    },
  },
  {
    name: 'page',
    rule: 'page() gives every command once, in the order of the names, and find() gives the same',
    needs: ['page'],
    async check(trial) {
      const { source, names } = await started(trial, 103, 'find', 'page')
      for (const limit of [10, 103, 1000]) {
        const all = await pagesOf(trial, source, limit)
        trial.expectSame(
          `the list of names in pages of ${limit}`,
          all.map(({ name }) => nameKey(name)),
          names.toSorted(compareCodeUnits),
        )
        if (limit === 103)
          for (const command of all.slice(0, 10)) await expectFindable(trial, source, command, 'page()')
      }
    },
  },
  {
    name: 'page-empty',
    rule: 'page() of an empty store has no commands and is the last one',
    needs: ['page'],
    async check(trial) {
      const { source } = await started(trial, 0, 'page')
      trial.expectSame('the number of commands', (await pagesOf(trial, source, 10)).length, 0)
    },
  },
  {
    name: 'search',
    rule: 'search() gives at most as many as it was asked for, the best first, and find() gives the same',
    needs: ['search'],
    async check(trial) {
      const { source, names } = await started(trial, 60, 'find', 'search')
      const search = (query: string, limit: number, prefix?: string) =>
        trial.answer('search()', async () => source.search?.(query, { ...quietCall(), limit, prefix }))
      const [name = ''] = names
      const found = (await search(name, 5)) ?? []
      if (found[0] === undefined || nameKey(found[0].command.name) !== name)
        trial.broken(`search("${name}") did not give "${name}" first.`)
      if (found.length > 5) trial.broken(`search() gave ${found.length} commands instead of 5 at most.`)
      const scores = found.map(({ score }) => score)
      if (scores.some((score, at) => !Number.isFinite(score) || score > (scores[at - 1] ?? Infinity)))
        trial.broken(`the scores ${scores.join(', ')} do not fall.`)
      for (const { command } of found) await expectFindable(trial, source, command, 'search()')
      for (const odd of ['', '   ', 'qqqqxyzzy', '"', "'; DROP TABLE skills; --", 'NEAR(', '*', 'a:b OR -c'])
        for (const { command } of (await search(odd, 5)) ?? []) await expectFindable(trial, source, command, 'search()')
      const prefix = name.slice(0, -1)
      for (const { command } of (await search(name, 20, prefix)) ?? [])
        if (!command.name.startsWith(prefix))
          trial.broken(`search() with the prefix "${prefix}" gave "${command.name}".`)
    },
  },
  {
    name: 'count',
    rule: 'count() is the number of all commands, as the pages have them',
    needs: ['count', 'page'],
    async check(trial) {
      const { source } = await started(trial, 37, 'count', 'page')
      const count = await trial.answer('count()', async () => source.count?.(quietCall()))
      trial.expectSame('count()', count, (await pagesOf(trial, source, 10)).length)
    },
  },
  {
    name: 'changes',
    rule: 'what was added is found and what was removed is not, once it is listed again',
    async check(trial) {
      const { fixture, source, list } = await started(trial, 20, 'find')
      const [gone = sample('gone')] = manySamples(20)
      // Asked before too, so that a source that remembers its answers has some.
      for (const name of ['added', gone.name]) await find(trial, source, trial.nameOf(name))
      await fixture.store.put([sample('added')])
      await fixture.store.remove(gone.name)
      await list()
      const [added, removed] = [trial.nameOf('added'), trial.nameOf(gone.name)]
      if ((await find(trial, source, added)) === undefined) trial.broken(`"${added}", which was added, is not found.`)
      if ((await find(trial, source, removed)) !== undefined) trial.broken(`"${removed}", which was removed, is found.`)
    },
  },
  {
    name: 'abort',
    rule: 'a call whose signal was aborted before rejects with an AbortError or answers as ever',
    async check(trial) {
      const { source, names } = await started(trial, 20, 'find')
      const [name = ''] = names
      const before = plain(await find(trial, source, name))
      const call = { signal: AbortSignal.abort(), limit: 5 }
      const asked: readonly (readonly [string, () => unknown])[] = [
        ['find()', () => source.find?.(name, call)],
        ['search()', () => source.search?.(name, call)],
        ['page()', () => source.page?.(call)],
        ['count()', () => source.count?.(call)],
      ]
      for (const [what, ask] of asked) trial.expectGivenUp(await trial.ended(what, async () => ask()), what)
      if (!isDeepStrictEqual(plain(await find(trial, source, name)), before)) trial.broken('find() is not as before.')
    },
  },
  {
    name: 'engine',
    rule: 'an engine has a command once it was asked for, in no list, and a body can be read',
    async check(trial) {
      const { fixture, names } = await started(trial, 50, 'find')
      const skills = trial.engine(fixture)
      const [name = ''] = names
      const catalog = await trial.answer('catalog()', () => skills.catalog({ names: [name] }))
      const entry = catalog.get(name)
      if (entry?.isFound !== true) return trial.broken(`the catalog does not have "${name}", or lists it.`)
      const { command } = entry
      if (command.type === 'prompt') await trial.answer('load()', async () => command.load('', quietCall()))
      trial.expectSame('the number of listed commands', catalog.entries.length, 0)
    },
  },
  {
    name: 'shut',
    rule: 'a find() that cannot be answered rejects, the engine says so, and works again afterwards',
    needs: ['shut'],
    async check(trial) {
      const { fixture, names } = await started(trial, 20, 'find')
      const skills = trial.engine(fixture)
      await trial.catalog(skills)
      const [name = ''] = names
      const open = await trial.able(fixture.store, 'shut').shut()
      const closed = await trial.answer('catalog()', () => skills.catalog({ names: [name] }))
      if (closed.get(name) === undefined && closed.incomplete.length === 0)
        trial.broken(`"${name}" counts as unknown, although the store could not be read.`)
      await open()
      const again = await trial.answer('catalog()', () => skills.catalog({ names: [name] }))
      if (again.get(name) === undefined) trial.broken(`"${name}" is not found after the store can be read again.`)
    },
  },
]

const contract = /* @__PURE__ */ contractOf<MakeFixture, LargeLack, Trial>({
  name: 'largeSourceContract',
  owner: 'source',
  trial: Trial,
  rules: () => rules,
  async waived(trial, lack) {
    const { store, provider } = await trial.fixture()
    const { source } = await trial.start({ store, provider })
    return (lack === 'shut' ? store.shut : source[lack]) !== undefined && `there is a ${lack}()`
  },
})

/**
 * Returns the rules for a source with `find`, as cases. Its store holds skills that no one pinned. See
 * docs/reference/sources.md, "The contract of a large source".
 * @param make makes a source over an empty store; called once a case
 */
export function largeSourceContract(
  make: MakeFixture,
  options: LargeSourceContractOptions = {},
): readonly ContractCase[] {
  return contract(make, options)
}
