import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runContract, runsContract, storeContract, tempTree, type MakeStore, type StoreSample } from '@skills/testing'
import type { MakeRuns } from '@skills/testing/internal'
import type { bundledSource } from '@skills/source-bundled'
import type { createSkills, loadResult, promptCommand, Source } from '@skills/core'
import { madeOfAgents } from '../../../../scripts/agents.mjs'
import { madeOfCommands } from '../../../../scripts/commands.mjs'
import { diagnosticsPage } from '../../../../scripts/diagnostic-codes.mjs'
import { madeOfCode } from '../../../../scripts/reference-tables.mjs'
import { root } from '../../../config/workspace.mjs'
import { RepositoryCopy } from './repository-copy.js'
import { samples, type Sample } from './samples.js'

interface Recipe {
  readonly title: string
  readonly steps: number
  readonly text: string
  /** Files and folders from the root, with `NAME` in place of the added thing's name. */
  readonly paths: readonly string[]
}

const recipes = recipesOf(readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8'))

function recipesOf(page: string): readonly Recipe[] {
  const [, section = ''] = /^## Recipes\n([^]*?)^## /m.exec(page) ?? []
  return Array.from(section.matchAll(/^\*\*(.+?)\*\*.*\n([^]*?)(?=^\*\*|(?![^]))/gm), ([, title = '', text = '']) => ({
    title,
    text,
    steps: text.match(/^\d+\. /gm)?.length ?? 0,
    paths: Array.from(
      text.matchAll(/`((?:packages|plugins|docs|scripts|\.changeset|README)[\w./-]*)`/g),
      ([, at = '']) => at,
    ),
  }))
}

const repository = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')

/** True if a file of this path exists. For a path with `NAME`, true if there is one of another name. */
function isThere(at: string): boolean {
  if (!at.includes('NAME')) return existsSync(path.join(root, at))
  const [before = '', after = ''] = at.split('NAME')
  return repository.some(file => file.startsWith(before) && file.endsWith(after))
}

function names({ paths }: Recipe, file: string, name: string): boolean {
  return paths.some(at => {
    const filled = at.replaceAll('NAME', name)
    return filled === file || (filled.endsWith('/') && file.startsWith(filled))
  })
}

test('there is a recipe for each thing that is added often', () => {
  expect(recipes.map(({ title }) => title)).toEqual(samples.map(({ recipe }) => recipe))
})

describe.each(recipes)('$title', recipe => {
  test('has few steps, and names files that are there', () => {
    expect(recipe.steps).toBeGreaterThanOrEqual(4)
    expect(recipe.steps).toBeLessThanOrEqual(8)
    expect(recipe.paths.filter(at => !isThere(at))).toEqual([])
    expect(recipe.text).toContain('`.changeset/`')
  })

  test('names every file that has to change', () => {
    const { files, name } = sampleOf(recipe)
    expect(Object.keys(files).filter(file => !names(recipe, file, name))).toEqual([])
  })
})

function sampleOf({ title }: Recipe): Sample {
  const sample = samples.find(one => one.recipe === title)
  if (sample === undefined) throw new Error(`No sample follows the recipe "${title}".`)
  return sample
}

/** Exports of the program built in the copy that a test uses. */
interface Program {
  readonly runIn: (
    argv: readonly string[],
    console: { readonly cwd: string; readonly home: string; readonly env: NodeJS.ProcessEnv },
  ) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>
  readonly userSource: (options: object) => unknown
  readonly bundledSource: typeof bundledSource
  readonly createSkills: typeof createSkills
  readonly loadResult: typeof loadResult
  readonly promptCommand: typeof promptCommand
  readonly scaffoldSkill: (options: object) => Promise<{ readonly files: readonly { readonly text: string }[] }>
  readonly tableStore: (rows: ReadonlyMap<string, StoreSample>) => Awaited<ReturnType<MakeStore>>['store']
  readonly memoryLogs: () => object
  readonly memoryRuns: (logs: object, folder: string) => Awaited<ReturnType<MakeRuns>>['provider']
  /** Runs a skill with a model that says what it read of it. */
  readonly runInLoop: (skill: string, line: string, options: object) => Promise<string>
  /** Calls a tool of a session and returns its text. */
  readonly toolSays: (name: string, options: object) => Promise<string | undefined>
  /** Each assertion of the first task beside a skill, with whether a model's last answer holds it. */
  readonly checkedCases: (skillFile: string, said: string) => Promise<readonly (readonly [string, boolean])[]>
  readonly sourcesOf: (options: object) => Promise<ReadonlyMap<string, number>>
}

describe('what is added by the recipes', () => {
  let copy: RepositoryCopy
  let program: Program

  // All recipes together, because each is built into the one program.
  beforeAll(async () => {
    copy = new RepositoryCopy()
    for (const recipe of recipes) {
      const { files, name } = sampleOf(recipe)
      for (const [file, change] of Object.entries(files))
        if (names(recipe, file, name)) copy.write(file, changed(file, change))
      if (recipe.text.includes('scripts/diagnostic-codes.mjs --write'))
        copy.write('docs/diagnostics.md', diagnosticsPage(copy.path))
    }
    for (const made of [madeOfAgents, madeOfCommands])
      for (const { file, text } of await made(copy.path)) copy.write(file, text)
    program = await copy.load(`
      export { runIn } from './packages/cli/test/console.ts'
      export { createSkills, loadResult, promptCommand } from './packages/core/src/index.ts'
      export { scaffoldSkill } from './packages/authoring/src/index.ts'
      export { bundledSource } from './plugins/source-bundled/src/index.ts'
      export { userSource } from './plugins/source-user/src/index.ts'
      export { tableStore } from './packages/store/src/table.ts'
      export { memoryLogs, memoryRuns } from './plugins/runs-memory/src/index.ts'
      import { openSkills } from './packages/host/src/index.ts'
      import { plainLoop } from './plugins/plain-loop/src/index.ts'
      import { countedBySource } from './packages/counting/src/index.ts'
      export async function runInLoop(skill, line, options) {
        const skills = await openSkills('standard', options)
        const session = await skills.session()
        const model = told => (told.length === 2 ? { tool: 'Skill', input: { skill } } : told.at(-1))
        return plainLoop(session, model, line).finally(() => skills.close())
      }
      export async function toolSays(name, options) {
        const skills = await openSkills('standard', options)
        const tool = (await skills.tools()).find(one => one.name === name)
        return tool?.execute({}).then(({ text }) => text).finally(() => skills.close())
      }
      import { checkAssertions, assertionText } from './packages/evals/src/assertions.ts'
      import { readEvalCases } from './packages/evals/src/cases/read-eval-cases.ts'
      export async function checkedCases(skillFile, said) {
        const { cases } = await readEvalCases(skillFile, undefined)
        const [task] = cases.tasks
        const results = await checkAssertions(task, { said })
        return results.map(({ held }, at) => [assertionText(task.assertions[at]), held])
      }
      export async function sourcesOf(options) {
        const skills = await openSkills('standard', options)
        return skills.catalog().then(countedBySource).finally(() => skills.close())
      }
    `)
    for (const { file, text } of await madeOfCode(copy.path)) copy.write(file, text)
  })
  afterAll(() => copy.dispose())

  function changed(file: string, change: Sample['files'][string]): string {
    if (typeof change === 'string') return change
    return change.reduce((text, [before, after]) => {
      if (!text.includes(before))
        throw new Error(`${file} has no ${JSON.stringify(before)}: bring the sample up to date.`)
      return text.replace(before, () => after)
    }, copy.read(file))
  }

  const skill = (fields: string, body = 'Text.'): string => `---\ndescription: Does it.\n${fields}---\n${body}\n`

  /** Returns the output of a command in a folder with these skills of the user. */
  async function says(argv: readonly string[], files: Readonly<Record<string, string>>) {
    const tree = tempTree({ 'home/.keep': '', 'work/.git/HEAD': '', ...files })
    onTestFinished(() => tree.dispose())
    return program.runIn(argv, {
      cwd: `${tree.path}/work`,
      home: `${tree.path}/home`,
      env: { PATH: process.env['PATH'] },
    })
  }

  function hostOptions() {
    const tree = tempTree({ 'home/.claude/skills/told/SKILL.md': skill('', 'Tell it.'), 'work/.git/HEAD': '' })
    onTestFinished(() => tree.dispose())
    return {
      cwd: `${tree.path}/work`,
      home: `${tree.path}/home`,
      env: {},
      managed: { dirs: [] },
      bundled: false,
      builtin: false,
    }
  }

  test('a field is one row: it is read, shown and linted, stands in JSON, docs and schema, and asks for no permission', async () => {
    expect(Object.keys(samples.find(({ recipe }) => recipe === 'A field')?.files ?? {})).toHaveLength(1)
    const files = { 'home/.claude/skills/told/SKILL.md': skill('audience: public\n') }
    expect(JSON.parse((await says(['list', '--json'], files)).stdout)).toMatchObject([{ audience: 'public' }])
    expect(JSON.parse((await says(['show', 'told', '--json'], files)).stdout)).toMatchObject({ audience: 'public' })
    expect((await says(['show', 'told'], files)).stdout).toMatch(/^ *audience +public$/m)
    const misspelt = await says(['lint'], { 'home/.claude/skills/told/SKILL.md': skill('audiense: public\n') })
    expect(misspelt.stdout + misspelt.stderr).toContain('it looks like `audience`')
    expect(await says(['run', 'told'], files)).toMatchObject({ code: 0, stderr: '' })
    expect(copy.read('docs/reference/fields.md')).toContain(
      '| `audience` | `audience`, in lists | text | – | says who it is for |',
    )
    expect(JSON.parse(copy.read('packages/skill-md/skill.schema.json'))).toHaveProperty('properties.audience')
  })

  test('a field is in commands of code, checked, and in new skills', async () => {
    const { bundledSource, createSkills, loadResult, promptCommand, scaffoldSkill } = program
    const coded = (audience: unknown) =>
      bundledSource({ skills: [Object.assign({ name: 'coded', body: 'Text.' }, { audience })] })
    expect(() => coded(1)).toThrow('as its audience')
    const command = { ...promptCommand({ name: 'given', source: 'user', load: () => ({ template: '' }) }), audience: 1 }
    const setup = (): Source => ({ source: 'user', list: () => loadResult({ commands: [command] }) })
    const plugins = [coded('public'), { kind: 'source', id: 'given', setup } as const]
    const skills = createSkills({ plugins, onDiagnostic: () => {} })
    onTestFinished(() => skills.close())
    const catalog = await skills.catalog()
    expect(catalog.require('coded').command).toMatchObject({ audience: 'public' })
    expect(catalog.errors).toMatchObject([{ code: 'malformed-command', field: 'audience' }])
    const { files } = await scaffoldSkill({ name: 'made', parent: '/x', fields: {} })
    expect(files[0]?.text).toContain('# Says who it is for. Default: none. Write text.\n#audience:\n')
  })

  test('a source is listed', async () => {
    const { stdout } = await says(['list'], { 'work/notes/noted/SKILL.md': skill('') })
    expect(stdout).toBe('noted\tnotes\tDoes it.\n')
  })

  test('a store keeps the contract', async () => {
    const make: MakeStore = files => ({ store: program.tableStore(new Map(Object.entries(files))), root: 'table:' })
    const without = { asked: 'x', held: 'x', change: 'x', sizes: 'x', watch: 'x' }
    const outcomes = await runContract(storeContract(make, { without }))
    expect(outcomes.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  })

  test('an executor runs what names it as its context', async () => {
    const { stdout } = await says(['run', 'add', '--yes', '--', '1 2'], {
      'home/.claude/skills/add/SKILL.md': skill('context: batch\n', 'Add $ARGUMENTS.'),
    })
    expect(stdout).toMatch(/^Batched: [^]*Add 1 2\./)
  })

  test('a shell runs the commands of a text', async () => {
    const { stdout } = await says(['render', 'sum', '--yes'], {
      'home/.claude/skills/sum/SKILL.md': skill('shell: node\n', 'Sum: !`console.log(20 + 22)`'),
    })
    expect(stdout).toContain('Sum: 42')
  })

  test('a strategy makes the listing, and help says it', async () => {
    const files = { 'home/.claude/skills/told/SKILL.md': skill('') }
    expect((await says(['listing', '--strategy', 'names'], files)).stdout).toContain('* told\n')
    expect((await says(['help', 'listing'], files)).stdout).toContain('fixed, names, xml')
  })

  test('an option of a plugin is checked, and stands in its README', () => {
    expect(program.userSource({ without: ['.agents'] })).toMatchObject({ id: 'user' })
    expect(() => program.userSource({ witout: [] })).toThrow('Did you mean "without"?')
    expect(() => program.userSource({ without: 1 })).toThrow('"without" of userSource() is 1')
    expect(copy.read('plugins/source-user/README.md')).toContain(
      '| `without` | list: text | none | Folders in the home folder that are passed over. |',
    )
  })

  test('a distribution is found by its name, in help, and in what is published', async () => {
    const files = { 'work/.bare/skills/ours/SKILL.md': skill(''), 'home/.claude/skills/told/SKILL.md': skill('') }
    expect((await says(['list', '--distribution', 'bare'], files)).stdout).toBe('ours\tproject\tDoes it.\n')
    expect((await says(['help', 'list'], files)).stdout).toContain('bare')
    const manifest: unknown = JSON.parse(copy.read('packages/distributions/package.json'))
    expect(manifest).toHaveProperty(['exports', './bare'])
  })

  test('a flag does something, and stands in help and in the docs', async () => {
    const files = { 'home/.claude/skills/told/SKILL.md': skill('') }
    expect(await says(['list', '--names'], files)).toMatchObject({ code: 0, stdout: 'told\n' })
    expect((await says(['list', '--help'], files)).stdout).toContain('--names')
    expect(copy.read('docs/commands/list.md')).toMatch(/^ {2}--names +Their names alone$/m)
  })

  test('a rule decides of what it matches and of nothing else', async () => {
    const run = (name: string) =>
      says(['run', name, '--deny', 'Skill(*-docs)'], { [`home/.claude/skills/${name}/SKILL.md`]: skill('') })
    expect(await run('write-docs')).toMatchObject({ code: 1, stdout: '' })
    expect(await run('docs-write')).toMatchObject({ code: 0 })
  })

  test('a code of a diagnostic is reported, and stands in the docs', async () => {
    const { stdout, stderr } = await says(['lint'], { 'home/.claude/skills/loud/SKILL.md': skill('', 'Do it!!!') })
    expect(stdout + stderr).toContain('body-shouts')
    expect(copy.read('docs/diagnostics.md')).toContain('| `body-shouts` | `@skills/inspect` |')
  })

  test('a code of an error stands in the docs', () => {
    expect(copy.read('docs/reference/errors.md')).toContain('| `E_QUOTA` | a quota is used up |')
  })

  test('an adapter runs a skill', async () => {
    expect(await program.runInLoop('told', 'Well?', hostOptions())).toContain('Tell it.')
  })

  test('a command says something, and stands in help and in the docs', async () => {
    const files = { 'home/.claude/skills/told/SKILL.md': skill('') }
    expect(await says(['count'], files)).toMatchObject({ code: 0, stdout: '1\n' })
    expect((await says(['help'], files)).stdout).toMatch(/\n {2}count {2,}Say how /)
    expect(copy.read('docs/reference/cli.md')).toContain('| [`skills count`](../commands/count.md) | Say how many ')
    expect(copy.read('docs/commands/count.md')).toMatch(/^ {2}--json +Print JSON$/m)
  })

  test('a view of the page is offered beside the others', async () => {
    const { outputFiles } = await build({
      entryPoints: [path.join(copy.path, 'packages/ui/page/main.tsx')],
      tsconfig: path.join(copy.path, 'packages/ui/page/tsconfig.json'),
      absWorkingDir: copy.path,
      bundle: true,
      write: false,
      outdir: copy.path,
      loader: { '.css': 'empty' },
      logLevel: 'silent',
    })
    expect(outputFiles[0]?.text).toMatch(/count: \{ title: "How many", show: \(\) => /)
  })

  test('an MCP tool is one of the tools of a host', async () => {
    expect(await program.toolSays('SkillCount', { ...hostOptions(), onAsk: () => 'allow' })).toBe('1')
  })

  test('an eval assertion is read, checked, said, and stands in the schema', async () => {
    const evals = [{ prompt: 'x', assertions: [{ lacks: 'TODO' }] }]
    const tree = tempTree({ 'a/SKILL.md': skill(''), 'a/evals/evals.json': JSON.stringify({ evals }) })
    onTestFinished(() => tree.dispose())
    const checked = (said: string) => program.checkedCases(`${tree.path}/a/SKILL.md`, said)
    expect(await checked('Done.')).toEqual([['what it says lacks TODO', true]])
    expect(await checked('TODO: do it.')).toEqual([['what it says lacks TODO', false]])
    expect(JSON.parse(copy.read('packages/evals/evals.schema.json'))).toHaveProperty(
      'definitions.assertion.oneOf.1.properties.lacks',
    )
  })

  test('a package is used', async () => {
    expect(await program.sourcesOf(hostOptions())).toEqual(new Map([['user', 1]]))
  })

  test('a run engine keeps the contract', async () => {
    const make: MakeRuns = () => {
      const tree = tempTree({})
      const logs = program.memoryLogs()
      const opened = () => program.memoryRuns(logs, tree.path)
      return { provider: opened(), other: opened(), host: { uid: process.getuid?.() }, dispose: () => tree.dispose() }
    }
    const outcomes = await runContract(runsContract(make))
    expect(outcomes.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  })

  test('the tests that the recipes name are brought up to date by them', async () => {
    const files = samples.flatMap(sample => Object.keys(sample.files)).filter(file => file.endsWith('.test.ts'))
    const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
    const { stdout } = await promisify(execFile)(process.execPath, [vitest, 'run', '--root', copy.path, ...files], {
      cwd: copy.path,
      env: { ...process.env, SKILLS_TEST_REPORT: '', NO_COLOR: '1' },
    })
    expect(stdout).toContain(`Test Files  ${files.length} passed`)
  })
})
