import { SkillsError } from '@skills/core'
import { isInside } from '@skills/files/internal'
import { Root } from '@skills/state/writer'
import type { InstallPlace } from './place.js'

/**
 * Writes by absolute paths: `skills.json`, the lock, the common folder of skills, and the folders in which agents look.
 * In a project it writes nowhere else and follows no link. In a home folder it follows links, because they are the
 * user's own.
 */
export class PlaceWriter {
  readonly #roots: readonly Root[]

  /** @param folders folders in which agents look, relative to the base of the place */
  constructor({ scope, top, root, base, folder }: InstallPlace, folders: readonly string[]) {
    const relative = (path: string): string => path.slice(base.length + 1)
    const files = ['skills.json', 'skills.lock.json']
    this.#roots =
      scope === 'project'
        ? [new Root(base, { kind: 'project', top, places: [...files, relative(folder), ...folders] })]
        : [root, folder, ...folders.map(one => `${base}/${one}`)]
            .toSorted((one, other) => other.length - one.length)
            .map(path => new Root(path, { kind: 'person' }))
  }

  /** Makes many changes, and walks to each folder only once. */
  keeping<T>(act: () => T): T {
    for (const root of this.#roots) root.keep()
    try {
      return act()
    } finally {
      for (const root of this.#roots) root.release()
    }
  }

  /** Throws for a path that must not be written. */
  check(path: string): void {
    this.#at(path, (root, below) => root.check(below))
  }

  makeFolder(path: string): void {
    this.#at(path, (root, below) => root.makeFolder(below))
  }

  /** Returns a folder below as a root of its own. */
  folder(path: string): Root {
    return this.#at(path, (root, below) => root.folder(below))
  }

  write(path: string, text: string): void {
    this.#at(path, (root, below) => root.write(below, text, { replaces: 'ours' }))
  }

  link(path: string, target: string): void {
    this.#at(path, (root, below) => root.link(below, target))
  }

  /** Moves an entry. Throws `E_INSTALL_TAKEN` if the new place is taken. */
  move(from: string, to: string): void {
    this.#at(from, (source, old) =>
      this.#at(to, (target, below) => {
        if (!source.move(old, below, target))
          throw new SkillsError('E_INSTALL_TAKEN', `Another program put something at ${to} while this command ran.`, {
            hint: 'Look at that path, and try again.',
          })
      }),
    )
  }

  remove(path: string): void {
    this.#at(path, (root, below) => root.remove(below))
  }

  /** Flushes the names in a folder to the disk. */
  flush(folder: string): void {
    const root = this.#roots.find(one => isInside(folder, one.path))
    root?.flush(folder === root.path ? '' : folder.slice(root.path.length + 1))
  }

  removeAbandoned(folder: string, before: string): void {
    this.#at(`${folder}/x`, root =>
      root.removeAbandoned(folder === root.path ? '' : folder.slice(root.path.length + 1), before),
    )
  }

  #at<T>(path: string, act: (root: Root, below: string) => T): T {
    const root = this.#roots.find(one => path !== one.path && isInside(path, one.path))
    if (root !== undefined) return act(root, path.slice(root.path.length + 1))
    throw new SkillsError('E_INSTALL_UNSAFE', `${path} is not in a folder for skills.`, {
      hint: 'Restore skills.lock.json from git.',
    })
  }
}
