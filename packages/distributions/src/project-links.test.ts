import { createSkills, processHost } from '@skills/core'
import { openState, trustFolder } from './trust.js'
import { fakeHost, tempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadConfiguration } from './configuration.js'
import { distributionNamed, distributionNames } from './distribution-named.js'

const skill = '---\nname: ship\ndescription: Ships.\n---\nShip.\n'
/** Returns the folder of a project whose skills a distribution reads. */
async function folderOf(distribution: string): Promise<string> {
  const path = temporary()
  const { places } = (await opened(path, distribution, undefined)).catalog
  return places.some(place => place.path.startsWith(`${path}/repo/.claude/`)) ? '.claude' : '.agents'
}
const entriesIn = (folder: string): TreeEntries => ({
  'repo/.git': { dir: true },
  [`repo/${folder}/skills/ship`]: { link: '../../../home/dotfiles/skills/ship' },
  [`repo/${folder}/skills/other/SKILL.md`]: { link: '../../../../home/dotfiles/notes.md' },
  'home/dotfiles/skills/ship/SKILL.md': skill,
  'home/dotfiles/notes.md': skill,
})

function temporary(more: TreeEntries = {}, folder = '.claude'): string {
  const tree = tempTree({ ...entriesIn(folder), ...more })
  onTestFinished(() => tree.dispose())
  return tree.path
}

async function opened(path: string, distribution: string, linksTo: readonly string[] | undefined) {
  const make = await distributionNamed(distribution)
  const skills = createSkills(
    make({
      host: fakeHost({ cwd: `${path}/repo`, home: `${path}/home` }),
      managed: { dirs: [] },
      bundled: false,
      activation: false,
      ...(linksTo && { linksTo }),
      onDiagnostic: () => {},
    }),
  )
  onTestFinished(() => skills.close())
  return { skills, catalog: await skills.catalog() }
}

describe.each(distributionNames)('%s', name => {
  test('follows a link of the project into a folder that was allowed by name, to folders and to no file of another name', async () => {
    const path = temporary({}, await folderOf(name))
    const before = await opened(path, name, undefined)
    expect(before.catalog.errors.map(({ code, hint }) => [code, hint?.includes('"linksTo"')])).toEqual([
      ['link-escapes', true],
      ['link-escapes', true],
    ])
    for (const allowed of [`${path}/home/dotfiles`, '~/dotfiles']) {
      const { skills, catalog } = await opened(path, name, [allowed])
      expect(catalog.get('ship')?.command).toMatchObject({ name: 'ship', description: 'Ships.', source: 'project' })
      expect(catalog.errors.map(({ code, path: file }) => [code, file])).toEqual([
        ['link-escapes', expect.stringContaining('/other/SKILL.md')],
      ])
      expect((await skills.explain('ship')).notes.map(({ text }) => text)).toContainEqual(
        expect.stringMatching(
          new RegExp(`${path}/home/dotfiles/skills/ship/SKILL\\.md\\. Links into ${path}/home/dotfiles `),
        ),
      )
    }
  })
})

test('the configuration of a person allows it, that of a project once it is agreed to', async () => {
  const path = temporary({
    'home/.config/skills/skills.config.json': '{ "linksTo": ["~/dotfiles"] }',
    'repo/skills.config.json': '{ "linksTo": ["../elsewhere"] }',
  })
  const host = processHost({ cwd: `${path}/repo`, home: `${path}/home`, env: {} })
  const state = openState(host, { report: () => {} })
  expect((await loadConfiguration(host, { state })).options.linksTo).toEqual(['~/dotfiles'])
  await trustFolder(state, `${path}/repo`, host)
  const { options, unagreed } = await loadConfiguration(host, { state })
  expect(options.linksTo).toEqual(['~/dotfiles'])
  expect(unagreed).toMatchObject([{ kind: 'links', label: '../elsewhere', state: 'new' }])
  await trustFolder(state, `${path}/repo`, host, { items: unagreed })
  expect((await loadConfiguration(host, { state })).options.linksTo).toEqual([`${path}/elsewhere`, '~/dotfiles'])
})
