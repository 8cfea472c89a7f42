import { isAbsolute, parse } from 'node:path'
import { lstatOf, targetOf } from './real-path.js'
import { slashes } from './slashes.js'

/** A folder that is passed on the way to a path, and the name in it that leads on. */
export interface WayStep {
  /** Real path. */
  readonly folder: string
  readonly name: string
}

/** How a path is reached: through which folders, those of links on the way included, and where it leads to at last. */
export interface Way {
  /** As far as there is anything; the last one names what is missing when there is no real path. */
  readonly steps: readonly WayStep[]
  /** Undefined when there is nothing there. */
  readonly realPath: string | undefined
}

/** As many links as Linux follows. */
const mostLinks = 40

/** A watch of each step of the way sees every change that makes the path lead elsewhere, or come and go. */
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
