import { isInside } from '@skills/store'
import type { Way } from './watch-way.js'

/** A path that was asked for, or a link that was found below one. */
export interface Entry {
  /** As given; of a link its real path but for itself. */
  readonly at: string
  readonly isLink: boolean
  /** Undefined until it was looked at, and for a link that is not to be followed. */
  way: Way | undefined
}

/** Everything whose way is watched. */
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

  /** Makes these the targets; gives those that are new. */
  setTargets(paths: ReadonlySet<string>): readonly Entry[] {
    for (const path of this.#targets.keys()) if (!paths.has(path)) this.#targets.delete(path)
    const added = [...paths]
      .filter(path => !this.#targets.has(path))
      .map((at): Entry => ({ at, isLink: false, way: undefined }))
    for (const entry of added) this.#targets.set(entry.at, entry)
    return added
  }

  /** Undefined for a link that is known. */
  addLink(at: string): Entry | undefined {
    if (this.#links.has(at)) return undefined
    const link: Entry = { at, isLink: true, way: undefined }
    this.#links.set(at, link)
    return link
  }

  removeLink({ at }: Entry): void {
    this.#links.delete(at)
  }

  /** Whether it was not removed, nor another one put in its place. */
  has(entry: Entry): boolean {
    return (entry.isLink ? this.#links : this.#targets).get(entry.at) === entry
  }

  /** Those on whose way this name of a folder is; every name of it when none is given. */
  through(folder: string, name: string | undefined): readonly Entry[] {
    return this.all.filter(({ way }) =>
      way?.steps.some(step => step.folder === folder && (name === undefined || step.name === name)),
    )
  }

  /** A real path as it is reached from the targets, in every way there is. */
  reached(path: string, used: readonly Entry[] = []): readonly string[] {
    return this.all.flatMap(entry => {
      const realPath = entry.way?.realPath
      if (realPath === undefined || used.includes(entry) || !isInside(path, realPath)) return []
      const rest = path.slice(realPath.length)
      // Each link once, or one that leads back would go on for ever.
      return entry.isLink ? this.reached(entry.at, [...used, entry]).map(at => at + rest) : [entry.at + rest]
    })
  }
}
