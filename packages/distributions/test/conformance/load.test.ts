/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { defineProvider, loadResult, type LoadResult } from '@skills/core'
import { describe, expect } from 'vitest'
import { row, skill, type Opened } from './row.js'

const folder = 'repo/.claude/skills'
/** File with a zero byte, which no distribution reads. */
const bad = Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0, 0xff])
const mixed = { [`${folder}/good/SKILL.md`]: skill('good'), [`${folder}/bad/SKILL.md`]: bad }

/** Returns the result of the project's own source. */
async function loaded({ skills }: Opened): Promise<LoadResult> {
  const [answer] = await skills
    .use('source')
    .each((source, { signal }) => source.list({ signal, progress() {} }), { only: ['project'] })
  return answer?.value ?? loadResult({})
}

describe('what a load gives', () => {
  row(26, 'SRCKNOMX', 'a load tells commands and errors apart, and one bad file costs itself', async open => {
    const opened = await open(mixed)
    expect(await opened.names()).toEqual(['good from project'])
    expect((await opened.catalog()).errors.map(({ path, severity }) => [path, severity])).toEqual([
      [`${opened.tree.path}/${folder}/bad/SKILL.md`, 'error'],
    ])
  })
  row(26, 'SRCKNOMX', 'what a source gives counts its errors, and joins with another', async open => {
    const result = await loaded(await open(mixed))
    expect(result.commands.map(({ name }) => name)).toEqual(['good'])
    expect([result.hasErrors, result.errorCount, result.errors.length, result.disabledPaths]).toEqual([true, 1, 1, []])
    const both = result.merge(await loaded(await open({ [`${folder}/other/SKILL.md`]: skill('other') })))
    expect([both.commands.map(({ name }) => name), both.hasErrors, both.errorCount]).toEqual([
      ['good', 'other'],
      true,
      1,
    ])
    const sound = await loaded(await open({ [`${folder}/other/SKILL.md`]: skill('other') }))
    expect([sound.hasErrors, sound.errorCount]).toEqual([false, 0])
  })
  row(26, 'SRCKNOMX', 'a skill whose folder is a disabled path is out', async open => {
    const result = await loaded(
      await open({ [`${folder}/one/SKILL.md`]: skill('one'), [`${folder}/two/SKILL.md`]: skill('two') }),
    )
    const [one] = result.commands
    const disabledPaths = one?.type === 'prompt' && one.baseDir !== undefined ? [one.baseDir] : []
    const without = result.merge(loadResult({ disabledPaths }))
    expect([without.commands.length, without.enabled().map(({ name }) => name)]).toEqual([2, ['two']])
    const opened = await open(
      {},
      {
        plugins: [
          defineProvider({ kind: 'source', id: 'own', setup: () => ({ source: 'project', list: () => without }) }),
        ],
      },
    )
    expect([await opened.names(), (await opened.catalog()).disabled.map(({ name }) => name)]).toEqual([
      ['two from project'],
      ['one'],
    ])
  })
  row(26, 'SRCKNOMX', 'what a user switches off by name is disabled, and shadows nothing', async open => {
    const opened = await open(
      { [`${folder}/one/SKILL.md`]: skill('one'), [`${folder}/two/SKILL.md`]: skill('two') },
      { overrides: { one: 'off' } },
    )
    const { disabled, lookup } = await opened.catalog()
    expect([
      await opened.names(),
      disabled.map(({ name }) => name),
      lookup.call(await opened.catalog(), 'one'),
    ]).toEqual([['two from project'], ['one'], undefined])
  })
  row(
    26,
    'SRCKNOMX',
    'one event a load says how many failed and where, and there is none where nothing did',
    async open => {
      const opened = await open({ ...mixed, [`${folder}/worse/SKILL.md`]: bad })
      const told: unknown[] = []
      opened.skills.hook('sources:failed', event => void told.push(event))
      const event = { count: 2, places: ['bad', 'worse'].map(name => `${opened.tree.path}/${folder}/${name}/SKILL.md`) }
      await opened.catalog()
      await opened.catalog()
      expect(told).toEqual([event])
      await opened.skills.refresh()
      await opened.catalog()
      expect(told).toEqual([event, event])
      opened.tree.write({ [`${folder}/bad/SKILL.md`]: skill('bad'), [`${folder}/worse/SKILL.md`]: skill('worse') })
      await opened.skills.refresh()
      await opened.catalog()
      expect(told).toHaveLength(2)
      expect(await opened.names()).toHaveLength(3)
    },
  )
  row(26, 'SRCKNOMX', 'a link that leads back is not followed, which is of the type traversal', async open => {
    const opened = await open({ [`${folder}/one/SKILL.md`]: skill('one'), [`${folder}/again`]: { link: '..' } })
    expect(await opened.names()).toEqual(['one from project'])
    const { errors, warnings } = await opened.catalog()
    expect([...errors, ...warnings].map(({ type, path }) => [type, path])).toEqual([
      ['traversal', `${opened.tree.path}/${folder}/again`],
    ])
  })
  row(26, 'SX', 'what lies too deep is an error of the type traversal', async open => {
    const opened = await open({
      [`${folder}/one/SKILL.md`]: skill('one'),
      [`${folder}/1/2/3/4/5/6/7/8/deep/SKILL.md`]: skill('deep'),
    })
    expect(await opened.names()).toEqual(['one from project'])
    expect((await opened.catalog()).errors.map(({ type, code, path }) => [type, code, path])).toEqual([
      ['traversal', 'depth-limit', `${opened.tree.path}/${folder}`],
    ])
  })
})
