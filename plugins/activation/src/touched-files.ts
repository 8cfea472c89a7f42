import { resolve } from 'node:path'
import { findProjectFolders } from '@skills/files'
import { isInside, realPathOf, slashes } from '@skills/files/internal'
import type { Host } from '@skills/core'

/** Files that are remembered for skills that come later; a session seldom touches a tenth of them. */
const mostFiles = 10_000
/** A file that lies deeper matches nothing: what patterns cost grows with the depth by a power. */
const mostFolders = 32

/** The working folder, by every name that a path may have it under. Nothing is looked at before it is asked. */
export class WorkingFolder {
  #names: readonly [string, ...string[]] | undefined

  constructor(private readonly host: Host) {}

  /** Absolute, forward slashes. */
  get path(): string {
    return this.#known()[0]
  }

  /**
   * A path relative to it, forward slashes; undefined for the folder itself, what lies outside, and what can be no
   * path.
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
      // It may be named as a file in it.
      const {
        folders: [path = this.host.cwd],
      } = findProjectFolders(this.host)
      this.#names = [path, ...realName(path)]
    }
    return this.#names
  }
}

/** A host may know the folder through a link, and its tools by the real path. */
function realName(path: string): readonly string[] {
  try {
    const real = realPathOf(path)
    return real === undefined || real === path ? [] : [real]
  } catch {
    // A folder that cannot be resolved has no second name; the reader reports why.
    return []
  }
}

/** The files of the working folder that were touched, in order, each once. */
export class TouchedFiles {
  /** Relative to the working folder. */
  readonly paths: string[] = []
  readonly #known = new Set<string>()

  constructor(private readonly folder: WorkingFolder) {}

  /** Whether what is new is not remembered any more. */
  get isFull(): boolean {
    return this.paths.length >= mostFiles
  }

  /** Gives those of the paths that it did not know. */
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
