import fs, { readdirSync, realpathSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { createSkills, type Catalog, type Skills } from '@skills/core'
import { fakeClock, fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { distributionNamed, distributionNames } from './distribution-named.js'
import { SharedReads } from './index.js'
import type { CocodeOptions } from './agents/cocode/index.js'
import type { StandardOptions } from './agents/standard/index.js'

const skill = (description: string, rest = ''): string =>
  `---\nname: ${description.toLowerCase().replaceAll(/[^a-z]+/g, '-')}\ndescription: ${description}\n---\n${rest}`
const long = 'A line of text that is long enough.\n'.repeat(400)

/** Every kind of folder that a distribution reads, with files for which reading the beginning is not enough. */
const everywhere: TreeEntries = {
  'managed/.claude/skills/audit/SKILL.md': skill('Managed.'),
  'managed/.claude/commands/check.md': 'Check.',
  'home/.claude/skills/mine/SKILL.md': skill('The user’s.', long),
  'home/.claude/commands/old/say.md': 'Say it.',
  'home/.agents/skills/agent/SKILL.md': skill('An agent’s.'),
  'home/.agents/skills/agent/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n',
  'home/.config/opencode/skill/global/SKILL.md': skill('Global.'),
  'work/repo/.git/HEAD': '',
  'work/repo/.claude/skills/top/SKILL.md': skill('The top’s.'),
  'work/repo/.claude/skills/top/inner/SKILL.md': skill('Within another.'),
  'work/repo/apps/.claude/skills/deploy/SKILL.md': skill('Deploys.', long),
  'work/repo/apps/.claude/skills/group/deep/SKILL.md': skill('Deep.'),
  'work/repo/apps/.claude/commands/run.md': 'Run.',
  'work/repo/apps/.opencode/skills/open/SKILL.md': skill('Open.'),
  'work/repo/.cline/skills/root/SKILL.md': skill('Of the root.', 'Body.'),
  'work/repo/apps/.claude/skills/linked': { link: '../../../shelf/linked' },
  'work/repo/shelf/linked/SKILL.md': skill('Linked.'),
  'work/repo/apps/.claude/skills/again/SKILL.md': { link: '../../../../shelf/linked/SKILL.md' },
  'work/repo/apps/.claude/skills/other/skill.md': skill('Another case.'),
  // Files that need the full parser, whose beginning is too short, or that are faulty.
  'work/repo/apps/.claude/skills/folded/SKILL.md': `---\ndescription: >\n  Folded\n  over lines.\nmetadata: {a: [b]}\n---\n${long}`,
  'work/repo/apps/.claude/skills/large/SKILL.md': `---\ndescription: Large.\nmetadata:\n${Array.from({ length: 400 }, (_, at) => `  key-${at}: a value of some length\n`).join('')}---\n${long}`,
  'work/repo/apps/.claude/skills/heading/SKILL.md': `\n${'\n'.repeat(5000)}# A heading\n\n${long}`,
  'work/repo/apps/.claude/skills/broken/SKILL.md': '---\nname: [\n---\n',
  'work/repo/apps/.claude/skills/open/SKILL.md': `---\nname: never ends\n${long}`,
  'work/repo/apps/.claude/skills/comment/SKILL.md': `<!-- ${'x'.repeat(6000)} -->\n---\ndescription: After a comment.\n---\n`,
  // The same text in two places, which is found by reading both completely.
  'work/repo/.claude/skills/copy/SKILL.md': `---\nname: copy\ndescription: A copy.\n---\n${long}`,
  'work/repo/apps/.claude/skills/copy/SKILL.md': `---\nname: copy\ndescription: A copy.\n---\n${long}`,
  'more/.claude/skills/extra/SKILL.md': skill('Additional.'),
  'work/repo/apps/web/.claude/skills/nested/SKILL.md': skill('Nested.'),
  'work/repo/apps/web/page.ts': '',
  'managed/managed-settings.json': '{}',
  'work/repo/.gitignore': 'dist/\n',
  'plugin/.claude-plugin/plugin.json': '{"name":"parts"}',
  'plugin/skills/part/SKILL.md': skill('Of a plugin.'),
  'plugin/commands/piece.md': 'A piece.',
}

const readByEach = ['managed/managed-settings.json', 'plugin/.claude-plugin/plugin.json', 'work/repo/.gitignore']

type Options = StandardOptions & CocodeOptions

function placed(entries: TreeEntries): TempTree {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

function optionsOver({ path: root }: TempTree, sharedReads?: SharedReads): Options {
  const host = fakeHost({
    cwd: `${root}/work/repo/apps`,
    home: `${root}/home`,
    env: {},
    uid: process.getuid?.(),
    clock: fakeClock(later()),
  })
  return {
    host,
    sharedReads,
    additional: [`${root}/more`],
    managed: { dirs: [`${root}/managed`], owner: process.getuid?.() },
    bundled: false,
    builtin: false,
    onDiagnostic: () => {},
    published: { plugins: [`${root}/plugin`] },
    activation: { touched: [`${root}/work/repo/apps/web/page.ts`] },
    bundledFiles: { 'brought/SKILL.md': skill('Brought along.') },
  }
}

/** Returns a time at which no existing file counts as just changed. */
function later(): number {
  return Date.now() + 60_000
}

async function engineOf(name: string, options: Options): Promise<Skills> {
  const { bundledFiles, builtin, ...others } = options
  const own = { cocode: { bundledFiles }, standard: { builtin } }
  const skills = createSkills(
    (await distributionNamed(name))({ ...others, ...(name === 'cocode' || name === 'standard' ? own[name] : {}) }),
  )
  onTestFinished(() => skills.close())
  return skills
}

/** Returns the content of a catalog without its timing. */
function contentOf({ entries, collisions, errors, warnings, places }: Catalog): unknown {
  return JSON.parse(JSON.stringify({ entries, collisions, errors, warnings, places }))
}

/**
 * Counts how often each file at or below a folder is opened, by real path, until the test ends. Folders are not
 * counted: who writes a file opens the folders above it.
 */
function countOpened(folder: string): ReadonlyMap<string, number> {
  const opened = new Map<string, number>()
  const { open, openSync, readFileSync } = fs
  onTestFinished(() => {
    Object.assign(fs, { open, openSync, readFileSync })
    syncBuiltinESMExports()
  })
  const note = (file: unknown): void => {
    if (typeof file !== 'string' || !file.startsWith(folder) || fs.statSync(file).isDirectory()) return
    const real = realpathSync(file).slice(folder.length + 1)
    opened.set(real, (opened.get(real) ?? 0) + 1)
  }
  fs.openSync = (...args) => {
    const descriptor = openSync(...args)
    note(args[0])
    return descriptor
  }
  fs.open = ((...args: Parameters<typeof open>) => {
    note(args[0])
    open(...args)
  }) as typeof open
  fs.readFileSync = ((...args: Parameters<typeof readFileSync>) => {
    note(args[0])
    return readFileSync(...args)
  }) as typeof readFileSync
  syncBuiltinESMExports()
  return opened
}

describe('all distributions with shared reads', () => {
  it('open every skill, every command and every file beside one once, and find what each finds alone', async () => {
    const tree = placed(everywhere)
    const alone = new Map<string, unknown>()
    for (const name of distributionNames)
      alone.set(name, contentOf(await (await engineOf(name, optionsOver(tree))).catalog()))
    const files = readdirSync(tree.path, { recursive: true, encoding: 'utf8' }).filter(
      file => /\.md$|openai\.yaml$/.test(file) && realpathSync(`${tree.path}/${file}`) === `${tree.path}/${file}`,
    )

    const opened = countOpened(tree.path)
    const sharedReads = new SharedReads({ now: later })
    for (const name of distributionNames)
      expect(contentOf(await (await engineOf(name, optionsOver(tree, sharedReads))).catalog()), name).toEqual(
        alone.get(name),
      )
    expect([...opened.keys()].filter(file => /\.md$|openai\.yaml$/.test(file)).toSorted()).toEqual(files.toSorted())
    expect(sharedReads.filesRead).toBe(files.length)
    expect(sharedReads.filesShared).toBeGreaterThan(2 * files.length)
    // A file that is not a skill is read by each engine itself.
    expect(
      [...opened]
        .filter(([, times]) => times > 1)
        .map(([file]) => file)
        .toSorted(),
    ).toEqual(readByEach)
  })

  it('do so at the same time', async () => {
    const tree = placed(everywhere)
    const opened = countOpened(tree.path)
    const sharedReads = new SharedReads({ now: later })
    const engines = await Promise.all(
      distributionNames.map(async name => engineOf(name, optionsOver(tree, sharedReads))),
    )
    const catalogs = await Promise.all(engines.map(async skills => skills.catalog()))
    expect(distributionNames.filter((_name, at) => catalogs[at]?.size === 0)).toEqual([])
    expect([...opened].filter(([file, times]) => times > 1 && !readByEach.includes(file))).toEqual([])
  })

  it('read what changed once more, and an invoked skill from its file', async () => {
    const tree = placed(everywhere)
    const sharedReads = new SharedReads({ now: later })
    const changing = `${tree.path}/work/repo/apps/.claude/skills/deploy/SKILL.md`
    const all = await Promise.all(distributionNames.map(async name => engineOf(name, optionsOver(tree, sharedReads))))
    const catalogs = await Promise.all(all.map(async skills => skills.catalog()))
    const reads = ({ entries }: Catalog): boolean =>
      entries.some(({ command }) => command.type === 'prompt' && command.file?.realPath === changing)
    const engines = all.filter((_skills, at) => catalogs[at] !== undefined && reads(catalogs[at]))
    const readers = distributionNames.filter((_name, at) => catalogs[at] !== undefined && reads(catalogs[at]))
    expect(readers.length).toBeGreaterThan(7)
    const { filesRead } = sharedReads
    tree.write({ 'work/repo/apps/.claude/skills/deploy/SKILL.md': skill('Deploys otherwise.', 'The body.') })
    for (const [at, skills] of engines.entries()) {
      const { entries } = await skills.refresh()
      const changed = entries.find(({ command }) => command.description === 'Deploys otherwise.')
      if (changed?.command.type !== 'prompt') throw new Error(`${readers[at]} has not noticed it.`)
      expect(await changed.command.load('', { signal: new AbortController().signal })).toEqual({
        // openskills reads the whole file as the body.
        template: readers[at] === 'openskills' ? skill('Deploys otherwise.', 'The body.') : 'The body.',
      })
    }
    expect(sharedReads.filesRead).toBe(filesRead + 1)
  })
})

/** Folder with `train.tar.gz`: public repositories, of which only the skills matter here. */
const corpus = process.env['SKILLS_CORPUS']

describe.runIf(corpus)('all distributions over the corpus in SKILLS_CORPUS', () => {
  let tree: TempTree
  let count = 0

  beforeAll(() => {
    tree = tempTree({ 'work/repo/.git/HEAD': '' })
    execFileSync('tar', ['-xzf', `${corpus}/train.tar.gz`, '-C', tree.path])
    const files = readdirSync(tree.path, { recursive: true, encoding: 'utf8' }).filter(file =>
      /(^|\/)SKILL\.md$/.test(file),
    )
    // All of them are put where most distributions look.
    for (const file of files) {
      const folder = `${tree.path}/work/repo/apps/.claude/skills/${path.basename(path.dirname(file))}-${count++}`
      fs.mkdirSync(folder, { recursive: true })
      fs.renameSync(`${tree.path}/${file}`, `${folder}/SKILL.md`)
    }
  })

  afterAll(() => tree?.dispose())

  it('read no file twice', async () => {
    const opened = countOpened(`${tree.path}/work`)
    const sharedReads = new SharedReads({ now: later })
    const sizes: number[] = []
    for (const name of distributionNames) {
      const { published: _published, ...options } = optionsOver(tree, sharedReads)
      const catalog = await (await engineOf(name, { ...options, bundledFiles: undefined })).catalog()
      sizes.push(catalog.size)
    }
    // Agents that read only folders of their own find none of them.
    expect(sizes.filter(size => size > 1000).length).toBeGreaterThan(6)
    expect(count).toBeGreaterThan(1000)
    expect([opened.size, sharedReads.filesRead]).toEqual([count, count])
    expect([...opened.values()].filter(times => times > 1)).toEqual([])
  })
})
