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

/** @throws when the package is not built: a check of nothing must not pass */
export function builtFiles({ folder, directory }: WorkspacePackage): string[] {
  const dist = path.join(directory, 'dist')
  const files = existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: 'utf8' }) : []
  if (!files.some(file => file.endsWith('.js')))
    throw new Error(`${folder}/dist is missing: run npm test, which builds first`)
  return files.map(file => path.join(dist, file))
}

/** Module specifiers that leave the package, in its built code and in its built types. */
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
 * Files that the package's bundle takes in, found as the bundler of the build finds them: what is neither a dependency
 * nor a peer is inlined, and no longer shows among the imports.
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
 * One script of everything that `code` imports, as it would be deployed: nothing left to install.
 * @param without names of packages that are not put in
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

/** The sources that a package's `exports` are built from: `./dist/x.js` comes from `src/x.ts`. */
export function entrySources(exported: unknown): string[] {
  if (typeof exported === 'string') {
    const name = /^\.\/dist\/(.+)\.js$/.exec(exported)?.[1]
    return name === undefined ? [] : [`src/${name}.ts`]
  }
  return Object.values(exported ?? {}).flatMap(entrySources)
}
