import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { build, type Metafile } from 'esbuild'
import ts from 'typescript'
import type { WorkspacePackage } from '../workspace.mjs'

const quiet = {
  bundle: true,
  write: false,
  metafile: true,
  format: 'esm',
  platform: 'node',
  logLevel: 'silent',
} as const

/** @throws if the package is not built, because a check of nothing must not pass */
export function builtFiles({ folder, directory }: WorkspacePackage): string[] {
  const dist = path.join(directory, 'dist')
  const files = existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: 'utf8' }) : []
  if (!files.some(file => file.endsWith('.js')))
    throw new Error(`${folder}/dist is missing: run npm test, which builds first`)
  return files.map(file => path.join(dist, file))
}

/** Returns the imports of other packages in the built code and the built types. */
export async function builtImports(room: WorkspacePackage): Promise<Set<string>> {
  const files = builtFiles(room)
  const { metafile } = await build({
    ...quiet,
    entryPoints: files.filter(file => file.endsWith('.js')),
    packages: 'external',
    outdir: path.join(room.directory, 'dist'),
  })
  return new Set([...externalImports(metafile), ...files.filter(file => file.endsWith('.d.ts')).flatMap(typeImports)])
}

/**
 * Returns the files that the package's bundle contains, found with the bundler of the build. A package that is neither
 * a dependency nor a peer dependency is inlined and does not appear among the imports.
 * @returns paths from the package's folder, with forward slashes
 */
export async function bundledFiles({ directory, manifest }: WorkspacePackage): Promise<string[]> {
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  const { metafile } = await build({
    ...quiet,
    absWorkingDir: directory,
    entryPoints: entrySources(manifest.exports).map(file => path.join(directory, file)),
    external: installed.flatMap(name => [name, `${name}/*`]),
    outdir: path.join(directory, 'dist'),
  })
  return Object.keys(metafile.inputs)
}

/**
 * Bundles everything that `code` imports into one script, as it would be deployed.
 * @param without names of packages that are not bundled
 */
export async function bundle(
  code: string,
  resolveDir: string,
  { minify = false, without = [] as readonly string[] } = {},
): Promise<string> {
  const result = await build({ ...quiet, stdin: { contents: code, resolveDir }, minify, external: [...without] })
  return result.outputFiles[0]?.text ?? ''
}

export function packageOf(specifier: string): string | undefined {
  if (builtinModules.includes(specifier) || specifier.startsWith('node:')) return undefined
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function externalImports({ inputs }: Metafile): string[] {
  return Object.values(inputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(each => each.path),
  )
}

function typeImports(file: string): string[] {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter(specifier => !specifier.startsWith('.'))
}

/** Returns the sources from which a package's `exports` are built: `./dist/x.js` comes from `src/x.ts`. */
export function entrySources(exported: unknown): string[] {
  if (typeof exported === 'string') {
    const name = /^\.\/dist\/(.+)\.js$/.exec(exported)?.[1]
    return name === undefined ? [] : [`src/${name}.ts`]
  }
  return Object.values(exported ?? {}).flatMap(entrySources)
}
