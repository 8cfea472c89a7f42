import { addFolder, Folder, FolderListing, skillFile, type Before } from './folder.js'
import { isFileSettled } from './file-identity.js'
import { isMarkdown, type Listing } from './listing.js'
import { followLink, isInside, statOf } from './real-path.js'
import { linkAgain, linkCycle } from './walk-problems.js'
import type { Diagnostic } from '@skills/core'
import type { Stats } from 'node:fs'
import type { TreeOptions } from './tree-options.js'

/** Makes the rows of listed folders: within the limits of the walk, and none of a folder that was reached before. */
export class FolderRows<T> {
  /** Whether anything that was known is gone. */
  hasLost = false
  readonly #options: TreeOptions<T>
  readonly #root: Folder<T>
  /** Real paths of folders reached through a link, and of the root: reaching one again would go on for ever. */
  readonly #reached = new Set<string>()
  #count: number

  constructor(options: TreeOptions<T>, root: Folder<T>) {
    this.#options = options
    this.#root = root
    this.#reached.add(root.realPath)
    this.#count = root.size
  }

  /** The rows of a folder: what is known of those that stay is taken over, what is gone is noted. */
  of(folder: Folder<T>, { listing: before, readAt }: Before<T>, stats: Stats, listed: Listing): FolderListing<T> {
    const found = listed.folders.filter(this.#isSearched)
    const links = listed.links.filter(this.#isSearched)
    const isTooDeep = folder.depth >= this.#options.depth
    const tooDeep = isTooDeep ? found.length + links.filter(name => statOf(`${folder.path}/${name}`)?.isDirectory() === true).length : 0
    const loose = this.#looseIn(folder, listed, links)
    const rows = new Map(before?.names.map((name, row) => [name, row]))
    const known = (name: string): Folder<T> | undefined => before?.folders.get(rows.get(name) ?? -1)
    const linked = new Map<string, Folder<T>>()
    for (const name of isTooDeep ? [] : links.filter(link => loose?.has(link) !== true)) {
      const target = this.#followFolder(folder, name, known(name))
      if (target !== undefined) linked.set(name, target)
    }
    /** Whether a name still means what it meant. */
    const stays = (name: string): boolean => {
      const link = linked.get(name)
      if (link !== undefined) return link === known(name)
      return rows.has(name) && known(name)?.isLink !== true && before?.loose?.has(name) === loose?.has(name)
    }
    const all = isTooDeep ? [] : found
    const wanted = linked.size === 0 && loose === undefined ? all : [...all, ...linked.keys(), ...loose ?? []].sort()
    const still = new Set(before === undefined ? [] : wanted.filter(stays))
    this.#forget(before, name => still.has(name))

    let room = this.#options.folders - this.#count
    // Those that are known have their place already.
    const isOwn = (name: string): boolean => name === skillFile && loose?.has(name) === true
    const names = still.size > 0 || wanted.length > room ? wanted.filter(name => still.has(name) || isOwn(name) || room-- > 0) : wanted
    this.#count += names.length - still.size - (loose?.has(skillFile) === true && !still.has(skillFile) ? 1 : 0)
    const listing = new FolderListing<T>(names, stats, links.length > 0, tooDeep, wanted.length - names.length, loose)
    for (const [row, name] of linked.size + still.size === 0 ? [] : names.entries()) {
      const child = linked.get(name) ?? (still.has(name) ? known(name) : undefined)
      const beforeRow = rows.get(name) ?? -1
      if (child !== undefined) listing.folders.set(row, child)
      else if (still.has(name)) {
        const file = before?.files[beforeRow]
        listing.items[row] = before?.items[beforeRow]
        listing.files[row] = file
        // The folder is listed now, but what may have changed within the tick of its clock was read before, and has to say so itself.
        if (file !== undefined && !isFileSettled(file, readAt)) addFolder(folder, listing, row).readAt = readAt
      }
    }
    return listing
  }

  readonly #isSearched = (name: string): boolean => {
    const { skipped } = this.#options
    return !(name.startsWith('.') && skipped.includes('hidden')) && !(name === 'node_modules' && skipped.includes('node_modules'))
  }

  /** The Markdown files that are read by themselves, links to such among them. */
  #looseIn(folder: Folder<T>, listed: Listing, links: readonly string[]): ReadonlySet<string> | undefined {
    if (this.#options.nested === true) return new Set(folder === this.#root && this.#options.mayBeSkill !== true ? [] : listed.skillFiles.filter(name => name === skillFile))
    if (this.#options.loose !== true) return undefined
    const linked = links.filter(name => isMarkdown(name) && statOf(`${folder.path}/${name}`)?.isDirectory() !== true)
    return new Set([...listed.loose.filter(this.#isSearched), ...linked])
  }

  /** Notes that the rows of an earlier listing are gone, but for those that stay. */
  #forget(before: FolderListing<T> | undefined, stays: (name: string) => boolean): void {
    for (const [row, name] of before?.names.entries() ?? []) {
      if (stays(name)) continue
      if (before?.hasContent(row) === true) this.hasLost = true
      const isOwn = before?.names[row] === skillFile && before.loose?.has(skillFile) === true
      this.#count -= isOwn ? 0 : before?.folders.get(row)?.size ?? 1
    }
  }

  #followFolder(parent: Folder<T>, name: string, known: Folder<T> | undefined): Folder<T> | undefined {
    const path = `${parent.path}/${name}`
    const target = followLink(path, this.#options.within)
    const complain = (diagnostic: Diagnostic): undefined => {
      parent.problems = [...parent.problems, { ...diagnostic, name }]
      return undefined
    }
    if ('problem' in target) return complain(target.problem)
    const { realPath } = target
    if (statOf(realPath)?.isDirectory() !== true) return undefined
    if (isInside(parent.realPath, realPath)) return complain(linkCycle(path, realPath))
    if (this.#reached.has(realPath)) return complain(linkAgain(path, realPath))
    this.#reached.add(realPath)
    return known?.isLink === true && known.realPath === realPath ? known : new Folder<T>(name, path, realPath, parent.depth + 1, true)
  }

  /** Notes where the links below a folder lead that is not looked at this time. */
  reach(folder: Folder<T>): void {
    if (folder.isLink) this.#reached.add(folder.realPath)
    for (const child of folder.listing?.folders.values() ?? []) this.reach(child)
  }
}
