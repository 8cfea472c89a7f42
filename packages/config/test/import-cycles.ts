import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/** Returns the source files of a folder, each with the local files that it imports: values, types, or on use. */
function importsIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file),
  )
  return new Map(
    files.map(file => {
      const { importedFiles } = ts.preProcessFile(readFileSync(path.join(folder, file), 'utf8'))
      const own = importedFiles
        .filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => path.join(path.dirname(file), fileName).replace(/\.js$/, '.ts'))
      return [file, own.filter(each => files.includes(each))]
    }),
  )
}

/** Returns each import cycle among the source files of a folder, as `a.ts → b.ts → a.ts`. */
export function importCycles(folder: string): readonly string[] {
  const imports = importsIn(folder)
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, above: readonly string[]): void => {
    const at = above.indexOf(file)
    if (at >= 0) cycles.push([...above.slice(at), file].join(' → '))
    if (at >= 0 || done.has(file)) return
    for (const each of imports.get(file) ?? []) visit(each, [...above, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return cycles
}
