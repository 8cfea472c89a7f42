import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { commands } from '../../src/commands/index.js'

const root = path.resolve(fileURLToPath(import.meta.url), '../../../../..')

/** Texts that are read by a model or shown as help: they tell about commands, and propose none. */
const notRemedies = [
  /\/commands\/[\w-]+\/command\.ts$/,
  /\/arguments\//,
  /\/commands\/help\//,
  /\/embedded-skills\.ts$/,
  /\/cli\/src\/commands\/index\.ts$/,
]

/**
 * Returns each place in the sources that proposes a command line, as `FILE: COMMAND`, sorted. A place is a call of
 * `again()` or of a `commandLine()` that was passed on, or a text with `skills COMMAND` in it.
 */
export function placesWithRemedies(): readonly string[] {
  const places = new Set<string>()
  for (const file of sources()) {
    const text = readFileSync(path.join(root, file), 'utf8')
    if (!/\b(?:again|commandLine)\(|\bskills [a-z]/.test(text) || notRemedies.some(one => one.test(file))) continue
    for (const found of proposedIn(text)) places.add(`${file}: ${found}`)
  }
  return [...places].toSorted()
}

function sources(): readonly string[] {
  return ['packages', 'plugins'].flatMap(group =>
    readdirSync(path.join(root, group)).flatMap(name => filesBelow(`${group}/${name}/src`)),
  )
}

function filesBelow(folder: string): readonly string[] {
  if (!statSync(path.join(root, folder), { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !/\.(test|test-d|property\.test)\.tsx?$|contract/.test(name))
    .map(name => `${folder}/${name.replaceAll(path.sep, '/')}`)
}

const names = commands.map(({ name }) => name).toSorted((one, other) => other.length - one.length)

/** Functions that return a command line as it is typed, with the number of their arguments. */
const proposing = new Map([
  ['again', 3],
  ['commandLine', 1],
])

function proposedIn(text: string): readonly string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && proposing.get(node.expression.getText()) === node.arguments.length) {
      const words = node.arguments[0]?.getText().replace(/^[[`'"]+/, '') ?? ''
      found.push(names.find(name => words.startsWith(name)) ?? words.slice(0, 20))
      return
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) {
      for (const [, words = ''] of node.getText().matchAll(/\bskills ((?:[a-z]+ ?){1,2})/g)) {
        const name = names.find(one => words === one || words.startsWith(`${one} `) || words.trimEnd() === one)
        if (name !== undefined) found.push(name)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('x.tsx', text, ts.ScriptTarget.Latest, true))
  return found
}
