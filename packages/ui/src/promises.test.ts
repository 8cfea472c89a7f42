import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const folder = path.join(import.meta.dirname, '../page')
const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, ts.sys.readFile) as { config: object }
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
const program = ts.createProgram(fileNames, options)
const checker = program.getTypeChecker()

test('no promise of the page is left without an end that hears of its failure', () => {
  const left: string[] = []
  let seen = 0
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    const expression = unusedOf(node)
    if (expression === undefined || !isPromise(expression)) return
    seen += 1
    const file = node.getSourceFile()
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    if (!isHeard(expression)) left.push(`${path.basename(file.fileName)}:${line + 1}: ${node.getText()}`)
  }
  for (const file of program.getSourceFiles()) if (file.fileName.startsWith(folder)) visit(file)
  expect(left).toEqual([])
  expect(seen).toBeGreaterThan(5)
})

/** Returns an expression whose value is dropped: a statement, a voided one, or the body of an arrow without result. */
function unusedOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isExpressionStatement(node) || ts.isVoidExpression(node)) return node.expression
  if (!ts.isArrowFunction(node) || ts.isBlock(node.body)) return undefined
  const wanted = checker.getContextualType(node)?.getCallSignatures() ?? []
  return wanted.some(one => one.getReturnType().flags & ts.TypeFlags.Void) ? node.body : undefined
}

const isPromise = (node: ts.Expression): boolean =>
  checker.getPropertyOfType(checker.getTypeAtLocation(node), 'then') !== undefined

/** True if a promise is awaited, or if its failure is handled. */
function isHeard(node: ts.Expression): boolean {
  if (ts.isAwaitExpression(node)) return true
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  const { text } = node.expression.name
  return (text === 'then' && node.arguments.length === 2) || (text === 'catch' && node.arguments.length === 1)
}
