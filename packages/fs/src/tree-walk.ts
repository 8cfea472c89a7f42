import { statSync, type Stats } from 'node:fs'
import { abortError, type Diagnostic } from '@skills/core'
import { addFolder, FolderListing, skillFile, unseen, type Before, type Folder } from './folder.js'
import { FolderRows } from './folder-rows.js'
import { isSettled } from './file-identity.js'
import { ioProblem, systemCode } from './problem.js'
import { isInside, statOf } from './real-path.js'
import { listFolder, type Listing } from './listing.js'
import { Pace } from './pace.js'
import { SkillFileReader } from './skill-file-reader.js'
import { skillAtRoot, unopenableName } from './walk-problems.js'
import type { Probe } from './probe.js'
import type { TreeOptions } from './tree-options.js'

/** Files that are read at one time where reading is slow. */
const sideBySide = 16

/** Milliseconds after which it is told how far a walk is, however few the files. */
const tellMs = 100

const nothing: Probe = Object.freeze({ found: 'nothing' })

/** How far a walk is through the rows of a folder. */
interface Cursor<T> {
  readonly folder: Folder<T>
  readonly listing: FolderListing<T>
  row: number
}

/** One walk over a tree of folders, new or known. Folders that are as they were are passed over. */
export class TreeWalk<T> {
  /** Folders of which the names were read. */
  foldersListed = 0
  readonly #options: TreeOptions<T>
  readonly #root: Folder<T>
  /** Only what lies at, under or above these counts; undefined: everything. */
  readonly #paths: readonly string[] | undefined
  readonly #signal: AbortSignal
  readonly #pace: Pace
  readonly #files: SkillFileReader<T>
  readonly #rows: FolderRows<T>
  /** The folders that are being gone through, the innermost last: they are met in order, so that a limit always leaves out the same ones. */
  readonly #cursors: Cursor<T>[] = []
  /** What was begun before its turn. */
  readonly #ahead = new Map<Folder<T>, { readonly before: Before<T> | undefined; readonly probe: Probe | Promise<Probe> }>()
  #hasChanged = false
  /** Asking the signal for each file would be a good part of the work. */
  #isAborted = false
  /** Folders whose listing this walk went by. */
  readonly #entered: Folder<T>[] = []
  /** What went away, or came, between being listed and being opened. */
  #isOvertaken = false
  #done = 0
  #toldAt = performance.now()
  #onProgress: (done: number) => void = () => {}

  constructor(options: TreeOptions<T>, root: Folder<T>, paths: readonly string[] | undefined, signal: AbortSignal) {
    this.#options = options
    this.#root = root
    this.#paths = paths
    this.#signal = signal
    this.#pace = new Pace(options.reads === 'callbacks')
    this.#files = new SkillFileReader(options)
    this.#rows = new FolderRows(options, root)
  }

  /** Whether anything is other than before the walk. */
  get hasChanged(): boolean {
    return this.#hasChanged || this.#rows.hasLost
  }

  /** Files of which anything was read. */
  get filesRead(): number {
    return this.#files.filesRead
  }

  /**
   * Paths of folders that another one took the place of while the walk was at work below them, or that changed: what was found
   * there may be of one as well as of the other.
   */
  overtaken(): readonly string[] {
    const changed = this.#entered.filter(({ path, listing }) => listing?.isOf(statOf(path)) === false).map(({ path }) => path)
    return this.#isOvertaken && changed.length === 0 ? [this.#root.path] : changed
  }

  /** Rejects with an `AbortError` when the signal aborts; the tree is then half seen. */
  async run(onProgress: (done: number) => void): Promise<void> {
    this.#onProgress = onProgress
    const onAbort = (): void => {
      this.#isAborted = true
      this.#files.stop()
    }
    if (this.#signal.aborted) throw abortError(this.#signal)
    this.#signal.addEventListener('abort', onAbort, { once: true })
    try {
      const settled = this.#visit(this.#root)
      if (settled !== undefined) await settled
      for (let cursor = this.#cursors.at(-1); cursor !== undefined; cursor = this.#cursors.at(-1)) {
        if (this.#isAborted) throw abortError(this.#signal)
        if (this.#pace.isSlow && this.#runsShort(cursor)) this.#readAhead()
        if (cursor.row === cursor.listing.names.length) {
          this.#cursors.pop()
          continue
        }
        if (++this.#done % 500 === 0) this.#tell()
        const before = this.#files.filesRead + this.foldersListed
        const met = this.#meet(cursor, cursor.row++)
        if (met !== undefined) await met
        if (this.#files.filesRead + this.foldersListed === before ? this.#pace.endKept() : this.#pace.endRead()) {
          await this.#pace.giveWay()
          this.#tellNowAndThen()
        }
      }
    } finally {
      this.#signal.removeEventListener('abort', onAbort)
      // No file stays open longer than the walk.
      for (const { probe } of this.#ahead.values()) await probe
    }
  }

  #tell(): void {
    this.#toldAt = performance.now()
    this.#onProgress(this.#done)
  }

  /** Where each file takes its time, few of them are a lot of it. */
  readonly #tellNowAndThen = (): void => {
    if (performance.now() - this.#toldAt > tellMs) this.#tell()
  }

  /** Looks at one row of a folder. */
  #meet({ folder, listing }: Cursor<T>, row: number): Promise<void> | undefined {
    const child = listing.folders.size === 0 ? undefined : listing.folders.get(row)
    if (this.#paths !== undefined && !this.#isConcerned(folder, listing, row)) {
      if (child !== undefined) this.#rows.reach(child)
      return undefined
    }
    if (child !== undefined) return this.#ahead.has(child) ? this.#visitSlowly(child) : this.#visit(child)
    const file = listing.files[row]
    if (file === undefined) return this.#readRow(folder, listing, row)
    const item = listing.items[row]
    return this.#files.isKept(item, file, folder.readAt) ? undefined : this.#visit(addFolder(folder, listing, row))
  }

  /** Looks at a folder for the first time. */
  #readRow(folder: Folder<T>, listing: FolderListing<T>, row: number): Promise<void> | undefined {
    const isLoose = listing.loose?.has(listing.names[row] ?? '') === true
    if (this.#options.nested === true && !isLoose) {
      const child = addFolder(folder, listing, row)
      return this.#settle(child, this.#begin(child) ?? unseen, nothing)
    }
    const probe = this.#files.readRow(folder, listing, row, isLoose)
    if (probe.found === 'file') {
      this.#hasChanged = true
      return undefined
    }
    const child = addFolder(folder, listing, row)
    return this.#settle(child, this.#begin(child) ?? unseen, probe)
  }

  #visit(folder: Folder<T>): Promise<void> | undefined {
    const before = this.#begin(folder)
    if (before === undefined) {
      this.#enter(folder)
      return undefined
    }
    if (this.#isOnlyListed(folder)) return this.#settle(folder, before, nothing)
    return this.#settle(folder, before, this.#files.read(folder))
  }

  /** Whether nobody asks for a skill file at a folder's place: the root's, and all of them where such files are rows like any other. */
  #isOnlyListed(folder: Folder<T>): boolean {
    return (folder === this.#root && this.#options.mayBeSkill !== true) || (this.#options.nested === true && !folder.isLoose)
  }

  /** Whether little is left of what was begun, or what comes next is not: a folder's rows come before those beside it, which may all be begun. */
  #runsShort({ listing, row }: Cursor<T>): boolean {
    if (this.#ahead.size <= sideBySide / 2) return true
    if (row === listing.names.length || listing.files[row] !== undefined) return false
    const child = listing.folders.get(row)
    return child === undefined || !this.#ahead.has(child)
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
        const child = listing.folders.get(row) ?? addFolder(folder, listing, row)
        if (this.#ahead.has(child)) continue
        const before = this.#begin(child)
        const probe = before === undefined || this.#isOnlyListed(child) ? nothing : this.#files.readSlowly(child)
        this.#ahead.set(child, { before, probe })
      }
    }
  }

  async #visitSlowly(folder: Folder<T>): Promise<void> {
    const ahead = this.#ahead.get(folder)
    this.#pace.endCallbackRead()
    if (ahead?.before === undefined) this.#enter(folder)
    else {
      const probe = await ahead.probe
      if (this.#isAborted) throw abortError(this.#signal)
      await this.#settle(folder, ahead.before, probe)
    }
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
    if (folder.state === 'skill' && folder.file !== undefined && folder.via === undefined) return this.#files.isKept(folder.item, folder.file, folder.readAt)
    const { listing } = folder
    // Where the limit left folders out there may be room for them by now.
    if (folder.state !== 'listed' || listing === undefined || listing.hasLinks || listing.tooMany > 0) return false
    const stats = statOf(folder.path)
    return listing.isOf(stats) && isSettled(listing.ctimeMs, folder.readAt)
  }

  /** The rows of a listed folder come next. */
  #enter(folder: Folder<T>): void {
    if (folder.listing === undefined) return
    this.#entered.push(folder)
    if (folder.listing.names.length > 0) this.#cursors.push({ folder, listing: folder.listing, row: 0 })
  }

  /** Whether a row lies at, under or above one of the paths, or was never looked at. */
  #isConcerned(folder: Folder<T>, listing: FolderListing<T>, row: number): boolean {
    const child = listing.folders.get(row)
    if (child === undefined ? listing.files[row] === undefined : child.state === 'unseen') return true
    const at = `${folder.path}/${listing.names[row]}`
    return this.#paths?.some(path => isInside(path, at) || isInside(at, path)) === true
  }

  #settle(folder: Folder<T>, before: Before<T>, probe: Probe): Promise<void> | undefined {
    if (probe.found === 'nothing') {
      if (!folder.isLoose) return this.#list(folder, before)
      // Deleted since its parent was listed: as if it had never been.
      folder.state = 'failed'
    } else if (probe.found === 'file') folder.state = 'skill'
    else if (probe.found === 'link') this.#files.followFile(folder, folder.filePath, before)
    else this.#files.note(folder, folder.filePath, probe)
    this.#finish(folder, before)
    return undefined
  }

  #list(folder: Folder<T>, before: Before<T>): Promise<void> | undefined {
    this.foldersListed++
    try {
      const stats = statSync(folder.path)
      const listing = listFolder(folder.path, stats.size, this.#tellNowAndThen)
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
      if (this.#isAborted) throw abortError(this.#signal)
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
    if (listed.skillFiles.includes(skillFile) && !this.#isOnlyListed(folder)) return this.#openLate(folder, before)
    if (isRoot && this.#options.mayBeSkill !== true) this.#reportSkillAtRoot(folder, listed)
    else if (this.#files.tookOtherCase(folder, listed, before)) return this.#finish(folder, before)
    folder.listing = isRoot || this.#options.walk === 'deep' ? this.#rows.of(folder, before, stats, listed) : new FolderListing<T>([], stats)
    this.#finish(folder, before)
    this.#enter(folder)
  }

  /** Deals with a file that was not there when it was to be opened, and is there now. */
  #openLate(folder: Folder<T>, before: Before<T>): void {
    this.#isOvertaken = true
    const probe = this.#files.read(folder)
    // Gone again: it is looked for the next time, too.
    if (probe.found === 'nothing') folder.state = 'failed'
    else return void this.#settle(folder, before, probe)
    this.#finish(folder, before)
  }

  #reportSkillAtRoot(folder: Folder<T>, { skillFiles }: Listing): void {
    const name = skillFiles[0]
    if (name !== undefined) folder.problems = [skillAtRoot(`${folder.path}/${name}`)]
  }

  /** Notes whether the folder means something else now; keeps the older objects where it does not. */
  #finish(folder: Folder<T>, { item, problems, leftOut }: Before<T>): void {
    if (item !== undefined && folder.item !== undefined && this.#options.isSame?.(item, folder.item) === true) folder.item = item
    if (problems.length > 0 && areSame(problems, folder.problems)) folder.problems = problems
    if (folder.item !== item || (folder.problems !== problems && folder.problems.length + problems.length > 0)) this.#hasChanged = true
    if (folder.leftOut !== leftOut) this.#hasChanged = true
  }
}

function areSame(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  return a.length === b.length && a.every((diagnostic, at) => diagnostic.message === b[at]?.message)
}
