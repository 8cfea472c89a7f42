import { isInside } from '@skills/store'
import type { Way } from './watch-way.js'

/** Path that was asked for, or link that was found below one. */
export interface Entry {
  /** Path as given; for a link the real path of the link itself. */
  readonly at: string
  readonly isLink: boolean
  /** Undefined until it was resolved, and for a link that is not followed. */
  way: Way | undefined
}

/** All paths and links whose parent folders are watched. */
export class WatchedEntries {
  readonly #targets = new Map<string, Entry>()
  readonly #links = new Map<string, Entry>()

  get targets(): readonly Entry[] {
    return [...this.#targets.values()]
  }

  get links(): readonly Entry[] {
    return [...this.#links.values()]
  }

  get all(): readonly Entry[] {
    return [...this.#targets.values(), ...this.#links.values()]
  }

  /** Replaces the targets. Returns those that are new. */
  setTargets(paths: ReadonlySet<string>): readonly Entry[] {
    for (const path of this.#targets.keys()) if (!paths.has(path)) this.#targets.delete(path)
    const added = [...paths]
      .filter(path => !this.#targets.has(path))
      .map((at): Entry => ({ at, isLink: false, way: undefined }))
    for (const entry of added) this.#targets.set(entry.at, entry)
    return added
  }

  /** Adds a link. Returns undefined if it is known. */
  addLink(at: string): Entry | undefined {
    if (this.#links.has(at)) return undefined
    const link: Entry = { at, isLink: true, way: undefined }
    this.#links.set(at, link)
    return link
  }

  removeLink({ at }: Entry): void {
    this.#links.delete(at)
  }

  /** Returns true if the entry was neither removed nor replaced. */
  has(entry: Entry): boolean {
    return (entry.isLink ? this.#links : this.#targets).get(entry.at) === entry
  }

  /** Returns the entries whose way leads through this name in a folder; through any name if none is given. */
  through(folder: string, name: string | undefined): readonly Entry[] {
    return this.all.filter(({ way }) =>
      way?.steps.some(step => step.folder === folder && (name === undefined || step.name === name)),
    )
  }

  /** Returns every path by which a real path is reached from the targets. */
  reached(path: string, used: readonly Entry[] = []): readonly string[] {
    return this.all.flatMap(entry => {
      const realPath = entry.way?.realPath
      if (realPath === undefined || used.includes(entry) || !isInside(path, realPath)) return []
      const rest = path.slice(realPath.length)
      // Uses each link once, because one that leads back would never end.
      return entry.isLink ? this.reached(entry.at, [...used, entry]).map(at => at + rest) : [entry.at + rest]
    })
  }
}
