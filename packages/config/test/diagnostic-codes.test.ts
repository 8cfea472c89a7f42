import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { diagnosticCodes, diagnosticsPage } from '../../../scripts/diagnostic-codes.mjs'
import { madeOfCommands } from '../../../scripts/commands.mjs'
import { madeOfCode } from '../../../scripts/reference-tables.mjs'
import { root, workspacePackages } from '../workspace.mjs'

const codes = diagnosticCodes()

test('the page of codes is what the packages say', () => {
  expect(
    readFileSync(path.join(root, 'docs/diagnostics.md'), 'utf8'),
    'run node scripts/diagnostic-codes.mjs --write',
  ).toBe(diagnosticsPage())
})

test('the tables of the reference, and the schema of fields, are what the code says', async () => {
  const made = await madeOfCode()
  expect(made.map(({ file }) => file)).toContain('docs/reference/kinds.md')
  for (const { file, text } of made)
    expect(readFileSync(path.join(root, file), 'utf8'), `${file}: run node scripts/reference-tables.mjs --write`).toBe(
      text,
    )
  // It loads the sources of every package.
})

test('what follows from the folders of commands is what they say', async () => {
  for (const { file, text } of await madeOfCommands())
    expect(readFileSync(path.join(root, file), 'utf8'), `${file}: run node scripts/commands.mjs --write`).toBe(text)
})

test.each(workspacePackages().filter(({ folder }) => /^(packages|plugins)\/(?!config$)/.test(folder)))(
  'every code that $folder reports is its own, and no other',
  ({ folder, directory }) => {
    const known = codes.get(folder) ?? {}
    const { reported, words } = literalsOf(path.join(directory, 'src'))
    expect(
      [...reported].filter(code => !Object.hasOwn(known, code)),
      `say what it means in ${folder}/diagnostic-codes.json`,
    ).toEqual([])
    expect(
      Object.keys(known).filter(code => !words.has(code)),
      'no source has it',
    ).toEqual([])
  },
)

test.each([...codes])('%s says in one plain sentence what each of its codes means', (_, said) => {
  for (const [code, says] of Object.entries(said)) {
    expect(code).toMatch(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/)
    expect(says).not.toMatch(/\.$|^$/)
  }
})

/**
 * Returns the codes of diagnostics, which are objects with a `severity`, and all words that could be codes, such as
 * arguments of functions.
 */
function literalsOf(folder: string): { readonly reported: ReadonlySet<string>; readonly words: ReadonlySet<string> } {
  const reported = new Set<string>()
  const words = new Set<string>()
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file),
  )
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteral(node)) words.add(node.text)
      if (
        ts.isPropertyAssignment(node) &&
        node.name.getText() === 'code' &&
        ts.isStringLiteral(node.initializer) &&
        isDiagnostic(node.parent)
      )
        reported.add(node.initializer.text)
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(file, readFileSync(path.join(folder, file), 'utf8'), ts.ScriptTarget.Latest, true))
  }
  return { reported, words }
}

const isDiagnostic = (literal: ts.ObjectLiteralExpression): boolean =>
  literal.properties.some(({ name }) => name?.getText() === 'severity')
