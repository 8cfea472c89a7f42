import { resolve } from 'node:path'
import { findProjectFolders } from '@skills/files'
import { isInside, realPathOf, slashes } from '@skills/files/internal'
import type { Host } from '@skills/core'

/** Most files that are remembered for skills that come later. A session seldom touches a tenth of them. */
const mostFiles = 10_000
/** Deepest file that can match, in folders: the cost of patterns grows with a power of the depth. */
const mostFolders = 32

/** Working folder with every name that a path may use for it. Nothing is read before the first call of a method. */
export class WorkingFolder {
  #names: readonly [string, ...string[]] | undefined

  constructor(private readonly host: Host) {}

  /** Absolute path with forward slashes. */
  get path(): string {
    return this.#known()[0]
  }

  /**
   * Returns a path relative to the folder, with forward slashes. Undefined for the folder itself, for paths outside,
   * and for text that cannot be a path.
   */
  relative(given: string): string | undefined {
    if (given.includes('\0')) return undefined
    const names = this.#known()
    const path = slashes(resolve(names[0], given))
    const base = names.find(name => path !== name && isInside(path, name))
    return base === undefined ? undefined : path.slice(base === '/' ? 1 : base.length + 1)
  }

  #known(): readonly [string, ...string[]] {
    if (this.#names === undefined) {
      // The host's folder may be given as a file in it.
      const {
        folders: [path = this.host.cwd],
      } = findProjectFolders(this.host)
      this.#names = [path, ...realName(path)]
    }
    return this.#names
  }
}

/** Returns the real path of the folder if it differs: a host may know a link, and its tools the real path. */
function realName(path: string): readonly string[] {
  try {
    const real = realPathOf(path)
    return real === undefined || real === path ? [] : [real]
  } catch {
    // A folder that cannot be resolved has no second name; the reader reports why.
    return []
  }
}

/** Touched files of the working folder, each once, in the order in which they were first touched. */
export class TouchedFiles {
  /** Paths relative to the working folder. */
  readonly paths: string[] = []
  readonly #known = new Set<string>()

  constructor(private readonly folder: WorkingFolder) {}

  /** True if new files are no longer remembered. */
  get isFull(): boolean {
    return this.paths.length >= mostFiles
  }

  /** Adds paths, and returns those that are new. */
  add(paths: readonly string[]): readonly string[] {
    const fresh: string[] = []
    for (const path of paths) {
      const file = this.folder.relative(path)
      if (file === undefined || this.#known.has(file) || file.split('/').length - 1 > mostFolders) continue
      fresh.push(file)
      if (this.isFull) continue
      this.#known.add(file)
      this.paths.push(file)
    }
    return fresh
  }
}
