import { isJsonObject, standardManifest, statOf } from '@skills/files/internal'
import { lineOfPath } from '@skills/files'
import { unscoped, npmNameProblem } from './package-name.js'
import { hasManifest, readPackageFile, type PackageFile } from '@skills/inspect/internal'
import type { Diagnostic } from '@skills/core'

export interface CheckedPackage {
  readonly file: PackageFile | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Scripts that npm runs when a package is installed. */
const installScripts = ['preinstall', 'install', 'postinstall']

/**
 * Returns problems of a plugin's package file that keep npm from publishing it, or that make the published package
 * worse, such as a missing description.
 * @param real real path of the folder
 */
export async function checkPackage(
  folder: string,
  real: string,
  signal: AbortSignal | undefined,
): Promise<CheckedPackage> {
  const file = await readPackageFile(folder, real, signal)
  if (file === undefined) {
    return {
      file,
      diagnostics: [
        {
          severity: 'error',
          type: 'io',
          code: 'no-package',
          path: folder,
          message: `There is no package.json in ${folder}, so npm cannot publish it.`,
          hint: 'Add a package.json: skills plugin init.',
        },
      ],
    }
  }
  if ('severity' in file) return { file: undefined, diagnostics: [file] }
  const found: Diagnostic[] = []
  const say = (severity: Diagnostic['severity'], code: string, field: string, message: string, hint: string): void => {
    const line = lineOfPath(file.text, [field])
    found.push({
      severity,
      type: 'validation',
      code,
      path: file.path,
      field,
      ...(line === undefined ? {} : { line }),
      message,
      hint,
    })
  }
  const { name, version, description } = file.data
  if (typeof name !== 'string' || name === '')
    say('error', 'package-name', 'name', 'The package has no name.', 'Give the package a name, such as acme-tools.')
  else {
    const problem = npmNameProblem(name)
    if (problem !== undefined)
      say('error', 'package-name', 'name', problem, `Use another name, such as ${suggestion(name)}.`)
  }
  if (version === undefined)
    say('error', 'package-version', 'version', 'The package has no version.', 'Begin with "version": "0.1.0".')
  else if (typeof version !== 'string' || !semver.test(version))
    say(
      'error',
      'package-version',
      'version',
      `${JSON.stringify(version)} is not a version.`,
      'Write the version as three numbers, such as 0.1.0.',
    )
  if (typeof description !== 'string' || description.trim() === '')
    say(
      'warning',
      'package-description',
      'description',
      'The package has no description.',
      'Say in one sentence what its skills are for.',
    )
  if (file.data['private'] === true)
    say(
      'warning',
      'private-package',
      'private',
      'The package is private, so npm refuses to publish the package.',
      'To publish the package, remove "private".',
    )
  if (!hasManifest(file.data) && statOf(`${folder}/${standardManifest}`) === undefined) {
    say(
      'warning',
      'no-skills-paths',
      'skillsPaths',
      'The package does not say where its skills are.',
      'Add "skillsPaths": ["./skills"], so that programs recognize a package of skills.',
    )
  }
  const { scripts } = file.data
  const runs = isJsonObject(scripts) ? installScripts.filter(script => script in scripts) : []
  if (runs.length > 0)
    say(
      'warning',
      'install-script',
      'scripts',
      `Installing the package runs its script ${runs.join(' and ')}.`,
      'Remove the script: skills do not need it, and many people do not install packages with such scripts.',
    )
  return { file, diagnostics: found }
}

// Version as npm accepts it: three numbers, then a prerelease, then build metadata.
const semver =
  /^v?(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/

function suggestion(name: string): string {
  const plain = unscoped(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return plain === '' || npmNameProblem(plain) !== undefined ? 'acme-tools' : plain
}
