/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { defineProvider, loadResult, promptCommand, type Command, type LoadCounts } from '@skills/core'
import { describe, expect } from 'vitest'
import { row, skill, type Opened } from './row.js'
import type { InvocationEvent } from '@skills/invocation'
import type { ListingTruncated } from '@skills/invocation/internal'

const folder = 'repo/.claude/skills'
const one = { [`${folder}/one/SKILL.md`]: skill('one') }
const forked = { [`${folder}/one/SKILL.md`]: skill('one', 'context: fork\n') }
const runner = defineProvider({ kind: 'runner', id: 'runner', setup: () => ({ run: () => ({ text: 'Done.' }) }) })

/** Source of skills that come with a program, in any distribution. */
const brought = defineProvider({
  kind: 'source',
  id: 'brought',
  setup: () => ({
    source: 'bundled',
    list: () =>
      loadResult({
        commands: [
          promptCommand({
            name: 'ours',
            source: 'bundled',
            load: () => ({ blocks: [{ type: 'text', text: 'Ours.' }] }),
          }),
          {
            ...promptCommand({ name: 'now', source: 'builtin', load: () => ({ template: '' }) }),
            type: 'local',
            call: () => ({ text: 'Noon.' }),
          } as Command,
        ],
      }),
  }),
})

/** Records each later invocation as it is counted, with its real name. */
function counted({ skills }: Opened): readonly unknown[] {
  const told: unknown[] = []
  skills.hook(
    'invocation:start',
    ({ entry, caller: _caller, args: _args, agentId: _agent, ...event }: InvocationEvent) =>
      void told.push({ ...event, really: entry.name }),
  )
  return told
}

async function byModel(opened: Opened, name: string): Promise<void> {
  const tool = await opened.tool()
  await tool.call({ [opened.distribution.tool.nameParameter ?? 'skill']: name })
}

describe('events', () => {
  row(
    80,
    'SRCKNOMX',
    'what the program brings along is counted by its name, and everything else as custom',
    async open => {
      const opened = await open(one, { plugins: [brought] })
      const told = counted(opened)
      for (const name of ['one', 'ours', 'now']) await opened.invoker.invoke({ name, caller: 'user' })
      await opened.catalog()
      const inline = { executionContext: 'inline', invocationTrigger: 'user' }
      expect(told).toEqual([
        { commandName: 'custom', ...inline, really: 'one' },
        { commandName: 'ours', ...inline, really: 'ours' },
        { commandName: 'now', ...inline, really: 'now' },
      ])
    },
  )
  row(
    80,
    'SRCKNOMX',
    'it is told whether a person or a model invoked it, and that the model wrote a slash',
    async open => {
      const opened = await open(one)
      const told = counted(opened)
      await opened.invoker.run('/one')
      await opened.invoker.invoke({ name: '/one', caller: 'user' })
      await byModel(opened, 'one')
      await byModel(opened, ' /one')
      await opened.catalog()
      const common = { commandName: 'custom', executionContext: 'inline', really: 'one' }
      expect(told).toEqual([
        { ...common, invocationTrigger: 'user' },
        { ...common, invocationTrigger: 'user' },
        { ...common, invocationTrigger: 'model' },
        { ...common, invocationTrigger: 'model', slashPrefix: true },
      ])
    },
  )
  row(80, 'SRCX', 'it is told that a skill runs in a fork', async open => {
    const opened = await open(forked, { plugins: [runner] })
    const told = counted(opened)
    await opened.invoker.run('/one')
    await byModel(opened, 'one')
    await opened.catalog()
    expect(told).toMatchObject([
      { executionContext: 'fork', invocationTrigger: 'user' },
      { executionContext: 'fork', invocationTrigger: 'model' },
    ])
  })
  row(80, 'M', 'it is told that a skill runs in a fork, where a model invoked it', async open => {
    const opened = await open(forked, { plugins: [runner] })
    const told = counted(opened)
    await opened.invoker.run('/one')
    await byModel(opened, 'one')
    await opened.catalog()
    expect(told).toMatchObject([
      { executionContext: 'inline', invocationTrigger: 'user' },
      { executionContext: 'fork', invocationTrigger: 'model' },
    ])
  })
  row(80, 'KNO', 'it is told that a skill runs in the conversation, also one that says otherwise', async open => {
    const opened = await open(forked, { plugins: [runner] })
    const told = counted(opened)
    await byModel(opened, 'one')
    await opened.catalog()
    expect(told).toMatchObject([{ executionContext: 'inline' }])
  })

  row(81, 'SRCKNOMX', 'what a reload changed is told with the reason', async open => {
    const opened = await open(one)
    const told = await changesOf(opened)
    opened.tree.write({ [`${folder}/two/SKILL.md`]: skill('two') })
    await opened.skills.refresh()
    opened.tree.remove(`${folder}/one`)
    await opened.skills.refresh()
    await opened.catalog()
    expect(told).toEqual([
      { added: ['two'], removed: [], changed: [], reason: 'reload' },
      { added: [], removed: ['one'], changed: [], reason: 'reload' },
    ])
  })
  row(81, 'SRC', 'a skill that wakes and one that is discovered are told with the reason', async (open, letter) => {
    const opened = await open({
      [`${folder}/waits/SKILL.md`]: skill('waits', 'paths: "*.ts"\n'),
      'repo/sub/.claude/skills/nested/SKILL.md': skill('nested'),
    })
    const told = await changesOf(opened)
    opened.skills.emit('file:touched', { paths: [`${opened.tree.path}/repo/a.ts`] })
    await opened.catalog()
    opened.skills.emit('file:touched', { paths: [`${opened.tree.path}/repo/sub/a.md`] })
    await opened.catalog()
    await opened.catalog()
    const woken = letter === 'R' ? { added: ['waits'], changed: [] } : { added: [], changed: ['waits'] }
    expect(told).toEqual([
      { ...woken, removed: [], reason: 'activation' },
      { added: ['nested'], removed: [], changed: [], reason: 'discovery' },
    ])
  })

  const three = Object.fromEntries(
    ['a', 'b', 'c'].map(name => [
      `${folder}/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: ${name.repeat(150)}\n---\nB`,
    ]),
  )
  const fits = { agentId: undefined, total: 3, omitted: [], omittedCount: 0, truncated: [], truncatedCount: 0 }
  row(82, 'SC', 'descriptions that are cut and skills that are left out are told of, with how many', async open => {
    const cut = await truncations(await open(three, { listing: { budget: 300 } }))
    expect(cut).toEqual([
      { ...fits, truncated: ['a', 'b', 'c'], truncatedCount: 3, budgetChars: 300, usedChars: expect.any(Number) },
    ])
    const [left] = await truncations(await open(three, { listing: { budget: 8 } }))
    expect(left).toMatchObject({ total: 3, budgetChars: 8 })
    expect(left?.omitted).toContain('c')
    expect([left?.omittedCount, left?.truncatedCount]).toEqual([left?.omitted.length, left?.truncated.length])
  })
  row(82, 'K', 'skills that are left out are told of, with how many', async open => {
    expect(await truncations(await open(three, { listing: { budget: 400 } }))).toEqual([
      { ...fits, omitted: ['c'], omittedCount: 1, budgetChars: 400, usedChars: expect.any(Number) },
    ])
  })
  row(82, 'X', 'descriptions that are cut are told of, with how many', async open => {
    expect(await truncations(await open({ ...three, ...one }))).toMatchObject([
      { ...fits, total: 4, truncated: ['a', 'b', 'c'], truncatedCount: 3 },
    ])
  })
  row(82, 'SRCK', 'a listing that says everything tells of nothing', async open => {
    expect(await truncations(await open(three))).toEqual([])
  })
  row(82, 'NOM', 'every listing says everything, and tells of nothing', async open => {
    expect(await truncations(await open(three))).toEqual([])
  })

  row(
    83,
    'SRCKNOMX',
    'a load is told in figures: found, duplicates, what is left, and by source',
    async (open, letter) => {
      const opened = await open({
        'home/.claude/skills/u/SKILL.md': skill('u'),
        [`${folder}/a/SKILL.md`]: skill('a'),
        [`${folder}/b`]: { link: 'a' },
      })
      const told: LoadCounts[] = []
      opened.skills.hook('sources:loaded', counts => void told.push(counts))
      await opened.catalog()
      await opened.catalog()
      // There, two names of one file are two skills. /help and /skills are the standard's own.
      const [extra, duplicates] = [letter === 'S' ? 2 : 0, letter === 'K' ? 0 : 1]
      const bySource = { project: 2 - duplicates, user: 1, ...(extra > 0 && { builtin: extra }) }
      expect(told).toEqual([
        { found: 3 + extra, duplicates, unique: 3 + extra - duplicates, errors: 0, incomplete: [], bySource },
      ])
    },
  )
})

/** Records every change after the first catalog. */
async function changesOf({ skills }: Opened): Promise<readonly unknown[]> {
  await skills.catalog()
  const told: unknown[] = []
  skills.hook('skills:changed', ({ catalog: _catalog, ...change }) => void told.push(change))
  return told
}

/** Returns the events of a listing that is made twice. */
async function truncations({ skills, port, catalog }: Opened): Promise<readonly ListingTruncated[]> {
  const told: ListingTruncated[] = []
  skills.hook('listing:truncated', event => void told.push(event))
  await port.listing({})
  await port.listing({})
  await catalog()
  return told
}
