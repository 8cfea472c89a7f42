import { isJsonObject } from '@skills/files/internal'
import { isTemporaryName } from '@skills/state/internal'
import { npm, type NpmSurroundings } from './npm.js'

/** What npm puts into a package's tarball. */
export interface Packed {
  /** The tarball's name. */
  readonly filename: string
  /** Relative to the package, forward slashes. */
  readonly files: readonly string[]
}

/** Whether a file is being written at this moment, or was when its writer was killed: no package has it. */
export function isTemporaryPath(path: string): boolean {
  return path.split('/').some(isTemporaryName)
}

/**
 * The files that npm would publish of a folder, but for those that are only begun. Nothing is written, and no script of
 * the package is run.
 */
export async function listPacked(folder: string, npmIn: NpmSurroundings): Promise<Packed> {
  return packedOf(await npm(['pack', '--dry-run', '--json', '--ignore-scripts'], folder, npmIn))
}

export interface MakeOptions {
  readonly destination: string
  /** Whether the scripts that the package has for that are run. */
  readonly runsScripts: boolean
}

/** Makes the tarball of a folder in another one. */
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

/** What a script wrote may stand before it. Some versions give a list, others a record. */
function packedOf(output: string): Packed {
  const start = /^[[{]/m.exec(output)?.index ?? 0
  const given: unknown = JSON.parse(output.slice(start))
  const values: readonly unknown[] = Array.isArray(given) ? given : isJsonObject(given) ? Object.values(given) : []
  const [first] = values
  if (!isJsonObject(first) || typeof first['filename'] !== 'string' || !Array.isArray(first['files']))
    throw new Error('npm pack gave something that is not understood.')
  const files = first['files'].flatMap((file: unknown) =>
    isJsonObject(file) && typeof file['path'] === 'string' && !isTemporaryPath(file['path']) ? [file['path']] : [],
  )
  return { filename: first['filename'], files }
}
