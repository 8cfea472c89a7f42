import { dirname, posix, resolve } from 'node:path'
import {
  findPackage,
  isInside,
  isJsonObject,
  isPackageName,
  realFolders,
  slashes,
  userConfigurationFolder,
} from '@skills/files/internal'
import { findProjectFolders, readJsonFile } from '@skills/files'
import type { ConfigurationHost } from './find-configuration.js'

/** Distribution that is given by the path of a module or the name of a package. */
export interface NamedDistribution {
  readonly name: string
  /** Absolute folder from which a relative path is resolved, and from which a package is searched upward. */
  readonly folder: string
  /** Who names it. Code of a project always has to be agreed to. */
  readonly from: 'user' | 'project' | 'command-line'
}

export interface DistributionPlace {
  /** Absolute path of the module, with forward slashes and unresolved links. */
  readonly path: string
  /**
   * Real path of the folder that has to contain the module and all its imports, and that has to be trusted. Undefined
   * for the user's own module, which is imported like their configuration.
   */
  readonly within: string | undefined
}

/** True if a name is a path. Any other name is a distribution of this project, or a package. */
export function isModulePath(name: string): boolean {
  return /^\.{0,2}[\\/]|^[a-z]:[\\/]|\.[cm]?[jt]s$/i.test(name)
}

/**
 * Finds the module of a distribution without running it. Returns undefined if the name is not a path and no such
 * package is installed, and a problem if the module cannot be used.
 */
export function placeOfDistribution(
  host: ConfigurationHost,
  { name, folder, from }: NamedDistribution,
): DistributionPlace | { readonly problem: string } | undefined {
  const own = realFolder(userConfigurationFolder(host))
  const besides = from === 'command-line' && own !== undefined ? moduleOf(name, own) : undefined
  const start = from === 'command-line' && !isModulePath(name) ? host.cwd : folder
  const found = moduleOf(name, start) ?? besides
  if (found === undefined || 'problem' in found) return found
  const { path } = found
  if (!/\.m?js$/.test(path)) return { problem: `${path} is not a .mjs or .js file.` }
  const real = realFolder(path)
  if (real === undefined) return { problem: `${path} does not exist.` }
  if (from === 'user') {
    const home = realFolder(folder)
    if (home !== undefined && isInside(real, home)) return { path, within: undefined }
    return {
      problem: `${path} is not in the folder of the configuration: move the file there, or name it on the command line.`,
    }
  }
  const { top } = findProjectFolders(host)
  const project = realFolder(top) ?? top
  if (from === 'project') return { path, within: project }
  // If the home folder is inside the project, the user's own files in it are not part of the project.
  const home = realFolder(host.home)
  const holdsHome = home !== undefined && isInside(home, project)
  if (isInside(real, project) && !holdsHome) return { path, within: project }
  if (own !== undefined && isInside(real, own)) return { path, within: undefined }
  if (!isModulePath(name))
    return {
      problem: `The package is in ${dirname(real)}, outside this project: name the file of the package instead.`,
    }
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
  if (typeof entry !== 'string') return { problem: `${installed}/package.json does not name a module in "exports".` }
  const path = posix.join(installed, entry)
  return isInside(path, installed)
    ? { path }
    : { problem: `${installed}/package.json names a file outside the package.` }
}

/** Resolves conditional exports as Node does for an import: the first matching condition. */
function entryIn(target: unknown): unknown {
  if (!isJsonObject(target)) return target
  const holding = Object.keys(target).filter(key => ['node', 'import', 'default'].includes(key))
  return holding.map(key => entryIn(target[key])).find(one => one !== undefined)
}

/** Returns the real path of a folder. Undefined if it does not exist. */
function realFolder(path: string | undefined): string | undefined {
  return path === undefined || path === '' ? undefined : realFolders([path])[0]
}
