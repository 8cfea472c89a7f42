import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { workspacePackages, type WorkspacePackage } from '../workspace.mjs'
import { builtFiles, entrySources } from './built-output.js'

/**
 * Functions of Node that write, link, move or remove by a path, by their names in `node:fs` and `node:fs/promises`.
 * Functions that take a descriptor are not included, because only the writer opens one for writing.
 */
const writers = new Set(
  [
    'appendFile',
    'chmod',
    'chown',
    'copyFile',
    'cp',
    'createWriteStream',
    'lchmod',
    'lchown',
    'link',
    'lutimes',
    'mkdir',
    'mkdtemp',
    'mkdtempDisposable',
    'rename',
    'rm',
    'rmdir',
    'symlink',
    'truncate',
    'unlink',
    'utimes',
    'writeFile',
  ].flatMap(name => [name, `${name}Sync`]),
)
const openers = new Set(['open', 'openSync'])
const modules = /^(?:node:)?fs(?:\/promises)?$/
/** Programs that do the same, as a first argument of `spawn` and similar functions. */
const programs = /^(?:mv|rm|cp|ln|mkdir|rmdir|touch|tee|dd|install|chmod|chown)$/

/** Packages that may write otherwise, with the reason. */
const exempt: Readonly<Record<string, string>> = {
  'packages/testing': 'makes the trees of tests, hostile ones too: links, modes that shut it out itself, pipes',
}

/** Libraries that write into folders which the writer made, and the packages that call them. */
const writingLibraries: Readonly<Record<string, readonly [owner: string, where: string]>> = {
  cacache: ['packages/install', "`content` in the user's own cache"],
  pacote: ['packages/install', "`npm` in the user's own cache"],
}

const published = workspacePackages().filter(
  ({ folder, manifest }) => /^(packages|plugins)\//.test(folder) && !manifest.private && exempt[folder] === undefined,
)

/** Returns every place in a file's code that bypasses the writer. */
function writesIn(code: string, file: string): readonly string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  /** Local names of functions, and of the whole module. */
  const functions = new Map<string, string>()
  const wholes = new Set<string>()
  const found: string[] = []
  const say = (node: ts.Node, what: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    found.push(`${file}:${line + 1} ${what}`)
  }
  const isModule = (node: ts.Node | undefined): boolean =>
    node !== undefined && ts.isStringLiteralLike(node) && modules.test(node.text)
  /**
   * True for the whole module: `require('fs')`, `await import('fs')`, `__toESM(require('fs'))`, and members of them.
   */
  const isWhole = (node: ts.Expression): boolean => {
    if (ts.isIdentifier(node)) return wholes.has(node.text)
    if (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) return isWhole(node.expression)
    if (ts.isPropertyAccessExpression(node))
      return ['default', 'promises'].includes(node.name.text) && isWhole(node.expression)
    if (!ts.isCallExpression(node)) return false
    const [first] = node.arguments
    const isImport =
      node.expression.kind === ts.SyntaxKind.ImportKeyword || /require$/i.test(node.expression.getText(source))
    return isImport
      ? isModule(first)
      : first !== undefined && /^__to(?:ESM|CommonJS)$/.test(node.expression.getText(source)) && isWhole(first)
  }
  const bind = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) return void wholes.add(name.text)
    if (!ts.isObjectBindingPattern(name)) return
    for (const one of name.elements) {
      const key = one.propertyName?.getText(source) ?? one.name.getText(source)
      if (key === 'default' || key === 'promises') bind(one.name)
      else if (ts.isIdentifier(one.name)) functions.set(one.name.text, key)
    }
  }
  const collect = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && isModule(node.moduleSpecifier)) {
      const { name, namedBindings } = node.importClause ?? {}
      if (name !== undefined) wholes.add(name.text)
      if (namedBindings !== undefined && ts.isNamespaceImport(namedBindings)) wholes.add(namedBindings.name.text)
      if (namedBindings !== undefined && ts.isNamedImports(namedBindings))
        for (const one of namedBindings.elements) {
          const key = (one.propertyName ?? one.name).text
          if (key === 'default' || key === 'promises') wholes.add(one.name.text)
          else functions.set(one.name.text, key)
        }
    }
    if (ts.isExportDeclaration(node) && isModule(node.moduleSpecifier)) say(node, 'hands node:fs on')
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined && isWhole(node.initializer)) bind(node.name)
    ts.forEachChild(node, collect)
  }
  const isReading = (flags: ts.Expression | undefined): boolean => {
    if (flags === undefined) return true
    if (ts.isIdentifier(flags)) {
      const own = new RegExp(
        String.raw`\b(?:const|var|let) ${flags.text.replaceAll('$', String.raw`\$`)} = ([^;\n]+)`,
      ).exec(code)?.[1]
      return own !== undefined && !/WRONLY|RDWR|CREAT|TRUNC|APPEND|["'`]/.test(own)
    }
    return ts.isStringLiteralLike(flags)
      ? flags.text === 'r'
      : !/WRONLY|RDWR|CREAT|TRUNC|APPEND|["'`+]/.test(flags.getText(source))
  }
  const look = (node: ts.Node): void => {
    const used =
      ts.isPropertyAccessExpression(node) && isWhole(node.expression)
        ? node.name.text
        : ts.isIdentifier(node) && !ts.isImportSpecifier(node.parent) && !ts.isBindingElement(node.parent)
          ? functions.get(node.text)
          : undefined
    const isNameOfMember =
      ts.isIdentifier(node) && ts.isPropertyAccessExpression(node.parent) && node.parent.name === node
    const isKey = ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node
    if (used !== undefined && !isNameOfMember && !isKey) {
      if (writers.has(used)) say(node, used)
      else if (openers.has(used)) {
        const call = ts.isCallExpression(node.parent) && node.parent.expression === node ? node.parent : undefined
        if (call === undefined || !isReading(call.arguments[1])) say(node, `${used} for writing`)
      }
    }
    if (ts.isElementAccessExpression(node) && isWhole(node.expression))
      say(node, 'a member of node:fs by a computed name')
    if (
      ts.isCallExpression(node) &&
      /(?:^|\.)(?:spawn|exec|execFile)(?:Sync)?$/.test(node.expression.getText(source))
    ) {
      const [first] = node.arguments
      if (
        first !== undefined &&
        ts.isStringLiteralLike(first) &&
        programs.test(path.basename(first.text.split(' ')[0] ?? ''))
      )
        say(node, `the program ${first.text}`)
    }
    ts.forEachChild(node, look)
  }
  collect(source)
  look(source)
  return found
}

/** Returns the built code of a package, by file. The writer's own code, in the package of the state, is left out. */
async function builtCode(room: WorkspacePackage): Promise<readonly (readonly [file: string, code: string])[]> {
  if (room.folder !== 'packages/cli' && room.folder !== 'packages/state')
    return builtFiles(room)
      .filter(file => /\.[cm]?js$/.test(file) && !/dist\/(?:page|report)\//.test(file))
      .map(file => [path.relative(room.directory, file), readFileSync(file, 'utf8')] as const)
  // One is built minified with all packages, the other contains the writer. Both are built again here, file by file.
  const entryPoints =
    room.folder === 'packages/cli' ? ['src/bin.ts', 'src/rest.ts', 'src/main.ts'] : entrySources(room.manifest.exports)
  const { metafile } = await build({
    absWorkingDir: room.directory,
    entryPoints,
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    packages: 'external',
  })
  const inputs = Object.keys(metafile.inputs).filter(file => !file.startsWith('src/writer/'))
  return Promise.all(
    inputs.map(async file => {
      const made = await build({
        absWorkingDir: room.directory,
        entryPoints: [file],
        write: false,
        format: 'esm',
        logLevel: 'silent',
      })
      return [file, made.outputFiles[0]?.text ?? ''] as const
    }),
  )
}

describe('what finds a write past the room', () => {
  test.each([
    `import { writeFileSync } from 'node:fs'; writeFileSync('a', 'b')`,
    `import { writeFile as w } from 'fs/promises'; await w('a', 'b')`,
    `import fs from 'node:fs'; fs.renameSync('a', 'b')`,
    `import * as fs from 'node:fs'; fs.promises.rm('a')`,
    `import { promises } from 'node:fs'; promises.mkdir('a')`,
    `const fs = require('fs'); fs.unlinkSync('a')`,
    `const { symlink: s } = require('node:fs'); s('a', 'b', () => {})`,
    `const { rm } = await import('node:fs/promises'); rm('a')`,
    `(await import('node:fs')).chmodSync('a', 0)`,
    `var import_fs = __toESM(require('node:fs')); (0, import_fs.writeFileSync)('a', 'b')`,
    `import { openSync } from 'node:fs'; openSync('a', 'w')`,
    `import { open } from 'node:fs/promises'; open('a', flags)`,
    `import { open, constants } from 'node:fs/promises'; const f = constants.O_RDWR; open('a', f)`,
    `import { openSync } from 'node:fs'; export const opening = openSync`,
    `import { rmSync } from 'node:fs'; const all = [1].map(rmSync)`,
    `import fs from 'node:fs'; fs[name]('a')`,
    `export * from 'node:fs'`,
    `import { execFileSync } from 'node:child_process'; execFileSync('mv', ['a', 'b'])`,
  ])('%s', code => expect(writesIn(code, 'a.js')).toHaveLength(1))

  test.each([
    `import { readFileSync, openSync, constants } from 'node:fs'; openSync('a', 'r'); openSync('b', constants.O_RDONLY | constants.O_NOFOLLOW)`,
    `const plain = constants.O_RDONLY | 0; import { open, constants } from 'node:fs'; open('a', plain, done)`,
    `import { writeSync } from 'node:fs'; writeSync(room.open('a'), 'b')`,
    `stream.write('x'); map.link('a'); root.rename('a', 'b'); const o = { rm: 1 }`,
  ])('is none in %s', code => expect(writesIn(code, 'a.js')).toEqual([]))
})

test.each(published)('$folder writes through the one room', async room => {
  const code = await builtCode(room)
  expect(code.length).toBeGreaterThan(0)
  expect(code.flatMap(([file, text]) => writesIn(text, file))).toEqual([])
})

test.each(Object.entries(writingLibraries))('%s, which writes by itself, is of one package', (library, [owner]) => {
  const having = published.filter(({ manifest }) => Object.hasOwn(manifest.dependencies ?? {}, library))
  const [first, ...rest] = having.map(({ folder }) => folder).filter(folder => folder !== 'packages/cli')
  expect([first, rest]).toEqual([owner, []])
})
