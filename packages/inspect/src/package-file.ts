import { messageOf, type Diagnostic, type FileIdentity } from '@skills/core'
import { isJsonObject, placeOfJsonError, type JsonErrorPlace, parseJson } from '@skills/files/internal'
import { readWholeFile } from '@skills/files'

/** `package.json` that holds an object. */
export interface PackageFile {
  /** Absolute, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
  readonly identity: FileIdentity
}

/**
 * Reads the `package.json` of a folder. Returns undefined if there is none, and a diagnostic if it is anything but a
 * JSON object.
 * @param real real path of the folder, which a link must not lead out of
 */
export async function readPackageFile(
  folder: string,
  real: string,
  signal: AbortSignal | undefined,
): Promise<PackageFile | Diagnostic | undefined> {
  const path = `${folder}/package.json`
  const file = await readWholeFile(path, { within: [real], signal })
  if (file === undefined) return undefined
  if ('problem' in file) return file.problem
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.bytes)
    const data: unknown = parseJson(text.replace(/^\ufeff/, ''))
    return isJsonObject(data) ? { path, text, data, identity: file.identity } : invalid(path, 'must be an object')
  } catch (error) {
    return invalid(path, `is not JSON: ${messageOf(error).replace(/\.$/, '')}`, placeOfJsonError(file.bytes.toString()))
  }
}

function invalid(path: string, message: string, place?: JsonErrorPlace): Diagnostic {
  return {
    severity: 'error',
    type: 'parse',
    code: 'invalid-package',
    path,
    ...place,
    message: `The package file ${message}.`,
    hint: 'Correct the file.',
  }
}

/** Returns true if the package file itself names the folders of its skills. */
export function hasManifest(data: Readonly<Record<string, unknown>>): boolean {
  return isJsonObject(data['skills']) || data['skillsPath'] !== undefined || data['skillsPaths'] !== undefined
}
