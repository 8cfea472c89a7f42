import { dirname, posix, resolve } from 'node:path'
import { findPackage, isInside, isJsonObject, isPackageName, realFolders, slashes } from '@skills/files/internal'
import { findProjectFolders, readJsonFile } from '@skills/files'
import { userFolder, type ConfigurationHost } from './find-configuration.js'

/** A distribution that is named by the path of a module, or by a package. */
export interface NamedDistribution {
  readonly name: string
  /** What a relative path starts from, and from where a configuration's package is looked for upward; absolute. */
  readonly folder: string
  /** Who names it. Code of a project always has to be agreed to. */
  readonly from: 'user' | 'project' | 'command-line'
}

export interface DistributionPlace {
  /** Of the module, absolute, forward slashes; links on the way are not resolved. */
  readonly path: string
  /**
   * Real path of the folder that the module and all that it imports have to lie in, and that has to be trusted.
   * Undefined for the user's own, which is imported as their configuration is.
   */
  readonly within: string | undefined
}

/** Whether a distribution is named by a path: anything else is one of ours, or a package. */
export function isModulePath(name: string): boolean {
  return /^\.{0,2}[\\/]|^[a-z]:[\\/]|\.[cm]?[jt]s$/i.test(name)
}

/**
 * Where the module of a distribution lies; nothing of it is run. Undefined where the name is no path and no such
 * package is installed, and a sentence where it cannot be used.
 */
export function placeOfDistribution(
  host: ConfigurationHost,
  { name, folder, from }: NamedDistribution,
): DistributionPlace | { readonly problem: string } | undefined {
  const own = realFolder(userFolder(host))
  const besides = from === 'command-line' && own !== undefined ? moduleOf(name, own) : undefined
  const start = from === 'command-line' && !isModulePath(name) ? host.cwd : folder
  const found = moduleOf(name, start) ?? besides
  if (found === undefined || 'problem' in found) return found
  const { path } = found
  if (!/\.m?js$/.test(path)) return { problem: `${path} is no .mjs or .js.` }
  const real = realFolder(path)
  if (real === undefined) return { problem: `${path} is not there.` }
  if (from === 'user') {
    const home = realFolder(folder)
    if (home !== undefined && isInside(real, home)) return { path, within: undefined }
    return {
      problem: `${path} does not lie in the folder of the configuration: put it there, or name it on the command line.`,
    }
  }
  const { top } = findProjectFolders(host)
  const project = realFolder(top) ?? top
  if (from === 'project') return { path, within: project }
  // Where the home folder is taken for a project, what the user has in it is no part of one.
  const home = realFolder(host.home)
  const holdsHome = home !== undefined && isInside(home, project)
  if (isInside(real, project) && !holdsHome) return { path, within: project }
  if (own !== undefined && isInside(real, own)) return { path, within: undefined }
  if (!isModulePath(name))
    return { problem: `The package lies in ${dirname(real)}, outside of this project: name its file.` }
  const { top: other } = findProjectFolders({ ...host, cwd: dirname(real) })
  return { path, within: realFolder(other) ?? other }
}

function moduleOf(name: string, folder: string): { readonly path: string } | { readonly problem: string } | undefined {
  if (isModulePath(name)) return { path: slashes(resolve(folder, name)) }
  const installed = isPackageName(name) ? findPackage(name, folder) : undefined
  if (installed === undefined) return undefined
  const manifest = readJsonFile(`${installed}/package.json`, {
    code: 'invalid-configuration',
    what: 'The package file',
  })
  if (manifest !== undefined && !('data' in manifest)) return { problem: manifest.message }
  const { exports: exported, main = './index.js' } = manifest?.data ?? {}
  const entry =
    exported === undefined ? main : entryIn(isJsonObject(exported) && '.' in exported ? exported['.'] : exported)
  if (typeof entry !== 'string') return { problem: `${installed}/package.json names no module in "exports".` }
  const path = posix.join(installed, entry)
  return isInside(path, installed)
    ? { path }
    : { problem: `${installed}/package.json names a file outside of the package.` }
}

/** As Node does it for an import: the first condition that holds. */
function entryIn(target: unknown): unknown {
  if (!isJsonObject(target)) return target
  const holding = Object.keys(target).filter(key => ['node', 'import', 'default'].includes(key))
  return holding.map(key => entryIn(target[key])).find(one => one !== undefined)
}

/** Undefined for what is not there. */
function realFolder(path: string | undefined): string | undefined {
  return path === undefined || path === '' ? undefined : realFolders([path])[0]
}
