import { statSync, type Stats } from 'node:fs'
import { abortError, type Diagnostic, type FileIdentity } from '@skills/core'
import { Folder, type FolderListing } from './folder.js'
import { identityOf, isSettled, isUnchanged } from './file-identity.js'
import { ioProblem, systemCode } from './problem.js'
import { followLink, isInside, lstatOf, statOf } from './real-path.js'
import { listFolder, type Listing } from './listing.js'
import { Pace } from './pace.js'
import { probeSlowly, probeSync, type Head, type Probe } from './probe.js'
import type { FoundFile, TreeOptions } from './tree-options.js'

const skillFile = 'SKILL.md'
/** Files that are read at one time where reading is slow. */
const sideBySide = 16

/** What a folder held before it is looked at anew. */
interface Before<T> {
  readonly item: T | undefined
  readonly problems: readonly Diagnostic[]
  readonly children: readonly Folder<T>[]
  readonly leftOut: number
}

const unseen: Before<never> = Object.freeze({ item: undefined, problems: [], children: [], leftOut: 0 })
const nothing: Probe = Object.freeze({ found: 'nothing' })

/** One walk over a tree of folders, new or known. Folders that are as they were are passed over. */
export class TreeWalk<T> {
  /** Whether anything is other than before the walk. */
  hasChanged = false
  readonly #options: TreeOptions<T>
  readonly #root: Folder<T>
  /** Only what lies at, under or above these counts; undefined: everything. */
  readonly #paths: readonly string[] | undefined
  readonly #signal: AbortSignal
  readonly #pace: Pace
  readonly #pending: Folder<T>[] = []
  /** What was begun before its turn. */
  readonly #ahead = new Map<Folder<T>, { readonly before: Before<T> | undefined; readonly probe: Probe | Promise<Probe> }>()
  /** Real paths of folders reached through a link, and of the root: reaching one again would go on for ever. */
  readonly #reached = new Set<string>()
  #count = 0
  /** Asking the signal for each file would be a good part of the work. */
  #isAborted = false

  constructor(options: TreeOptions<T>, root: Folder<T>, paths: readonly string[] | undefined, signal: AbortSignal) {
    this.#options = options
    this.#root = root
    this.#paths = paths
    this.#signal = signal
    this.#pace = new Pace(options.reads === 'callbacks')
  }

  /** Rejects with an `AbortError` when the signal aborts; the tree is then half seen and must be dropped. */
  async run(onProgress: (done: number) => void): Promise<void> {
    const onAbort = (): void => {
      this.#isAborted = true
    }
    if (this.#signal.aborted) throw abortError(this.#signal)
    this.#signal.addEventListener('abort', onAbort, { once: true })
    this.#pending.push(this.#root)
    this.#reached.add(this.#root.realPath)
    this.#count = countFolders(this.#root)
    let done = 0
    let isSkillLikely = true
    try {
      while (this.#pending.length > 0) {
        if (this.#isAborted) throw abortError(this.#signal)
        if (this.#pace.isSlow) this.#readAhead()
        const folder = this.#pending.pop()
        if (folder === undefined) break
        if (++done % 500 === 0) onProgress(done)
        if (this.#ahead.size > 0 && this.#ahead.has(folder)) {
          await this.#visitSlowly(folder)
          continue
        }
        const before = this.#begin(folder)
        if (before === undefined) this.#push(folder.children)
        else {
          const isRoot = folder === this.#root
          const probe: Probe = isRoot ? nothing : probeSync(`${folder.path}/${skillFile}`, isSkillLikely, this.#options.fileBytes, this.#take, folder)
          isSkillLikely = probe.found === 'file'
          const settled = this.#settle(folder, before, probe)
          if (settled !== undefined) await settled
        }
        if (this.#pace.endRead()) await this.#pace.giveWay()
      }
    } finally {
      this.#signal.removeEventListener('abort', onAbort)
      // No file stays open longer than the walk.
      for (const { probe } of this.#ahead.values()) await probe
    }
  }

  /** Begins to read what is next in line, side by side. What comes of it is dealt with in order, so waiting changes no result. */
  #readAhead(): void {
    const next = this.#pending.length - 1
    for (let at = next; at >= 0 && at > next - sideBySide; at--) {
      const folder = this.#pending[at]
      if (folder === undefined || this.#ahead.has(folder)) continue
      const before = this.#begin(folder)
      const isRead = before !== undefined && folder !== this.#root
      const probe: Probe | Promise<Probe> = isRead ? probeSlowly(`${folder.path}/${skillFile}`, this.#options.fileBytes, this.#take, folder) : nothing
      this.#ahead.set(folder, { before, probe })
    }
  }

  async #visitSlowly(folder: Folder<T>): Promise<void> {
    const ahead = this.#ahead.get(folder)
    this.#pace.endCallbackRead()
    if (ahead?.before === undefined) this.#push(folder.children)
    else await this.#settle(folder, ahead.before, await ahead.probe)
    this.#ahead.delete(folder)
  }

  /** Empties a folder, to be looked at as if for the first time, and gives what it held; undefined for one that is as it was. */
  #begin(folder: Folder<T>): Before<T> | undefined {
    let before: Before<T> = unseen
    if (folder.state !== 'unseen') {
      if (this.#isKept(folder)) return undefined
      before = { item: folder.item, problems: folder.problems, children: folder.children, leftOut: folder.leftOut }
      folder.reset()
    }
    folder.readAt = this.#options.now()
    return before
  }

  #isKept(folder: Folder<T>): boolean {
    if (folder.state === 'skill' && folder.file !== undefined && !folder.isFileLinked) {
      const stats = lstatOf(folder.file.realPath)
      if (stats === undefined || !isUnchanged(folder.file, stats, folder.readAt)) return false
      return folder.item === undefined || this.#options.isCurrent?.(folder.item) !== false
    }
    const { listing } = folder
    // Where the limit left folders out there may be room for them by now.
    if (folder.state !== 'listed' || listing === undefined || listing.hasLinks || listing.tooMany > 0) return false
    const stats = statOf(folder.path)
    return stats !== undefined && stats.mtimeMs === listing.mtimeMs && stats.ctimeMs === listing.ctimeMs && isSettled(stats.ctimeMs, folder.readAt)
  }

  #push(children: readonly Folder<T>[]): void {
    const paths = this.#paths
    // The last pushed comes first, so that folders are met in order and a limit always leaves out the same ones.
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at]
      if (child === undefined) continue
      const isConcerned = paths === undefined || child.state === 'unseen' || paths.some(path => isInside(path, child.path) || isInside(child.path, path))
      if (isConcerned) this.#pending.push(child)
      else this.#reach(child)
    }
  }

  /** Notes where the links below a folder lead that is not looked at this time. */
  #reach(folder: Folder<T>): void {
    for (const child of folder.children) {
      if (child.isLink) this.#reached.add(child.realPath)
      this.#reach(child)
    }
  }

  // One function and one record serve every file: a closure and an object each would be a good part of the work.
  readonly #take = (head: Head, folder: Folder<T>, path: string): boolean =>
    this.#takeAs(head, folder, path, folder.realPath === folder.path ? path : `${folder.realPath}/${skillFile}`)
  readonly #found: { name: string; folder: string; path: string; identity: FileIdentity | undefined } = { name: '', folder: '', path: '', identity: undefined }

  #takeAs(head: Head, folder: Folder<T>, path: string, realPath: string): boolean {
    // Nobody waits any more for what is still under way.
    if (this.#isAborted) return false
    const found = this.#found
    found.name = folder.name
    found.folder = folder.path
    found.path = path
    folder.file ??= identityOf(realPath, head.stats)
    found.identity = folder.file
    folder.item = this.#options.read(found as FoundFile, head)
    return folder.item === undefined
  }

  #settle(folder: Folder<T>, before: Before<T>, probe: Probe): Promise<void> | undefined {
    if (probe.found === 'nothing') return this.#list(folder, before)
    if (probe.found === 'file') folder.state = 'skill'
    else if (probe.found === 'link') this.#followFile(folder, skillFile)
    else this.#note(folder, `${folder.path}/${skillFile}`, probe)
    this.#finish(folder, before)
    return undefined
  }

  /** What a probe found becomes the folder's state. */
  #note(folder: Folder<T>, path: string, probe: Probe): void {
    folder.state = 'failed'
    const { name } = folder
    if (probe.found === 'file') folder.state = 'skill'
    else if (probe.found === 'other') {
      folder.problems = [{
        severity: 'error', type: 'io', code: 'not-a-file', name, path,
        message: `${path} is ${probe.kind}, not a file.`, hint: 'Put the skill into a regular file of that name.',
      }]
    } else if (probe.found === 'too-large') {
      folder.problems = [{
        severity: 'error', type: 'validation', code: 'file-too-large', name, path,
        message: `${path} has ${probe.size} bytes; a skill file may have ${this.#options.fileBytes}.`, hint: 'Move what is seldom needed into files beside it.',
      }]
    } else if (probe.found === 'error') {
      // A file that cannot even be looked at lies in a folder that may not be entered.
      const isFolder = systemCode(probe.error) === 'EACCES' && lstatOf(path) === undefined
      folder.problems = [{ ...(isFolder ? ioProblem('The folder', folder.path, probe.error) : ioProblem('The file', path, probe.error)), name }]
    }
  }

  #followFile(folder: Folder<T>, name: string): void {
    const path = `${folder.path}/${name}`
    const target = followLink(path, this.#options.within)
    if ('problem' in target) {
      folder.state = 'failed'
      folder.problems = [{ ...target.problem, name: folder.name }]
      return
    }
    const { realPath } = target
    this.#note(folder, path, probeSync(realPath, false, this.#options.fileBytes, head => this.#takeAs(head, folder, path, realPath), folder))
    folder.isFileLinked = true
  }

  #list(folder: Folder<T>, before: Before<T>): Promise<void> | undefined {
    try {
      const stats = statSync(folder.path)
      const listing = listFolder(folder.path, stats.size)
      if (listing instanceof Promise) return this.#listLater(folder, before, stats, listing)
      this.#enter(folder, before, stats, listing)
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
    this.#enter(folder, before, stats, names)
  }

  #cannotList(folder: Folder<T>, before: Before<T>, error: unknown): void {
    folder.state = 'failed'
    // Deleted since its parent was listed: as if it had never been. The root was named by somebody, who should hear of it.
    const isGone = systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR'
    if (!isGone || folder === this.#root) folder.problems = [{ ...ioProblem('The folder', folder.path, error), name: folder.name }]
    else if (folder.name.includes('\ufffd')) {
      folder.problems = [{
        severity: 'error', type: 'io', code: 'unreadable', name: folder.name, path: folder.path,
        message: `The folder ${folder.path} has a name that is not UTF-8, by which it cannot be opened.`, hint: 'Rename it.',
      }]
    }
    this.#finish(folder, before)
  }

  /** Goes into a folder that has no SKILL.md. */
  #enter(folder: Folder<T>, before: Before<T>, { mtimeMs, ctimeMs }: Stats, names: Listing): void {
    folder.state = 'listed'
    folder.listing = { children: [], mtimeMs, ctimeMs, hasLinks: false, tooDeep: 0, tooMany: 0 }
    const isRoot = folder === this.#root
    if (isRoot) this.#reportSkillAtRoot(folder, names)
    else if (this.#tookOtherCase(folder, names)) return this.#finish(folder, before)
    if (isRoot || this.#options.walk === 'deep') folder.listing = { ...folder.listing, ...this.#addChildren(folder, before, names) }
    this.#finish(folder, before)
    this.#push(folder.children)
  }

  #reportSkillAtRoot(folder: Folder<T>, { skillFiles }: Listing): void {
    const name = skillFiles[0]
    if (name === undefined) return
    folder.problems = [{
      severity: 'warning', type: 'validation', code: 'skill-at-root', path: `${folder.path}/${name}`,
      message: `${folder.path}/${name} lies directly in the skills folder and is not loaded.`, hint: 'Give it a folder of its own, named like the skill.',
    }]
  }

  /** Deals with a `skill.md`; true when it stands for the folder. */
  #tookOtherCase(folder: Folder<T>, { skillFiles }: Listing): boolean {
    const name = skillFiles.find(file => file !== skillFile)
    if (name === undefined) return false
    const path = `${folder.path}/${name}`
    const hint = 'Rename it to SKILL.md: other tools do not find it, and on some file systems it is another file.'
    if (this.#options.otherCase === 'report') {
      folder.problems = [{
        severity: 'warning', type: 'validation', code: 'near-miss', name: folder.name, path, message: `${path} is not loaded: the file must be called SKILL.md.`, hint,
      }]
      return false
    }
    const probe = probeSync(path, false, this.#options.fileBytes, head => this.#takeAs(head, folder, path, `${folder.realPath}/${name}`), folder)
    if (probe.found === 'link') this.#followFile(folder, name)
    else this.#note(folder, path, probe)
    // A SKILL.md that comes to stand beside it must be noticed, though this file is as it was.
    folder.isFileLinked = true
    if (folder.state !== 'skill') return true
    folder.problems = [{
      severity: 'warning', type: 'validation', code: 'other-case', name: folder.name, path, message: `${path} is loaded although the file should be called SKILL.md.`, hint,
    }]
    return true
  }

  #addChildren(folder: Folder<T>, before: Before<T>, listed: Listing): Pick<FolderListing<T>, 'children' | 'hasLinks' | 'tooDeep' | 'tooMany'> {
    const names = listed.folders.filter(isSearched)
    const links = listed.links.filter(isSearched)
    const hasLinks = links.length > 0
    if (folder.depth >= this.#options.depth) {
      const linked = links.filter(name => statOf(`${folder.path}/${name}`)?.isDirectory() === true)
      return { children: [], hasLinks, tooDeep: names.length + linked.length, tooMany: 0 }
    }

    const known = new Map(before.children.map(child => [child.name, child]))
    let children = names.map(name => {
      const child = known.get(name)
      return child === undefined || child.isLink ? this.#child(folder, name) : child
    })
    for (const name of links) {
      const linked = this.#followFolder(folder, name, known.get(name))
      if (linked !== undefined) children.push(linked)
    }
    if (hasLinks) children.sort((a, b) => a.name < b.name ? -1 : 1)

    if (known.size > 0) {
      const kept = new Set(children)
      for (const child of before.children) {
        if (kept.has(child)) continue
        if (child.hasContent) this.hasChanged = true
        this.#count -= countFolders(child)
      }
    }
    let room = this.#options.folders - this.#count
    const wanted = children.length
    // Those that are known have their place already.
    if (known.size > 0 || wanted > room) children = children.filter(child => known.get(child.name) === child || room-- > 0)
    else room -= wanted
    this.#count = this.#options.folders - Math.max(0, room)
    return { children, hasLinks, tooDeep: 0, tooMany: wanted - children.length }
  }

  #child(parent: Folder<T>, name: string): Folder<T> {
    const path = `${parent.path}/${name}`
    // Without a link on the way both paths are one string.
    return new Folder<T>(name, path, parent.realPath === parent.path ? path : `${parent.realPath}/${name}`, parent.depth + 1, false)
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
    if (isInside(parent.realPath, realPath)) {
      return complain({
        severity: 'warning', type: 'traversal', code: 'link-cycle', path,
        message: `The link ${path} leads back to ${realPath}, which contains it, and is not followed.`, hint: 'Remove the link.',
      })
    }
    if (this.#reached.has(realPath)) {
      return complain({
        severity: 'warning', type: 'traversal', code: 'link-again', path,
        message: `The link ${path} leads to ${realPath}, which another link already leads to, and is not followed again.`, hint: 'Remove one of the links.',
      })
    }
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

function isSearched(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules'
}

function areSame(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  return a.length === b.length && a.every((diagnostic, at) => diagnostic.message === b[at]?.message)
}

function countFolders<T>(folder: Folder<T>): number {
  let count = 1
  for (const child of folder.children) count += countFolders(child)
  return count
}
