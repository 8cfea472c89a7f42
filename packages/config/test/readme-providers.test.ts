import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { codeBlocks } from '../code-blocks.mjs'
import { root } from '../workspace.mjs'

// Authors of providers start from a copy of an example, so each example in a page has to keep the rules of its kind.

/** Functions that run the suite of each kind. Other kinds (gate, trust, hooks, state, …) have none. */
const suites: Readonly<Record<string, readonly string[]>> = {
  source: [
    'testSource',
    'testFixedSource',
    'testRemoteSource',
    'largeSourceContract',
    'sourceContract',
    'fixedSourceContract',
    'fileSourceContract',
  ],
  permission: ['testPermission'],
  executor: ['testExecutor'],
  expander: ['testExpander'],
  formatter: ['testFormatter'],
  runner: ['testRunner'],
}

/** Ids of examples that are faulty on purpose. */
const brokenOnPurpose = ['hangs']

interface Example {
  readonly kind: string
  readonly id: string
  /** Name of the declaration that contains it. */
  readonly owner: string | undefined
}

const textOf = (object: ts.ObjectLiteralExpression, name: string): string | undefined =>
  object.properties.flatMap(property =>
    ts.isPropertyAssignment(property) &&
    property.name.getText() === name &&
    ts.isStringLiteralLike(property.initializer)
      ? property.initializer.text
      : [],
  )[0]

function ownerOf(node: ts.Node): string | undefined {
  for (let at = node.parent; at !== undefined && !ts.isSourceFile(at); at = at.parent) {
    if (
      (ts.isVariableDeclaration(at) || ts.isFunctionDeclaration(at) || ts.isClassDeclaration(at)) &&
      at.name !== undefined
    )
      return at.name.getText()
  }
  return undefined
}

const parsed = (name: string, text: string): ts.SourceFile =>
  ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS)

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node)
  node.forEachChild(child => visit(child, look))
}

/** Returns the providers that a piece of code defines. */
function providersIn(code: string): readonly Example[] {
  const found: Example[] = []
  visit(parsed('block.ts', code), node => {
    if (!ts.isObjectLiteralExpression(node) || node.properties.every(({ name }) => name?.getText() !== 'setup')) return
    const kind = textOf(node, 'kind')
    if (kind !== undefined) found.push({ kind, id: textOf(node, 'id') ?? '', owner: ownerOf(node) })
  })
  return found
}

/** Returns the names in the arguments of suites in a file, also through other declarations, by suite. */
function provedIn(file: string): ReadonlyMap<string, ReadonlySet<string>> {
  const source = parsed(file, readFileSync(path.join(root, file), 'utf8'))
  const named = new Map<string, Set<string>>()
  const proved = new Map<string, Set<string>>()
  const add = (names: Map<string, Set<string>>, key: string, node: ts.Node): void =>
    visit(node, one => {
      if (ts.isIdentifier(one)) names.set(key, (names.get(key) ?? new Set()).add(one.text))
    })
  visit(source, node => {
    if ((ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node)) && node.name !== undefined)
      add(named, node.name.getText(), node)
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression))
      for (const argument of node.arguments) add(proved, node.expression.text, argument)
  })
  // Names that are added to a set during the loop are visited too.
  for (const names of proved.values())
    for (const name of names) for (const further of named.get(name) ?? []) names.add(further)
  return proved
}

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(file => file !== '' && !/(?:^|\/)CHANGELOG\.md$|^examples\/skills\//.test(file))
const examples = pages.flatMap(page => {
  const lines = readFileSync(path.join(root, page), 'utf8').split('\n')
  return codeBlocks(lines).blocks.flatMap(({ start, end, from }) =>
    providersIn(lines.slice(start + 1, end).join('\n')).map(example => ({
      ...example,
      at: `${page}:${start + 1}`,
      file: from?.split('#')[0],
    })),
  )
})

test('there are examples of providers, and those that are broken on purpose', () => {
  const ids = examples.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(['greetings', 'today', 'inline', ...brokenOnPurpose]))
})

test.each(examples.filter(({ id }) => !brokenOnPurpose.includes(id)))(
  'the $kind "$id" at $at passes the suite of its kind',
  ({ kind, owner, file, at }) => {
    expect(file, `${at} defines a provider in code that no file holds: put <!-- from … --> before it`).toBeDefined()
    // A tutorial has its proof in a separate file.
    const beside = path.posix.join(path.posix.dirname(file ?? ''), 'prove.mjs')
    const proved = provedIn(existsSync(path.join(root, beside)) ? beside : (file ?? ''))
    const fitting = suites[kind] ?? []
    expect(fitting, `${at} defines a provider of a kind without a suite`).not.toEqual([])
    const isProved = fitting.some(suite => proved.get(suite)?.has(owner ?? '') === true)
    expect(
      isProved,
      `${at}: in ${file ?? ''} one of ${fitting.join(', ')} has to be called with ${owner ?? 'it'}`,
    ).toBe(true)
  },
)
