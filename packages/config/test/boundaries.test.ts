import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { boundariesConfig, boundariesFile } from '../lint-boundaries.mjs'
import { includesFolder, libraryOwners, roomOf, startingParts } from '../rooms.mjs'
import { exportedSources, root, workspacePackages, type WorkspacePackage } from '../workspace.mjs'
import { builtFiles, builtImports, bundle, bundledFiles, packageOf } from './built-output.js'
import { codeLines } from './code-lines.js'

/**
 * Most bytes of core, which is in every program that uses the engine and is loaded before anything is shown. The
 * ceiling is its current need with its two dependencies and a small margin. Raising it is a decision, not a repair.
 */
// Gates, legacy commands and renderers came after the first 28 KiB; then the check of all that a source gives, and
// which names look alike, with its table; then that sources which do not finish keep what they found, are said to be
// incomplete and are asked again: every plugin has to agree about that. Then swapped letters in the one edit distance,
// of which skill-md had another, and the short look of names of plain letters and digits. Then the table of fields,
// 6.5 KiB: a command's type and check were written by hand beside it, and every source, executor and permission has to
// agree about it. Then names that skills of several folders share, or that differ in case only, as agents list them.
// Then the place of skills that a touched file brings in a precedence, and display names that several commands share.
// Then large sources, 7.75 KiB, of which 5.25 are loaded with the first of them: what they find joins the catalog by its
// own rules, with gates, overrides and reserved names, and all who list, search, invoke and explain have to agree.
const coreCeilingBytes = 55.5 * 1024

/**
 * Most lines of core. It grows only if three plugins need the same thing, and should be readable in one sitting.
 * Counted as the formatter breaks lines; they were 1,838 with lines of any length. Large sources are 450 of them.
 */
const coreCeilingLines = 3_000

/** Most lines of `@skills/core/schema`, for declaring options. It is not part of the engine. */
// A dozen packages checked counts, times to wait and `Infinity` by hand before. Then a hint for a name that belongs inside
// another option, which every function with options of options has to give.
const schemaCeilingLines = 405

/** Most lines of the table of fields, a few lines for each field and the types of their values. */
const fieldCeilingLines = 530

const isSchema = (file: string): boolean => file.endsWith('schema.ts')
const isField = (file: string): boolean => /\bfields(?:\.ts$|[\\/])/.test(file)

/** Most public names, including types, for users of our packages. Each is one more to learn and to keep. */
const publicCeiling = 700

/** Most published packages. */
const packageCeiling = 39

const all = workspacePackages()
const folderOf = new Map(all.map(({ folder, manifest }) => [manifest.name, folder]))
const published = all.filter(({ folder, manifest }) => /^(packages|plugins)\//.test(folder) && !manifest.private)
// The command line is one bundle by design, so its built file does not show what it imports.
const libraries = published.filter(({ folder }) => folder !== 'packages/cli')

const core = named('@skills/core')
const distributions = named('@skills/distributions')

describe('the table of rooms', () => {
  // Benchmarks and attacks use any room from outside, and no room imports them.
  test.each(all.filter(({ folder }) => folder !== 'bench' && !folder.startsWith('scripts/')))(
    'has a row for $folder',
    ({ folder }) => {
      expect(roomOf(folder), `add ${folder} to packages/config/rooms.mjs`).toBeDefined()
    },
  )

  test('is what lint enforces', () => {
    expect(readFileSync(boundariesFile, 'utf8'), 'run node packages/config/lint-boundaries.mjs').toBe(
      boundariesConfig(),
    )
    const { config } = ts.readConfigFile(path.join(root, '.oxlintrc.json'), ts.sys.readFile)
    expect(config).toHaveProperty('extends', [`./${path.relative(root, boundariesFile).replaceAll('\\', '/')}`])
  })
})

describe.each(published)('package.json of $manifest.name', ({ folder, manifest }) => {
  const room = roomOf(folder)

  test('depends on what its room may import', () => {
    const allowed = room?.imports ?? []
    const needed = workspaceFolders({ ...manifest.dependencies, ...manifest.peerDependencies })
    expect(needed.filter(each => !includesFolder(allowed, each))).toEqual([])

    const forTests = [...allowed, ...(room?.testImports ?? []), 'packages/config']
    expect(workspaceFolders(manifest.devDependencies).filter(each => !includesFolder(forTests, each))).toEqual([])
  })

  test('leaves core to the code that installs it, unless it brings core along', async () => {
    const library = libraries.find(each => each.folder === folder)
    const importsCore = library !== undefined && (await builtPackages(library)).has('@skills/core')
    const declared = {
      dependency: manifest.dependencies?.['@skills/core'],
      peer: manifest.peerDependencies?.['@skills/core'],
    }
    const wanted = room?.bringsCore ? { dependency: 'workspace:^' } : { peer: 'workspace:^' }
    const mustDeclare = importsCore || folder.startsWith('plugins/')
    expect(mustDeclare ? [wanted] : [wanted, {}]).toContainEqual(declared)
  })
})

describe.each(libraries)('built $manifest.name', room => {
  test('imports what its room may import', async () => {
    const folders = [...(await builtPackages(room))].flatMap(name => folderOf.get(name) ?? [])
    expect(folders.filter(each => !includesFolder(roomOf(room.folder)?.imports ?? [], each))).toEqual([])
  })

  test('imports only what its package.json declares', async () => {
    const { dependencies, peerDependencies } = room.manifest
    const declared = { ...dependencies, ...peerDependencies }
    expect([...(await builtPackages(room))].filter(name => !(name in declared))).toEqual([])
  })

  test('leaves owned libraries to their owners', async () => {
    const imported = await builtPackages(room)
    const foreign = Object.entries(libraryOwners).filter(([name, owner]) => owner !== room.folder && imported.has(name))
    expect(foreign).toEqual([])
  })

  test('holds nothing but its own sources, and what is to be built into it', async () => {
    const files = await bundledFiles(room)
    expect(files.length).toBeGreaterThan(0)
    const foreign = files
      .filter(file => !file.startsWith('src/'))
      .map(
        file => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? ownerOf(path.join(room.directory, file)),
      )
    expect([...new Set(foreign)].toSorted()).toEqual([...(roomOf(room.folder)?.builtIn ?? [])].toSorted())
  })

  test('evaluates no text as code', () => {
    const evaluates = (file: string): boolean =>
      file.endsWith('.js') && /\beval\(|\bnew Function\(/.test(readFileSync(file, 'utf8'))
    expect(builtFiles(room).filter(evaluates)).toEqual([])
  })
})

test.each(libraries.filter(({ folder }) => roomOf(folder)?.startsProcesses !== true))(
  'built $manifest.name starts no process, but for the sub-paths that may',
  async room => {
    const parts = startingPartsOf(room)
    const entries = exportedNames(room).filter(name => !parts.includes(name))
    const outside = Object.keys({ ...room.manifest.dependencies, ...room.manifest.peerDependencies })
    const code = await bundle(importAll(entries), room.directory, { without: outside })
    expect(code.length).toBeGreaterThan(0)
    expect(linesWith('child_process', code)).toEqual([])
  },
)

describe('what is published', () => {
  test(`is at most ${packageCeiling} packages`, () => {
    expect(published.length).toBeGreaterThan(0)
    expect(published.length).toBeLessThanOrEqual(packageCeiling)
  })

  test(`has at most ${publicCeiling} public names: what only packages of ours use is in ./internal`, () => {
    const names = published.flatMap(({ directory, manifest }) =>
      exportedSources(manifest)
        .filter(({ subpath }) => !subpath.startsWith('./internal'))
        .flatMap(({ source }) => namesExportedBy(path.join(directory, source))),
    )
    expect(names.length).toBeGreaterThan(0)
    expect(names.length).toBeLessThanOrEqual(publicCeiling)
  })

  test('says of each ./internal that no version covers it', () => {
    const files = published.flatMap(({ directory, manifest }) =>
      exportedSources(manifest).flatMap(({ subpath, source }) =>
        subpath.startsWith('./internal') ? [path.join(directory, source)] : [],
      ),
    )
    expect(files.length).toBeGreaterThan(0)
    expect(
      files.filter(file => !/^\/\*\*[^]*?not covered by versions[^]*?@internal/.test(readFileSync(file, 'utf8'))),
    ).toEqual([])
  })
})

describe('core', () => {
  test('imports no package of the workspace', async () => {
    expect([...(await builtImports(core))].filter(each => each.startsWith('@skills/'))).toEqual([])
  })

  test(`is under ${coreCeilingBytes} bytes bundled and minified, with its dependencies`, async () => {
    builtFiles(core)
    const code = await bundle(`export * from './dist/index.js'`, core.directory, { minify: true })
    expect(code.length).toBeGreaterThan(0)
    expect(Buffer.byteLength(code)).toBeLessThan(coreCeilingBytes)
  })

  test.each([
    ['the engine', coreCeilingLines, (file: string) => !isSchema(file) && !isField(file)],
    ['schemas', schemaCeilingLines, isSchema],
    ['fields', fieldCeilingLines, isField],
  ])('%s is under %i lines without blanks and comments', (_what, ceiling, isIn) => {
    const sources = readdirSync(path.join(core.directory, 'src'), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file) && isIn(file))
      .map(file => path.join(core.directory, 'src', file))
    const lines = sources.reduce((sum, file) => sum + codeLines(file), 0)
    expect(lines).toBeGreaterThan(0)
    expect(lines).toBeLessThan(ceiling)
  })
})

test('no plugin is built on another plugin', async () => {
  const plugins = libraries.filter(({ folder }) => folder.startsWith('plugins/'))
  const names = new Set(plugins.map(({ manifest }) => manifest.name))
  expect(names.size).toBeGreaterThan(0)
  for (const plugin of plugins) {
    expect(
      [...(await builtPackages(plugin))].filter(name => names.has(name)),
      plugin.folder,
    ).toEqual([])
  }
})

describe('a program of the distributions and core', () => {
  const starters = libraries.flatMap(room =>
    room.folder.startsWith('plugins/') && roomOf(room.folder)?.startsProcesses === true
      ? [room.manifest.name]
      : startingPartsOf(room),
  )

  async function program(without: readonly string[]): Promise<string> {
    builtFiles(core)
    builtFiles(distributions)
    const entries = ['@skills/core', ...exportedNames(distributions)]
    return bundle(importAll(entries), distributions.directory, { without })
  }

  test('cannot start a process without the plugins that do so', async () => {
    const code = await program(starters)
    expect(linesWith('createSkills', code)).not.toEqual([])
    expect(linesWith('child_process', code)).toEqual([])
  })

  test('can do so with them, each read on use', async () => {
    expect(linesWith('child_process', await program([]))).not.toEqual([])
    const code = await program(starters)
    expect(
      linesWith('@skills/expansion/shell', code).filter(line => !line.includes('import("@skills/expansion/shell")')),
    ).toEqual([])
  })
})

/** Returns the package of the workspace that contains a file, or the file if none does. */
function ownerOf(file: string): string {
  return all.find(({ directory }) => file.startsWith(`${directory}${path.sep}`))?.manifest.name ?? file
}

/** Returns the names of all packages that the built package imports. */
async function builtPackages(room: WorkspacePackage): Promise<Set<string>> {
  return new Set([...(await builtImports(room))].flatMap(each => packageOf(each) ?? []))
}

function workspaceFolders(dependencies: Record<string, string> | undefined): string[] {
  return Object.keys(dependencies ?? {}).flatMap(name => folderOf.get(name) ?? [])
}

/** Returns the matching lines, because a failure that prints the whole bundle cannot be read. */
function linesWith(text: string, code: string): string[] {
  return code.split('\n').filter(line => line.includes(text))
}

/** Returns the names that a file exports, including types. */
function namesExportedBy(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const isExported = (statement: ts.Statement): boolean =>
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  const names = source.statements.flatMap(statement => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement
      if (exportClause !== undefined && ts.isNamedExports(exportClause))
        return exportClause.elements.map(({ name }) => name.text)
      if (exportClause !== undefined) return [exportClause.name.text]
      const from = moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : ''
      return namesExportedBy(path.join(path.dirname(file), from.replace(/\.js$/, '.ts')))
    }
    if (!isExported(statement)) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText())
    return 'name' in statement ? [(statement as ts.DeclarationStatement).name?.getText() ?? 'default'] : []
  })
  // A function may have several declarations.
  return [...new Set(names)]
}

/** Returns the sub-paths of a package that may start processes, by their import names. */
function startingPartsOf({ folder, manifest }: WorkspacePackage): string[] {
  return startingParts(roomOf(folder) ?? { imports: [] }).map(part => `${manifest.name}/${part}`)
}

/** Returns a module that exports everything from these modules. */
function importAll(names: readonly string[]): string {
  return names.map((name, index) => `export * as entry${index} from ${JSON.stringify(name)}`).join('\n')
}

function exportedNames({ manifest }: WorkspacePackage): string[] {
  return Object.keys(manifest.exports ?? {}).map(subpath => `${manifest.name}${subpath.slice(1)}`)
}

function named(name: string): WorkspacePackage {
  const found = all.find(({ manifest }) => manifest.name === name)
  if (!found) throw new Error(`the workspace has no ${name}`)
  return found
}
