import { statOf } from './real-path.js'
import { plainFolder } from './slashes.js'

/** Scope and name as npm allows them, and nothing that leads to another folder. */
const packageName = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i

export function isPackageName(name: string): boolean {
  return packageName.test(name)
}

/**
 * Returns the folder of an installed package as Node resolves it, from `folder` upward through `node_modules`. Imports
 * nothing. Returns undefined if the package is not installed.
 */
export function findPackage(name: string, folder: string): string | undefined {
  for (let at = plainFolder(folder); ; at = at.slice(0, at.lastIndexOf('/'))) {
    const path = `${at === '/' ? '' : at}/node_modules/${name}`
    if (statOf(`${path}/package.json`)?.isFile() === true) return path
    if (!at.includes('/') || at === '/') return undefined
  }
}
