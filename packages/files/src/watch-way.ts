import { isAbsolute, parse } from 'node:path'
import { lstatOf, targetOf } from './real-path.js'
import { slashes } from './slashes.js'

/** Folder on the way to a path, and the name in it of the next step. */
export interface WayStep {
  /** Real path. */
  readonly folder: string
  readonly name: string
}

/** Way to a path: the folders it leads through, including those of links, and its target. */
export interface Way {
  /** Steps as far as something exists. If there is no real path, the last one names the missing entry. */
  readonly steps: readonly WayStep[]
  /** Undefined if nothing is there. */
  readonly realPath: string | undefined
}

/** Most links that Linux follows. */
const mostLinks = 40

/**
 * Resolves a path step by step. A watch on each step notices every change after which the path leads elsewhere, exists
 * or is missing.
 */
export function wayTo(path: string): Way {
  const steps: WayStep[] = []
  let links = 0
  let at = rootOf(path)
  const rest = namesIn(path)
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '..') {
      at = at.slice(0, at.lastIndexOf('/')) || rootOf(at)
      continue
    }
    steps.push({ folder: at, name })
    const next = at.endsWith('/') ? `${at}${name}` : `${at}/${name}`
    const stats = lstatOf(next)
    if (stats === undefined) return { steps, realPath: undefined }
    if (!stats.isSymbolicLink()) {
      at = next
      continue
    }
    const target = targetOf(next)
    if (target === undefined || ++links > mostLinks) return { steps, realPath: undefined }
    if (isAbsolute(target)) at = rootOf(target)
    rest.unshift(...namesIn(target))
  }
  return { steps, realPath: at }
}

export function isSameWay(a: Way, b: Way): boolean {
  return (
    a.realPath === b.realPath &&
    a.steps.length === b.steps.length &&
    a.steps.every(({ folder, name }, at) => folder === b.steps[at]?.folder && name === b.steps[at].name)
  )
}

function rootOf(path: string): string {
  return slashes(parse(path).root)
}

function namesIn(path: string): string[] {
  return slashes(path.slice(parse(path).root.length))
    .split('/')
    .filter(name => name !== '' && name !== '.')
}
