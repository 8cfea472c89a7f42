// @ts-check
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { workspacePackages } from '../packages/config/workspace.mjs'

/**
 * Renders the READMEs that have a table of options between `<!-- options NAME -->` and `<!-- /options -->`: its rows
 * are the properties of the schema of that name, with their comments. Throws for a name that no schema of the package
 * has.
 * @param {string} base the repository, absolute
 * @returns {{ file: string, text: string }[]} files from the root
 */
export function optionTables(base) {
  const packages = workspacePackages(base).flatMap(({ folder, directory }) => {
    const readme = path.join(directory, 'README.md')
    const text = existsSync(readme) ? readFileSync(readme, 'utf8') : ''
    return text.includes('<!-- options ') ? [{ folder, text, sources: sourcesIn(path.join(directory, 'src')) }] : []
  })
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(base, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    base,
  )
  const program = ts.createProgram(
    packages.flatMap(({ sources }) => sources),
    { ...options, noEmit: true },
  )
  const checker = program.getTypeChecker()
  return packages.map(({ folder, text, sources }) => {
    const schemas = new Map(
      sources.flatMap(file => schemasIn(program.getSourceFile(file)).map(call => [nameOf(call), call])),
    )
    const file = `${folder}/README.md`
    return {
      file,
      text: text.replace(/(<!-- options (.+?) -->\n)[^]*?(<!-- \/options -->)/g, (_all, begin, name, end) => {
        const call = schemas.get(name)
        if (call === undefined)
          throw new Error(`${file} has a table of options "${name}", and no schema has that name.`)
        return `${begin}${tableOf(call, checker).join('\n')}\n${end}`
      }),
    }
  })
}

/** @param {string} folder */
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(name))
    .map(name => path.join(folder, name))
    .filter(file => readFileSync(file, 'utf8').includes('core/schema'))
}

/**
 * Finds the calls of `options('name', …)` and `variants('name', …)` outside of functions.
 * @param {ts.SourceFile | undefined} source
 */
function schemasIn(source) {
  return (source?.statements ?? []).flatMap(statement =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.flatMap(({ initializer }) =>
          initializer !== undefined &&
          ts.isCallExpression(initializer) &&
          /^(s\.)?(options|variants)$/.test(initializer.expression.getText())
            ? [initializer]
            : [],
        )
      : [],
  )
}

/** @param {ts.CallExpression} call */
function nameOf(call) {
  const [name] = call.arguments
  return name !== undefined && ts.isStringLiteral(name) ? name.text : ''
}

/**
 * @param {ts.CallExpression} call
 * @param {ts.TypeChecker} checker
 */
function tableOf(call, checker) {
  const hasShapes = call.expression.getText().endsWith('variants')
  const shapes = call.arguments.slice(hasShapes ? 2 : 1).flatMap(shape => {
    // All variants of an object: `...Object.values(ownStrategies)`.
    const all =
      ts.isSpreadElement(shape) && ts.isCallExpression(shape.expression) ? shape.expression.arguments[0] : undefined
    return all === undefined
      ? [checker.getTypeAtLocation(shape).getProperties()]
      : checker
          .getTypeAtLocation(all)
          .getProperties()
          .map(one => checker.getTypeOfSymbol(one).getProperties())
  })
  /** @type {Map<string, { symbol: ts.Symbol, words: Set<string>, defaults: Set<string>, shapes: string[] }>} */
  const rows = new Map()
  for (const shape of shapes)
    for (const symbol of shape) {
      const { word, otherwise } = described(symbol, checker)
      const row = rows.get(symbol.name) ?? { symbol, words: new Set(), defaults: new Set(), shapes: [] }
      row.words.add(word)
      if (otherwise !== '') row.defaults.add(otherwise)
      const by = shape.find(one => one.name === (hasShapes ? literalOf(call.arguments[1]) : ''))
      row.shapes.push(by === undefined ? '' : described(by, checker).word)
      rows.set(symbol.name, row)
    }
  return [
    '| option | value | default | meaning |',
    '|---|---|---|---|',
    ...Array.from(rows, ([name, { symbol, words, defaults, shapes: of }]) => {
      const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ').trim()
      const [, said = ''] = / ?Default:? ([^.]*(?:\.\w[^.]*)*)\.$/.exec(` ${comment}`) ?? []
      const meaning = comment.replace(/ ?Default:? [^.]*(?:\.\w[^.]*)*\.$/, '').trim()
      const only = of.length === shapes.length || name === literalOf(call.arguments[1]) ? '' : `${of.join(', ')}: `
      // A default in words says more than the name of a constant.
      const otherwise = said || [...defaults].join(', ')
      return `| \`${name}\` | ${[...words].join(', ')} | ${otherwise} | ${only}${meaning} |`
    }),
  ].map(line => line.replaceAll(/\{@link ([^}]*)\}/g, '`$1`'))
}

/** @param {ts.Node | undefined} node */
const literalOf = node => (node !== undefined && ts.isStringLiteral(node) ? node.text : '')

/**
 * Reads the type and the default of an option from the expression that makes its schema.
 * @param {ts.Symbol} symbol
 * @param {ts.TypeChecker} checker
 * @returns {{ word: string, otherwise: string }}
 */
function described(symbol, checker) {
  const declaration = symbol.valueDeclaration
  let made = declaration !== undefined && ts.isPropertyAssignment(declaration) ? declaration.initializer : undefined
  // A property taken from another set of options is described there.
  if (made !== undefined && ts.isPropertyAccessExpression(made)) {
    const other = checker.getSymbolAtLocation(made.name)
    return other === undefined ? { word: 'a value', otherwise: '' } : described(other, checker)
  }
  let otherwise = ''
  while (made !== undefined && ts.isCallExpression(made) && ts.isPropertyAccessExpression(made.expression)) {
    const method = made.expression.name.text
    if (method === 'default') otherwise = defaultOf(made.arguments[0])
    else if (method === 'required') otherwise = 'required'
    else if (method !== 'inFiles') break
    made = made.expression.expression
  }
  return { word: made === undefined ? 'a value' : wordOf(made), otherwise }
}

/** @param {ts.Node | undefined} node */
function defaultOf(node) {
  const text = node?.getText().replaceAll(/\s+/g, ' ') ?? ''
  if (/^[\d_ .*]+$/.test(text))
    return text
      .replaceAll('_', '')
      .split('*')
      .reduce((all, one) => all * Number(one), 1)
      .toLocaleString('en')
  if (text.includes('=>') || text === '{}') return ''
  return text === '[]' ? 'none' : `\`${text.replace(/^'(.*)'$/, '$1')}\``
}

/**
 * @param {ts.Node} made
 * @returns {string}
 */
function wordOf(made) {
  if (!ts.isCallExpression(made)) return 'a value'
  const [first, ...others] = made.arguments
  const all = first === undefined ? [] : [first, ...others]
  switch (made.expression.getText().replace(/^s\s*\./, '')) {
    case 'text':
      return literalOf(first) || 'text'
    case 'flag':
      return 'true or false'
    case 'number':
      return first === undefined ? 'number' : `number, ${rangeOf(first.getText())}`
    case 'count':
      return `number, ${rangeOf(`isWhole: true, from: 1 ${first?.getText()}`)}`
    case 'milliseconds':
      return `milliseconds, ${rangeOf(`isWhole: true, from: 1 ${first?.getText()}`)}`
    case 'oneOf':
      return all.map(one => `\`${one.getText().replaceAll("'", '')}\``).join(', ')
    case 'list':
      return first === undefined ? 'list' : `list: ${wordOf(first)}`
    case 'record':
      return first === undefined ? 'object' : `object of ${wordOf(first)}`
    case 'either':
      return all.map(wordOf).join(', or ')
    case 'fn':
      return 'function'
    case 'typed':
      return literalOf(first).replace(/^an? /, '')
    default:
      return 'object'
  }
}

/** @param {string} text the range as the code has it */
function rangeOf(text) {
  const part = (/** @type {string} */ name) => new RegExp(`${name}: ([^,} ]+)`).exec(text)?.[1]
  return [
    ...(text.includes('isWhole: true') ? ['whole'] : []),
    ...(part('above') === undefined ? [] : [`above ${part('above')}`]),
    ...(part('from') === undefined ? [] : [`from ${part('from')}`]),
    ...(part('to') === undefined ? [] : [`to ${part('to')}`]),
    ...(text.includes('orInfinity: true') ? ['or `Infinity`'] : []),
  ].join(' ')
}
