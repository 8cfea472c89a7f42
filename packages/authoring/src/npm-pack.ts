import { isJsonObject } from '@skills/files/internal'
import { isTemporaryName } from '@skills/state/internal'
import { npm, type NpmSurroundings } from './npm.js'

/** Tarball of a package, as `npm pack --json` reports it. */
export interface Packed {
  /** File name of the tarball. */
  readonly filename: string
  /** Files in the tarball, relative to the package, with forward slashes. */
  readonly files: readonly string[]
}

/**
 * Returns true for a file that is still being written or that a killed writer left. No package includes such a file.
 */
export function isTemporaryPath(path: string): boolean {
  return path.split('/').some(isTemporaryName)
}

/**
 * Returns the files that npm would publish from a folder, without temporary files. Writes nothing and runs no script of
 * the package.
 */
export async function listPacked(folder: string, npmIn: NpmSurroundings): Promise<Packed> {
  return packedOf(await npm(['pack', '--dry-run', '--json', '--ignore-scripts'], folder, npmIn))
}

export interface MakeOptions {
  readonly destination: string
  /** True if npm runs the package's own pack scripts, such as `prepack`. */
  readonly runsScripts: boolean
}

/** Packs a folder into a tarball in the folder `destination`. */
export async function makePacked(
  folder: string,
  { destination, runsScripts }: MakeOptions,
  npmIn: NpmSurroundings,
): Promise<Packed> {
  return packedOf(
    await npm(
      ['pack', '--json', '--pack-destination', destination, ...(runsScripts ? [] : ['--ignore-scripts'])],
      folder,
      npmIn,
    ),
  )
}

/**
 * Parses the output of `npm pack --json`. Output of a script may precede the JSON. Some versions of npm print a list,
 * others an object.
 */
function packedOf(output: string): Packed {
  const start = /^[[{]/m.exec(output)?.index ?? 0
  const given: unknown = JSON.parse(output.slice(start))
  const values: readonly unknown[] = Array.isArray(given) ? given : isJsonObject(given) ? Object.values(given) : []
  const [first] = values
  if (!isJsonObject(first) || typeof first['filename'] !== 'string' || !Array.isArray(first['files']))
    throw new Error('npm pack gave output that is not understood.')
  const files = first['files'].flatMap((file: unknown) =>
    isJsonObject(file) && typeof file['path'] === 'string' && !isTemporaryPath(file['path']) ? [file['path']] : [],
  )
  return { filename: first['filename'], files }
}
