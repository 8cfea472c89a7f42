import { existsSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root, workspacePackages } from '../workspace.mjs'

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile).config,
  ts.sys,
  root,
)
const entries = workspacePackages().flatMap(({ directory, manifest }) =>
  manifest.private === true
    ? []
    : Object.keys((manifest as { exports?: object }).exports ?? {})
        .filter(name => !name.startsWith('./internal'))
        .map(name => path.join(directory, 'src', `${name === '.' ? 'index' : name.slice(2)}.ts`))
        .filter(file => existsSync(file)),
)
const program = ts.createProgram(entries, { ...options, noEmit: true })
const checker = program.getTypeChecker()

/** Parameters without which a function cannot be called, and of which one is a signal or has one. */
function neededSignals(signature: ts.Signature, node: ts.Node): readonly string[] {
  return signature
    .getParameters()
    .filter(parameter => {
      const { valueDeclaration: at } = parameter
      if (at === undefined || !ts.isParameter(at) || checker.isOptionalParameter(at)) return false
      const type = checker.getTypeOfSymbolAtLocation(parameter, node)
      if (type.symbol?.name === 'AbortSignal') return true
      // An engine has a signal of its own, and a context was made with one.
      const signal = type.getProperty('signal')
      return (
        signal !== undefined &&
        (signal.flags & ts.SymbolFlags.Optional) === 0 &&
        type.getProperty('use') === undefined &&
        type.getProperty('place') === undefined
      )
    })
    .map(({ name }) => name)
}

test('no function that a host calls needs a signal', () => {
  const needing = entries.flatMap(file => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    return module === undefined
      ? []
      : checker.getExportsOfModule(module).flatMap(exported => {
          const one = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
          const at = one.valueDeclaration
          const calls = at === undefined ? [] : checker.getTypeOfSymbolAtLocation(one, at).getCallSignatures()
          return calls.some(call => neededSignals(call, at!).length > 0) ? [one.name] : []
        })
  })
  // It says of a signal why it aborted.
  expect([...new Set(needing)].toSorted()).toEqual(['abortError'])
})
