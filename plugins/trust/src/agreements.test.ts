import { fakeHost } from '@skills/testing'
import { memoryState } from '@skills/state'
import { expect, it } from 'vitest'
import { judged, never, temporary } from '../test/judged.js'
import { Agreements } from './agreements.js'
import { consentItem, type ConsentItem } from './consent.js'
import { trust, trustedFolders, trustFolder } from './index.js'

it('an item counts by its digest, in the file and the folder it was agreed to in, until that is revoked', async () => {
  const { state, host, project, tree } = await judged({
    'home/app/settings.json': '',
    'home/app/other.json': '',
    'home/else/settings.json': '',
    'home/app/link.json': { link: 'settings.json' },
  })
  const item = (text: string, path = `${project}/settings.json`): ConsentItem =>
    consentItem({ kind: 'rule', label: 'r', path, text })
  const states = async (...items: readonly ConsentItem[]) => {
    const agreements = await Agreements.read(state, host)
    return items.map(one => agreements.stateOf(one))
  }
  expect(await states(item('a'))).toEqual(['new'])
  await trustFolder(state, project, host)
  expect(await states(item('a'))).toEqual(['new'])
  await trustFolder(state, project, host, { items: [item('a')] })
  expect(
    await states(
      item('a'),
      item('b'),
      item('a', `${project}/other.json`),
      item('a', `${tree.path}/home/else/settings.json`),
      item('a', `${project}/link.json`),
      { ...item('a'), kind: 'server' },
      { ...item('a'), label: 's' },
      item('a', `${project}/missing`),
    ),
  ).toEqual(['agreed', 'changed', 'new', 'new', 'agreed', 'new', 'new', 'new'])
  // A later agreement replaces the earlier one about the same item and leaves the others.
  await trustFolder(state, project, host, { items: [item('b'), item('x', `${project}/other.json`)] })
  expect(await states(item('a'), item('b'), item('x', `${project}/other.json`))).toEqual([
    'changed',
    'agreed',
    'agreed',
  ])
  // An item of a file elsewhere may be in the record. It counts only if a folder around it is trusted.
  await trustFolder(state, project, host, { items: [item('a', `${tree.path}/home/else/settings.json`)] })
  expect(await states(item('a', `${tree.path}/home/else/settings.json`))).toEqual(['new'])
})

it('a record of before items were remembered trusts the place, and nothing that has to be agreed to', async () => {
  const { state, host, project } = await judged({ 'home/app/settings.json': '' })
  await state.update('trust', () => ({ folders: [{ path: project, since: 1 }] }), { signal: never })
  const item = consentItem({ kind: 'rule', label: 'r', path: `${project}/settings.json`, text: 'r' })
  const before = await Agreements.read(state, host)
  expect([before.isTrusted(project), before.isUnlisted(project), before.stateOf(item)]).toEqual([true, true, 'new'])
  expect(await trustFolder(state, project, host, { items: [item] })).toMatchObject({ since: 1 })
  const after = await Agreements.read(state, host)
  expect([after.isTrusted(project), after.isUnlisted(project), after.stateOf(item)]).toEqual([true, false, 'agreed'])
})

it('what anyone may have written into the record counts as far as it is understood', async () => {
  const { state, host, project } = await judged({ 'home/app/f': '' })
  const item = consentItem({ kind: 'rule', label: 'r', path: `${project}/f`, text: 'r' })
  await state.update(
    'trust',
    () => ({
      folders: [{ path: project, since: 1, items: [null, 3, 'x', { kind: 'rule' }, [item], { ...item, digest: 7 }] }],
    }),
    { signal: never },
  )
  expect((await trustedFolders(state))[0]?.items).toEqual([])
  expect((await Agreements.read(state, host)).stateOf(item)).toBe('new')
})

it('the provider says which claims count, and where everything is trusted, that all do', async () => {
  const tree = temporary({ 'home/app/.git': { dir: true }, 'home/app/s.json': '' })
  const host = fakeHost({ cwd: `${tree.path}/home/app`, home: `${tree.path}/home`, uid: process.getuid?.() })
  const { state } = memoryState()
  const claim = (text: string) => ({ kind: 'rule', label: text, path: `${tree.path}/home/app/s.json`, text })
  await trustFolder(state, host.cwd, host, { items: [consentItem(claim('a'))] })
  const unused = (): never => {
    throw new Error('Trust has no use for this.')
  }
  const agrees = async (all: boolean) => {
    const provider = await trust({ all }).setup({
      signal: never,
      host,
      report: unused,
      hook: unused,
      effect: unused,
      invalidate: unused,
      use: () => ({
        ids: ['memory'],
        each: unused,
        first: async (ask, { signal = never } = {}) => ask(state as never, { id: 'memory', signal }),
      }),
    })
    return provider.agrees?.([claim('a'), claim('b')], { signal: never })
  }
  expect([await agrees(false), await agrees(true)]).toEqual([
    [true, false],
    [true, true],
  ])
})
