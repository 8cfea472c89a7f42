import { existsSync, rmSync } from 'node:fs'
import { fakeClock, fakeHost, tempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { consentItems, loadConfiguration, loadDistribution, type JudgedItem } from './configuration.js'
import type { LoadDistributionOptions } from './own-distribution.js'
import { distributionNamed, distributionNames } from './distribution-named.js'
import { checkedAgainst, type Checked } from './checked.js'
import { openState, trustFolder } from './trust.js'

const onDiagnostic = (): void => {}

const versions: Readonly<Record<string, Checked>> = checkedAgainst
/** Names as the error for an unknown name lists them. */
const everyName = distributionNames
  .map(name => (versions[name] === undefined ? name : `${name} (${versions[name].version})`))
  .join(', ')

/** Makes a module that leaves a mark when it is imported. */
const module = (mark: string, rest = 'export default (options, base) => base(options)'): string =>
  `import { writeFileSync } from 'node:fs'\nwriteFileSync('MARKS/${mark}', '')\n${rest}\n`

function project(entries: TreeEntries = {}, cwd = 'repo') {
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', 'marks/.keep': '' })
  onTestFinished(() => tree.dispose())
  const write = (more: TreeEntries): void =>
    tree.write(
      Object.fromEntries(
        Object.entries(more).map(([path, entry]) => [
          path,
          typeof entry === 'string' ? entry.replaceAll('MARKS', `${tree.path}/marks`) : entry,
        ]),
      ),
    )
  write(entries)
  const clock = fakeClock(Date.now() + 60_000)
  const host = fakeHost({
    cwd: `${tree.path}/${cwd}`,
    home: `${tree.path}/home`,
    uid: process.getuid?.(),
    env: {},
    clock,
  })
  const state = openState(host, { report: onDiagnostic })
  const load = (name: string, more: Partial<LoadDistributionOptions> = {}) =>
    loadDistribution(name, host, { state, ...more })
  return {
    tree,
    host,
    clock,
    state,
    write,
    load,
    /** Returns the files that were not agreed to, or the name of the distribution that was made. */
    async tried(name: string, more: Partial<LoadDistributionOptions> = {}): Promise<unknown> {
      const found = await load(name, more)
      return 'make' in found
        ? found.make({ host, managed: { dirs: [] }, onDiagnostic }).name
        : found.unagreed.map(({ label, state: word }) => `${label} ${word}`)
    },
    async agree(name: string, isMeant: (item: JudgedItem) => boolean = () => true): Promise<void> {
      const found = await load(name)
      if ('unagreed' in found) await trustFolder(state, found.folder, host, { items: found.unagreed.filter(isMeant) })
    },
    /** Returns true if a module has run since the last call. */
    ran(mark: string): boolean {
      const is = existsSync(`${tree.path}/marks/${mark}`)
      rmSync(`${tree.path}/marks/${mark}`, { force: true })
      return is
    },
    problem: (name: string, more: Partial<LoadDistributionOptions> = {}): Promise<string> =>
      load(name, more).then(
        () => 'none',
        (error: { code: string; message: string }) => `${error.code} ${error.message.replaceAll(`${tree.path}/`, '')}`,
      ),
  }
}

describe('a module that is a distribution', () => {
  it('is imported after the yes to it and to each file that it imports, and a change asks again for itself alone', async () => {
    const { write, tried, agree, ran } = project({
      'repo/acme.js': module(
        'top',
        "import { name } from './lib/own.js'\nexport const base = 'mini'\nexport default (options, mini) => ({ ...mini(options), name })",
      ),
      'repo/lib/own.js': module('low', "export const name = 'standard'"),
    })
    expect(await tried('./acme.js')).toEqual(['acme.js new', './lib/own.js new'])
    await agree('./acme.js', ({ label }) => label === 'acme.js')
    expect(await tried('./acme.js')).toEqual(['./lib/own.js new'])
    expect([ran('top'), ran('low')]).toEqual([false, false])
    await agree('./acme.js')
    expect(await tried('./acme.js')).toBe('./acme.js')
    expect([ran('top'), ran('low')]).toEqual([true, true])
    write({ 'repo/lib/own.js': module('changed', "export const name = 'standard'") })
    expect(await tried('acme.js')).toEqual(['./lib/own.js changed'])
    expect([ran('top'), ran('changed')]).toEqual([false, false])
    await agree('./acme.js')
    expect(await tried('acme.js')).toBe('acme.js')
    expect(ran('changed')).toBe(true)
  })

  it('is what was read, also when it is replaced before it is imported', async () => {
    const { tried, agree, ran, write } = project({ 'repo/acme.js': module('agreed') })
    await agree('./acme.js')
    const importModule = (url: string): Promise<unknown> => {
      write({ 'repo/acme.js': module('swapped') })
      return import(url)
    }
    expect(await tried('./acme.js', { importModule })).toBe('./acme.js')
    expect([ran('agreed'), ran('swapped')]).toEqual([true, false])
  })

  it.each([
    ['that is not there', '', './gone.js', 'cannot be used: repo/gone.js does not exist.'],
    ['that is no module', '', './acme.ts', 'cannot be used: repo/acme.ts is not a .mjs or .js file.'],
    ['that is a folder', '', './folder.js', 'cannot be used: repo/folder.js cannot be read: '],
    [
      'that cannot be parsed',
      'export default {',
      './acme.js',
      'cannot be used: repo/acme.js:1 cannot be parsed as a module.',
    ],
    [
      'that imports a package',
      "\nimport 'left-pad'",
      './acme.js',
      'cannot be used: repo/acme.js:2 imports "left-pad".',
    ],
    [
      'that imports what lies outside',
      "import '../outside.js'",
      './acme.js',
      'cannot be used: outside.js cannot be read: ',
    ],
    [
      'that exports nothing',
      '',
      './acme.js',
      'exports nothing. It has to export a function, as default or as "distribution": (options, base) => base(options).',
    ],
    [
      'that exports something else',
      'export const distributoin = () => {}; export default { name: 1 }',
      './acme.js',
      'exports default (an object), distributoin (a function). It has to export a function',
    ],
    ['that throws', "throw new Error('Not here.')", './acme.js', 'could not be loaded: Not here.'],
    [
      'whose base there is not',
      "export const base = 'minni'; export default () => {}",
      './acme.js',
      'could not be loaded: There is no distribution "minni". Did you mean "mini"?',
    ],
    [
      'whose base is no name',
      'export const base = 1; export default () => {}',
      './acme.js',
      'The "base" that the distribution "./acme.js" exports must be the name',
    ],
  ])('%s is an error that says so', async (_what, text, name, expected) => {
    const { agree, problem } = project({
      'repo/acme.js': text,
      'repo/folder.js': { dir: true },
      'repo/acme.ts': '',
      'outside.js': '',
    })
    await agree(name).catch(() => undefined)
    expect(await problem(name)).toContain(expected)
    expect(await problem(name)).toMatch(/^E_INVALID_OPTION /)
  })

  it.each([
    ['throws', "() => { throw new Error('Not so.') }", 'failed: Not so.'],
    ['gives a promise', 'async (options, base) => base(options)', 'gives a promise without "plugins", '],
    ['gives nothing', '() => {}', 'gives undefined without "plugins", '],
    ['gives less', '(options, base) => ({ ...base(options), tool: undefined })', 'gives an object without "tool".'],
  ])('whose function %s is an error where it is made', async (_what, text, expected) => {
    const { agree, tried } = project({ 'repo/acme.js': `export const distribution = ${text}` })
    await agree('./acme.js')
    await expect(tried('./acme.js')).rejects.toMatchObject({
      code: 'E_INVALID_OPTION',
      message: expect.stringContaining(expected) as string,
    })
  })

  it('that waits for ever is given up', async () => {
    const { agree, problem, clock } = project({
      'repo/acme.js': 'await new Promise(() => setInterval(() => {}, 60_000).unref())',
    })
    await agree('./acme.js')
    const said = problem('./acme.js')
    await vi.waitFor(() => expect(clock.pending).toBe(1))
    await clock.advance(10_000)
    expect(await said).toContain('Loading took longer than 10000 ms.')
  })

  it('by a name like one of ours is an error with the closest, and what else there could be', async () => {
    const { problem, load } = project()
    expect(await problem('opencod')).toBe(
      `E_INVALID_OPTION There is no distribution "opencod". Did you mean "opencode"? There are ${everyName}. For your own distribution, give a path such as ./acme.js, or an installed package.`,
    )
    expect(await load('mini')).toEqual({ name: 'mini', make: await distributionNamed('mini') })
  })
})

describe('where it lies', () => {
  it('is the project, also behind links', async () => {
    const { tried } = project({
      'repo/acme.js': { link: '../else/acme.js' },
      'else/acme.js': module('else'),
      'repo/in.js': { link: 'lib/acme.js' },
      'repo/lib/acme.js': module('in'),
    })
    expect(await tried('./in.js')).toEqual(['in.js new'])
    expect(await tried('./acme.js')).toEqual(['acme.js new'])
  })

  it('is another project, which is then the one to trust', async () => {
    const { tree, load, agree, tried, ran } = project({ 'other/.git/HEAD': '', 'other/acme.js': module('other') })
    const name = `${tree.path}/other/acme.js`
    expect(await load(name)).toMatchObject({ folder: `${tree.path}/other` })
    await agree(name)
    expect(await tried(name)).toBe(name)
    expect(ran('other')).toBe(true)
  })

  it("is the folder of the user's configuration, whose code is imported as the configuration is", async () => {
    const { tried, ran, write, problem, host, state } = project({
      'home/.config/skills/acme.js': module('mine'),
      'home/.config/skills/node_modules/acme/index.js': module('package'),
      'home/.config/skills/node_modules/acme/package.json': '{}',
    })
    expect(await tried('../home/.config/skills/acme.js')).toBe('../home/.config/skills/acme.js')
    expect(await tried('acme')).toBe('acme')
    expect([ran('mine'), ran('package')]).toEqual([true, true])
    write({ 'home/.config/skills/skills.config.json': '{ "distribution": "./acme.js" }' })
    expect(await loadConfiguration(host, { state })).toMatchObject({
      distribution: { name: './acme.js' },
      diagnostics: [],
    })
    write({
      'home/.config/skills/skills.config.json': '{ "distribution": "../../../repo/acme.js" }',
      'repo/acme.js': module('theirs'),
    })
    expect(await loadConfiguration(host, { state })).toMatchObject({
      distribution: undefined,
      diagnostics: [
        {
          code: 'invalid-configuration',
          field: 'distribution',
          message: expect.stringContaining('of the configuration') as string,
        },
      ],
    })
    expect(ran('theirs')).toBe(false)
    expect(await problem('gone')).toMatch(/^E_INVALID_OPTION .*"gone"/)
  })

  it('is never that folder for a link in it that leads into a project', async () => {
    const { tried, ran } = project({
      'home/.config/skills/acme.js': { link: '../../../repo/acme.js' },
      'repo/acme.js': module('theirs'),
    })
    expect(await tried('../home/.config/skills/acme.js')).toEqual(['acme.js new'])
    expect(ran('theirs')).toBe(false)
  })

  it('is never that folder for a project that names it', async () => {
    const { host, state, write, ran } = project({
      'home/.config/skills/acme.js': module('mine'),
      'repo/skills.config.json': '{ "distribution": "../home/.config/skills/acme.js" }',
    })
    const { problems } = await consentItems(host, { state })
    expect(problems).toMatchObject([
      { field: 'distribution', message: expect.stringContaining('cannot be read') as string },
    ])
    write({
      'repo/skills.config.json': '{ "distribution": "./acme.js" }',
      'repo/acme.js': { link: '../home/.config/skills/acme.js' },
    })
    expect((await consentItems(host, { state })).problems).toHaveLength(1)
    expect(ran('mine')).toBe(false)
  })
})

describe('a package', () => {
  const manifest = (entry: object): string => JSON.stringify({ name: 'acme', ...entry })

  it.each([
    ['main', { main: './lib/a.js' }],
    ['exports as text', { exports: './lib/a.js', main: './no.js' }],
    ['exports by path', { exports: { '.': { types: './a.d.ts', default: './lib/a.js' } } }],
    ['exports by condition', { exports: { require: './no.cjs', import: { types: './a.d.ts', node: './lib/a.js' } } }],
  ])('is its module: %s', async (_what, entry) => {
    const { tried, agree, ran } = project({
      'repo/node_modules/acme/package.json': manifest(entry),
      'repo/node_modules/acme/lib/a.js': module('package'),
    })
    expect(await tried('acme')).toEqual(['a.js new'])
    expect(ran('package')).toBe(false)
    await agree('acme')
    expect(await tried('acme')).toBe('acme')
    expect(ran('package')).toBe(true)
  })

  it.each([
    [
      'names a file elsewhere',
      { 'repo/node_modules/acme/package.json': manifest({ main: '../../evil.js' }) },
      'names a file outside the package.',
    ],
    [
      'names no module',
      { 'repo/node_modules/acme/package.json': manifest({ exports: { require: './x.cjs' } }) },
      'does not name a module in "exports".',
    ],
    [
      'is CommonJS',
      { 'repo/node_modules/acme/package.json': manifest({ main: './x.cjs' }) },
      'x.cjs is not a .mjs or .js file.',
    ],
    ['is no JSON', { 'repo/node_modules/acme/package.json': '{' }, 'The package file is not JSON'],
    [
      'lies above the project',
      { 'node_modules/acme/package.json': manifest({}), 'node_modules/acme/index.js': module('planted') },
      'outside this project: name the file of the package instead.',
    ],
    [
      'is a link that leads out',
      {
        'repo/node_modules/acme': { link: '../../else' },
        'else/package.json': manifest({}),
        'else/index.js': module('planted'),
      },
      'outside this project: name the file of the package instead.',
    ],
  ] as const)('that %s is refused', async (_what, entries, expected) => {
    const { problem, ran } = project(entries)
    expect(await problem('acme')).toContain(expected)
    expect(ran('planted')).toBe(false)
  })

  it('has no module at a name that leads elsewhere', async () => {
    const { problem } = project({ 'repo/evil/package.json': '{}', 'repo/evil/index.js': module('evil') })
    for (const name of ['../evil', 'acme/../evil', '@acme/../evil', '..'])
      expect(await problem(name)).toMatch(/^E_INVALID_OPTION /)
  })
})

describe('the configuration of a project', () => {
  const named = (entries: TreeEntries = {}) =>
    project({
      'repo/skills.config.json': '{ "distribution": "./acme.js" }',
      'repo/acme.js': module('top', "import './low.js'\nexport default (options, base) => base(options)"),
      'repo/low.js': module('low'),
      ...entries,
    })

  it('names one, which is shown with all that it imports, and counts after the yes to all of it', async () => {
    const { host, state, write, ran, tree } = named()
    const look = async (): Promise<readonly string[]> =>
      (await consentItems(host, { state })).items.map(({ kind, label, state: word }) => `${kind} ${label} ${word}`)
    const agree = async (isMeant: (item: JudgedItem) => boolean) =>
      trustFolder(state, host.cwd, host, { items: (await consentItems(host, { state })).items.filter(isMeant) })
    const counts = async (): Promise<unknown> => (await loadConfiguration(host, { state })).distribution
    expect(await look()).toEqual(['distribution distribution new', 'module acme.js new', 'module ./low.js new'])
    expect(await counts(), 'before any yes').toBeUndefined()
    for (const left of ['distribution', 'acme.js', './low.js']) {
      await agree(({ label }) => label !== left)
      expect(await counts(), `without a yes to ${left}`).toBeUndefined()
      tree.remove('home/.local')
    }
    expect([ran('top'), ran('low')]).toEqual([false, false])
    await agree(() => true)
    expect(await counts()).toMatchObject({ name: './acme.js' })
    expect([ran('top'), ran('low')]).toEqual([true, true])
    write({ 'repo/low.js': module('changed') })
    expect(await loadConfiguration(host, { state })).toMatchObject({
      distribution: undefined,
      unagreed: [{ label: './low.js', state: 'changed' }],
      diagnostics: [{ code: 'not-agreed' }],
    })
    expect([ran('top'), ran('changed')]).toEqual([false, false])
  })

  it('cannot name one in code, which would be shown only after it ran', async () => {
    const { host, state, ran, tree } = named({
      'repo/skills.config.mjs': "export default { distribution: './acme.js' }",
    })
    tree.remove('repo/skills.config.json')
    await trustFolder(state, host.cwd, host, { items: (await consentItems(host, { state })).items })
    expect(await loadConfiguration(host, { state })).toMatchObject({
      distribution: undefined,
      files: [{ state: 'failed' }],
      diagnostics: [{ message: expect.stringContaining('Name the module in skills.config.json') as string }],
    })
    expect(ran('top')).toBe(false)
  })

  it('that names a broken one says nothing at all', async () => {
    const { host, state } = named({ 'repo/acme.js': 'export default 1' })
    await trustFolder(state, host.cwd, host, { items: (await consentItems(host, { state })).items })
    expect(await loadConfiguration(host, { state })).toMatchObject({
      files: [{ state: 'failed' }],
      diagnostics: [
        { field: 'distribution', message: expect.stringContaining('exports default (a number)') as string },
      ],
    })
  })
})
