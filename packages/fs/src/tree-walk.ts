import { statSync, type Stats } from 'node:fs'
import { abortError, type Diagnostic, type FileIdentity } from '@skills/core'
import { Folder, FolderListing, skillFile } from './folder.js'
import { identityOf, isFileSettled, isSettled, isUnchanged } from './file-identity.js'
import { ioProblem, systemCode } from './problem.js'
import { followLink, isInside, lstatOf, statOf } from './real-path.js'
import { isMarkdown, listFolder, looseName, type Listing } from './listing.js'
import { Pace } from './pace.js'
import { unsharedReads, type FileReads, type Head, type Probe } from './probe.js'
import { Reading } from './reading.js'
import { fileTooLarge, linkAgain, linkCycle, notAFile, otherCase, skillAtRoot, unopenableName } from './walk-problems.js'
import type { TreeOptions } from './tree-options.js'

/** Files that are read at one time where reading is slow. */
const sideBySide = 16

/** What a folder held before it is looked at anew. */
interface Before<T> {
  readonly item: T | undefined
  readonly file: FileIdentity | undefined
  readonly readAt: number
  readonly via: string | undefined
  readonly problems: readonly Diagnostic[]
  readonly listing: FolderListing<T> | undefined
  readonly leftOut: number
}

const unseen: Before<never> = Object.freeze({ item: undefined, file: undefined, readAt: Number.NaN, via: undefined, problems: [], listing: undefined, leftOut: 0 })
const nothing: Probe = Object.freeze({ found: 'nothing' })

/** How far a walk is through the rows of a folder. */
interface Cursor<T> {
  readonly folder: Folder<T>
  readonly listing: FolderListing<T>
  row: number
}

/** One walk over a tree of folders, new or known. Folders that are as they were are passed over. */
export class TreeWalk<T> {
  /** Whether anything is other than before the walk. */
  hasChanged = false
  /** Files of which anything was read. */
  filesRead = 0
  foldersListed = 0
  readonly #options: TreeOptions<T>
  readonly #root: Folder<T>
  /** Only what lies at, under or above these counts; undefined: everything. */
  readonly #paths: readonly string[] | undefined
  readonly #signal: AbortSignal
  readonly #pace: Pace
  readonly #reads: FileReads
  /** The folders that are being gone through, the innermost last: they are met in order, so that a limit always leaves out the same ones. */
  readonly #cursors: Cursor<T>[] = []
  /** What was begun before its turn. */
  readonly #ahead = new Map<Folder<T>, { readonly before: Before<T> | undefined; readonly probe: Probe | Promise<Probe> }>()
  /** Real paths of folders reached through a link, and of the root: reaching one again would go on for ever. */
  readonly #reached = new Set<string>()
  #count = 0
  /** Whether the last folder had a plain skill file, so that the next one probably has. */
  #isSkillLikely = true
  /** Asking the signal for each file would be a good part of the work. */
  #isAborted = false

  constructor(options: TreeOptions<T>, root: Folder<T>, paths: readonly string[] | undefined, signal: AbortSignal) {
    this.#options = options
    this.#root = root
    this.#paths = paths
    this.#signal = signal
    this.#pace = new Pace(options.reads === 'callbacks')
    this.#reads = options.sharedReads ?? unsharedReads
  }

  /** Rejects with an `AbortError` when the signal aborts; the tree is then half seen and must be dropped. */
  async run(onProgress: (done: number) => void): Promise<void> {
    const onAbort = (): void => {
      this.#isAborted = true
    }
    if (this.#signal.aborted) throw abortError(this.#signal)
    this.#signal.addEventListener('abort', onAbort, { once: true })
    this.#reached.add(this.#root.realPath)
    this.#count = this.#root.size
    let done = 0
    try {
      const settled = this.#visit(this.#root)
      if (settled !== undefined) await settled
      for (let cursor = this.#cursors.at(-1); cursor !== undefined; cursor = this.#cursors.at(-1)) {
        if (this.#isAborted) throw abortError(this.#signal)
        if (this.#pace.isSlow) this.#readAhead()
        if (cursor.row === cursor.listing.names.length) {
          this.#cursors.pop()
          continue
        }
        if (++done % 500 === 0) onProgress(done)
        const { filesRead, foldersListed } = this
        const met = this.#meet(cursor, cursor.row++)
        if (met !== undefined) await met
        const isKept = filesRead === this.filesRead && foldersListed === this.foldersListed
        if (isKept ? this.#pace.endKept() : this.#pace.endRead()) await this.#pace.giveWay()
      }
    } finally {
      this.#signal.removeEventListener('abort', onAbort)
      // No file stays open longer than the walk.
      for (const { probe } of this.#ahead.values()) await probe
    }
  }

  /** Looks at one row of a folder. */
  #meet({ folder, listing }: Cursor<T>, row: number): Promise<void> | undefined {
    const child = listing.folders.size === 0 ? undefined : listing.folders.get(row)
    if (this.#paths !== undefined && !this.#isConcerned(folder, listing, row)) {
      if (child !== undefined) this.#reach(child)
      return undefined
    }
    if (child !== undefined) return this.#ahead.has(child) ? this.#visitSlowly(child) : this.#visit(child)
    const file = listing.files[row]
    if (file === undefined) return this.#readRow(folder, listing, row)
    const item = listing.items[row]
    const isKept = this.#isFileKept(file, folder.readAt) && (item === undefined || this.#options.isCurrent?.(item) !== false)
    return isKept ? undefined : this.#visit(this.#addFolder(folder, listing, row))
  }

  /** Looks at a folder for the first time. */
  #readRow(folder: Folder<T>, listing: FolderListing<T>, row: number): Promise<void> | undefined {
    const reading = this.#reading
    const name = listing.names[row] ?? ''
    const isLoose = listing.loose?.has(name) === true
    if (this.#options.nested === true && !isLoose) {
      const child = this.#addFolder(folder, listing, row)
      return this.#settle(child, this.#begin(child) ?? unseen, nothing)
    }
    reading.name = isLoose ? looseName(name, folder.name) : name
    reading.path = isLoose ? `${folder.path}/${name}` : `${folder.path}/${name}/${skillFile}`
    this.#item = undefined
    const probe = this.#reads.probeSync(reading.path, this.#isSkillLikely, this.#options.fileBytes, this.#take, folder)
    this.#isSkillLikely = probe.found === 'file'
    if (probe.found === 'file') {
      listing.items[row] = this.#item
      listing.files[row] = reading.identity
      this.hasChanged = true
      return undefined
    }
    const child = this.#addFolder(folder, listing, row)
    return this.#settle(child, this.#begin(child) ?? unseen, probe)
  }

  /** Gives a row a folder of its own. */
  #addFolder(parent: Folder<T>, listing: FolderListing<T>, row: number): Folder<T> {
    const name = listing.names[row] ?? ''
    const path = `${parent.path}/${name}`
    // Without a link on the way both paths are one string.
    const isLoose = listing.loose?.has(name) === true
    const child = new Folder<T>(isLoose ? looseName(name, parent.name) : name, path, parent.realPath === parent.path ? path : `${parent.realPath}/${name}`, parent.depth + 1, false, isLoose)
    if (listing.files[row] !== undefined) {
      child.state = 'skill'
      child.item = listing.items[row]
      child.file = listing.files[row]
      child.readAt = parent.readAt
      listing.items[row] = undefined
      listing.files[row] = undefined
    }
    listing.folders.set(row, child)
    return child
  }

  #visit(folder: Folder<T>): Promise<void> | undefined {
    const before = this.#begin(folder)
    if (before === undefined) {
      this.#enter(folder)
      return undefined
    }
    if (this.#isOnlyListed(folder)) return this.#settle(folder, before, nothing)
    const probe = this.#reads.probeSync(folder.filePath, this.#isSkillLikely, this.#options.fileBytes, this.#takeInto, folder)
    this.#isSkillLikely = probe.found === 'file'
    return this.#settle(folder, before, probe)
  }

  /** Whether nobody asks for a skill file at a folder's place: the root's, and all of them where such files are rows like any other. */
  #isOnlyListed(folder: Folder<T>): boolean {
    return (folder === this.#root && this.#options.mayBeSkill !== true) || (this.#options.nested === true && !folder.isLoose)
  }

  /** Begins to read what is next in line, side by side. What comes of it is dealt with in order, so waiting changes no result. */
  #readAhead(): void {
    let room = sideBySide
    for (let level = this.#cursors.length - 1; level >= 0 && room > 0; level--) {
      const cursor = this.#cursors[level]
      if (cursor === undefined) break
      const { folder, listing } = cursor
      for (let { row } = cursor; row < listing.names.length && room > 0; row++) {
        room--
        // What is known is looked at in its turn, and read only if it changed.
        if (listing.files[row] !== undefined || (this.#paths !== undefined && !this.#isConcerned(folder, listing, row))) continue
        const child = listing.folders.get(row) ?? this.#addFolder(folder, listing, row)
        if (this.#ahead.has(child)) continue
        const before = this.#begin(child)
        const probe = before === undefined || this.#isOnlyListed(child) ? nothing : this.#reads.probeSlowly(child.filePath, this.#options.fileBytes, this.#takeInto, child)
        this.#ahead.set(child, { before, probe })
      }
    }
  }

  async #visitSlowly(folder: Folder<T>): Promise<void> {
    const ahead = this.#ahead.get(folder)
    this.#pace.endCallbackRead()
    if (ahead?.before === undefined) this.#enter(folder)
    else await this.#settle(folder, ahead.before, await ahead.probe)
    this.#ahead.delete(folder)
  }

  /** Empties a folder, to be looked at as if for the first time, and gives what it held; undefined for one that is as it was. */
  #begin(folder: Folder<T>): Before<T> | undefined {
    let before: Before<T> = unseen
    if (folder.state !== 'unseen') {
      if (this.#isKept(folder)) return undefined
      const { item, file, readAt, via, problems, listing, leftOut } = folder
      before = { item, file, readAt, via, problems, listing, leftOut }
      folder.reset()
    }
    folder.readAt = this.#options.now()
    return before
  }

  #isKept(folder: Folder<T>): boolean {
    if (folder.state === 'skill' && folder.file !== undefined && folder.via === undefined) {
      if (!this.#isFileKept(folder.file, folder.readAt)) return false
      return folder.item === undefined || this.#options.isCurrent?.(folder.item) !== false
    }
    const { listing } = folder
    // Where the limit left folders out there may be room for them by now.
    if (folder.state !== 'listed' || listing === undefined || listing.hasLinks || listing.tooMany > 0) return false
    const stats = statOf(folder.path)
    return stats !== undefined && stats.mtimeMs === listing.mtimeMs && stats.ctimeMs === listing.ctimeMs && isSettled(stats.ctimeMs, folder.readAt)
  }

  #isFileKept(file: FileIdentity, readAt: number): boolean {
    const stats = lstatOf(file.realPath)
    return stats !== undefined && isUnchanged(file, stats, readAt)
  }

  /** The rows of a listed folder come next. */
  #enter(folder: Folder<T>): void {
    if (folder.listing !== undefined && folder.listing.names.length > 0) this.#cursors.push({ folder, listing: folder.listing, row: 0 })
  }

  /** Whether a row lies at, under or above one of the paths, or was never looked at. */
  #isConcerned(folder: Folder<T>, listing: FolderListing<T>, row: number): boolean {
    const child = listing.folders.get(row)
    if (child === undefined ? listing.files[row] === undefined : child.state === 'unseen') return true
    const at = `${folder.path}/${listing.names[row]}`
    return this.#paths?.some(path => isInside(path, at) || isInside(at, path)) === true
  }

  /** Notes where the links below a folder lead that is not looked at this time. */
  #reach(folder: Folder<T>): void {
    if (folder.isLink) this.#reached.add(folder.realPath)
    for (const child of folder.listing?.folders.values() ?? []) this.#reach(child)
  }

  // One function serves every file: a closure each would be a good part of the work.
  readonly #reading = new Reading()
  #item: T | undefined
  /** Takes the head of a row's file. */
  readonly #take = (head: Head, parent: Folder<T>, path: string): boolean => {
    this.#takeAs(head, this.#reading.name, path, parent.realPath === parent.path ? path : parent.realPath + path.slice(parent.path.length))
    return this.#item === undefined
  }
  /** Takes the head of a folder's file. */
  readonly #takeInto = (head: Head, folder: Folder<T>, path: string): boolean =>
    this.#takeFor(folder, head, path, folder.realPath === folder.path ? path : folder.realFilePath)

  #takeFor(folder: Folder<T>, head: Head, path: string, realPath: string): boolean {
    this.#takeAs(head, folder.name, path, realPath)
    folder.item = this.#item
    folder.file = this.#reading.identity
    return folder.item === undefined
  }

  #takeAs(head: Head, name: string, path: string, realPath: string): void {
    const reading = this.#reading
    this.#item = undefined
    if (!head.isShared) this.filesRead++
    // Nobody waits any more for what is still under way.
    if (this.#isAborted) return
    reading.name = name
    reading.path = path
    reading.identity = identityOf(realPath, head.stats)
    this.#item = this.#options.read(reading, head)
  }

  #settle(folder: Folder<T>, before: Before<T>, probe: Probe): Promise<void> | undefined {
    if (probe.found === 'nothing') {
      if (!folder.isLoose) return this.#list(folder, before)
      // Deleted since its parent was listed: as if it had never been.
      folder.state = 'failed'
    } else if (probe.found === 'file') folder.state = 'skill'
    else if (probe.found === 'link') this.#followFile(folder, folder.filePath, before)
    else this.#note(folder, folder.filePath, probe)
    this.#finish(folder, before)
    return undefined
  }

  /** What a probe found becomes the folder's state. */
  #note(folder: Folder<T>, path: string, probe: Probe): void {
    folder.state = 'failed'
    const { name } = folder
    if (probe.found === 'file') folder.state = 'skill'
    else if (probe.found === 'other') folder.problems = [notAFile(name, path, probe.kind)]
    else if (probe.found === 'too-large') folder.problems = [fileTooLarge(name, path, probe.size, this.#options.fileBytes)]
    else if (probe.found === 'error') {
      // A file that cannot even be looked at lies in a folder that may not be entered.
      const isFolder = systemCode(probe.error) === 'EACCES' && lstatOf(path) === undefined
      folder.problems = [{ ...(isFolder ? ioProblem('The folder', folder.path, probe.error) : ioProblem('The file', path, probe.error)), name }]
    }
  }

  #followFile(folder: Folder<T>, path: string, before: Before<T>): void {
    folder.via = path
    const target = followLink(path, this.#options.within)
    if ('problem' in target) {
      folder.state = 'failed'
      folder.problems = [{ ...target.problem, name: folder.name }]
      return
    }
    const { realPath } = target
    if (this.#keptFile(folder, before, realPath)) return
    this.#note(folder, path, this.#reads.probeSync(realPath, false, this.#options.fileBytes, head => this.#takeFor(folder, head, path, realPath), folder))
  }

  /** Gives a folder back what was read of its file, when the path still leads to that file and it is as it was. */
  #keptFile(folder: Folder<T>, { item, file, readAt, via }: Before<T>, realPath: string): boolean {
    if (item === undefined || file === undefined || via !== folder.via || file.realPath !== realPath) return false
    if (!this.#isFileKept(file, readAt) || this.#options.isCurrent?.(item) === false) return false
    folder.state = 'skill'
    folder.item = item
    folder.file = file
    folder.readAt = readAt
    return true
  }

  #list(folder: Folder<T>, before: Before<T>): Promise<void> | undefined {
    this.foldersListed++
    try {
      const stats = statSync(folder.path)
      const listing = listFolder(folder.path, stats.size)
      if (listing instanceof Promise) return this.#listLater(folder, before, stats, listing)
      this.#takeIn(folder, before, stats, listing)
    } catch (error) {
      this.#cannotList(folder, before, error)
    }
    return undefined
  }

  async #listLater(folder: Folder<T>, before: Before<T>, stats: Stats, listing: Promise<Listing>): Promise<void> {
    let names: Listing
    try {
      names = await listing
    } catch (error) {
      this.#cannotList(folder, before, error)
      return
    }
    await this.#pace.giveWay()
    if (this.#isAborted) throw abortError(this.#signal)
    this.#takeIn(folder, before, stats, names)
  }

  #cannotList(folder: Folder<T>, before: Before<T>, error: unknown): void {
    folder.state = 'failed'
    // Deleted since its parent was listed: as if it had never been. The root was named by somebody, who should hear of it.
    const isGone = systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR'
    if (!isGone || folder === this.#root) folder.problems = [{ ...ioProblem('The folder', folder.path, error), name: folder.name }]
    else if (folder.name.includes('\ufffd')) folder.problems = [unopenableName(folder.name, folder.path)]
    this.#finish(folder, before)
  }

  /** Deals with a folder that has no SKILL.md. */
  #takeIn(folder: Folder<T>, before: Before<T>, stats: Stats, listed: Listing): void {
    folder.state = 'listed'
    const isRoot = folder === this.#root
    if (isRoot && this.#options.mayBeSkill !== true) this.#reportSkillAtRoot(folder, listed)
    else if (this.#options.nested !== true && this.#tookOtherCase(folder, listed, before)) return this.#finish(folder, before)
    folder.listing = isRoot || this.#options.walk === 'deep' ? this.#rowsOf(folder, before, stats, listed) : new FolderListing<T>([], stats)
    this.#finish(folder, before)
    this.#enter(folder)
  }

  #reportSkillAtRoot(folder: Folder<T>, { skillFiles }: Listing): void {
    const name = skillFiles[0]
    if (name !== undefined) folder.problems = [skillAtRoot(`${folder.path}/${name}`)]
  }

  /** Deals with a `skill.md`; true when it stands for the folder. */
  #tookOtherCase(folder: Folder<T>, { skillFiles }: Listing, before: Before<T>): boolean {
    const name = skillFiles.find(file => file !== skillFile)
    if (name === undefined) return false
    const path = `${folder.path}/${name}`
    if (this.#options.otherCase === 'report') {
      folder.problems = [otherCase(folder.name, path, false)]
      return false
    }
    // A SKILL.md that comes to stand beside it must be noticed, though this file is as it was.
    folder.via = path
    const realPath = `${folder.realPath}/${name}`
    if (!this.#keptFile(folder, before, realPath)) {
      const probe = this.#reads.probeSync(path, false, this.#options.fileBytes, head => this.#takeFor(folder, head, path, realPath), folder)
      if (probe.found === 'link') this.#followFile(folder, path, before)
      else this.#note(folder, path, probe)
    }
    if (folder.state !== 'skill') return true
    folder.problems = [otherCase(folder.name, path, true)]
    return true
  }

  /** The rows of a folder: what is known of those that stay is taken over, what is gone is noted. */
  #rowsOf(folder: Folder<T>, { listing: before, readAt }: Before<T>, stats: Stats, listed: Listing): FolderListing<T> {
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
        if (file !== undefined && !isFileSettled(file, readAt)) this.#addFolder(folder, listing, row).readAt = readAt
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
      if (before?.hasContent(row) === true) this.hasChanged = true
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

  /** Notes whether the folder means something else now; keeps the older objects where it does not. */
  #finish(folder: Folder<T>, { item, problems, leftOut }: Before<T>): void {
    if (item !== undefined && folder.item !== undefined && this.#options.isSame?.(item, folder.item) === true) folder.item = item
    if (problems.length > 0 && areSame(problems, folder.problems)) folder.problems = problems
    if (folder.item !== item || (folder.problems !== problems && folder.problems.length + problems.length > 0)) this.hasChanged = true
    if (folder.leftOut !== leftOut) this.hasChanged = true
  }
}

function areSame(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  return a.length === b.length && a.every((diagnostic, at) => diagnostic.message === b[at]?.message)
}
