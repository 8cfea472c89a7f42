import { isBuiltin } from 'node:module'
import { dirname, posix, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readWholeFileSync } from '@skills/files'
import { realPathOf, slashes } from '@skills/files/internal'
import type { ImportSpecifier } from 'es-module-lexer'

/** File of code that a person agrees to: the module, or one of its imports. */
export interface ModuleFile {
  /** Real path. */
  readonly path: string
  /** Path relative to the folder of the module, for display. */
  readonly label: string
  readonly text: string
  readonly imports: readonly ModuleImport[]
}

interface ModuleImport {
  /**
   * Range of the text to replace, from `start` to `end`: with the address of another file of the graph, or with the
   * replacement of `import.meta`.
   */
  readonly start: number
  readonly end: number
  readonly to: string | undefined
}

/** Reason why code cannot be tied to the text that a person agreed to. */
export interface ModuleProblem {
  readonly path: string
  readonly line?: number | undefined
  readonly problem: string
}

const mostFiles = 100
const mostCharacters = 8 * 1024 * 1024

/**
 * Reads a module and every local file that it imports, the module first, each once. A person agrees to these texts, and
 * only these texts are executed. Only Node's own modules and relative files may be imported, because the content of a
 * package would not be shown.
 * @param within real path of the folder that has to contain all these files
 */
export async function readModuleGraph(path: string, within: string): Promise<readonly ModuleFile[] | ModuleProblem> {
  const { init, parse } = await import('es-module-lexer')
  await init
  const files = new Map<string, ModuleFile>()
  const top = dirname(path)
  const pending = [path]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const real = realPathOrGiven(next)
    if (files.has(real)) continue
    if (files.size >= mostFiles) return { path, problem: `imports more than ${mostFiles} files.` }
    const read = textOf(next, within)
    if (typeof read !== 'string') return { path: next, ...read }
    const lineAt = (at: number): number => read.slice(0, at).split('\n').length
    try {
      const imports: ModuleImport[] = []
      if (!next.endsWith('.json')) {
        for (const one of parse(read)[0]) {
          const found = importOf(one, real)
          if (typeof found === 'string') return { path: next, line: lineAt(one.ss), problem: found }
          if (found === undefined) continue
          const to = found.to === undefined ? undefined : realPathOrGiven(found.to)
          imports.push({ ...found, to })
          if (to !== undefined) pending.push(to)
        }
      }
      files.set(real, {
        path: real,
        label: next === path ? posix.basename(path) : labelOf(relative(top, real)),
        text: read,
        imports,
      })
    } catch (error) {
      // The lexer reports the position as an offset.
      return { path: next, line: lineAt(offsetOf(error)), problem: 'cannot be parsed as a module.' }
    }
  }
  return [...files.values()]
}

/**
 * Returns the address of a module that is made from exactly the texts of a graph, even if the files change. Returns a
 * problem if files import each other, or if they are too large.
 */
export function addressOf(files: readonly ModuleFile[]): { readonly url: string } | ModuleProblem {
  const byPath = new Map(files.map(file => [file.path, file]))
  const known = new Map<string, string>()
  const open = new Set<string>()
  let problem: ModuleProblem | undefined
  const visit = (file: ModuleFile): string => {
    const { path, text, imports } = file
    const before = known.get(path)
    if (before !== undefined || problem !== undefined) return before ?? ''
    if (open.has(path)) {
      problem = { path, problem: 'imports itself through another file. Move the shared code into a third file.' }
      return ''
    }
    open.add(path)
    let code = ''
    let at = 0
    for (const { start, end, to } of imports) {
      const target = to === undefined ? undefined : byPath.get(to)
      code += text.slice(at, start) + (target === undefined ? `${metaOf}()` : JSON.stringify(visit(target)))
      at = end
      if (code.length > mostCharacters) problem ??= { path, problem: 'is too large together with its imports.' }
      if (problem !== undefined) return ''
    }
    code += text.slice(at)
    open.delete(path)
    const isJson = path.endsWith('.json')
    // An error then shows the name of the file in place of its whole text.
    const named = isJson ? code : `${code}\n${metaOfFile(path, imports)}//# sourceURL=${pathToFileURL(path).href}`
    const url = `data:${isJson ? 'application/json' : 'text/javascript'};base64,${Buffer.from(named).toString('base64')}`
    known.set(path, url)
    return url
  }
  const [first] = files
  const url = first === undefined ? '' : visit(first)
  return problem ?? { url }
}

/** Name of the replacement of `import.meta`. It is hoisted, and code is unlikely to use the same name. */
const metaOf = 'importMetaOfConfigurationFile'

function metaOfFile(path: string, imports: readonly ModuleImport[]): string {
  if (imports.every(({ to }) => to !== undefined)) return ''
  return `function ${metaOf}() { return ${JSON.stringify({ url: pathToFileURL(path).href, filename: path, dirname: dirname(path) })} }\n`
}

/** Returns a replacement, a problem as a sentence, or undefined for an import that stays as it is. */
function importOf({ n: name, t, s, e, d, ss, se }: ImportSpecifier, path: string): ModuleImport | string | undefined {
  if (t === importMeta) return { start: ss, end: se, to: undefined }
  if (name === undefined)
    return 'imports a file whose name is known only when the code runs, so no one can agree to that file. Write the name of the file in the import.'
  if (isBuiltin(name)) return undefined
  // Another spelling of a path would be a different file here and the same file for Node.
  if (!/^\.\.?\/[^\0?#%\\]+$/.test(name))
    return `imports "${name}". Code that needs agreement may import only modules of Node and files beside it. Bundle the package into a file there.`
  if (!/\.(m?js|json)$/.test(name)) return `imports "${name}", which is not a .mjs, .js or .json file.`
  const to = posix.join(dirname(path), name)
  // For a dynamic import, the range includes the quotes.
  return d === -1 ? { start: s - 1, end: e + 1, to } : { start: s, end: e, to }
}

/** Value by which the lexer marks `import.meta`. */
const importMeta = 3

function textOf(path: string, within: string): string | Omit<ModuleProblem, 'path'> {
  const file = readWholeFileSync(path, { within: [within] })
  if (file === undefined) return { problem: 'does not exist.' }
  if ('problem' in file) return { problem: `cannot be read: ${file.problem.message}` }
  try {
    // A byte order mark is kept, because every byte is agreed to.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.bytes)
  } catch {
    return { problem: 'is not UTF-8.' }
  }
}

function labelOf(path: string): string {
  const plain = slashes(path)
  return plain.startsWith('.') ? plain : `./${plain}`
}

function offsetOf(error: unknown): number {
  return typeof error === 'object' && error !== null && 'idx' in error && typeof error.idx === 'number' ? error.idx : 0
}

function realPathOrGiven(path: string): string {
  try {
    return realPathOf(path) ?? path
  } catch {
    // Reading the file reports the problem.
    return path
  }
}
