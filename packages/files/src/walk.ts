import { setImmediate as turn } from 'node:timers/promises'
import { abortError, type Diagnostic, type FileIdentity } from '@skills/core'
import { after, danglingLink } from '@skills/store/internal'
import { escapeProblem, isInside, type StoreAnswer, type Store, type StoreFile, type StoreFolder } from '@skills/store'
import { isSettled, isUnchanged } from './file-identity.js'
import { isMarkdown, isSkillFile, Node, skillFile, type Before, type Listed } from './node.js'
import { ioProblem, systemCode } from './problem.js'
import {
  fileTooLarge,
  linkAgain,
  linkCycle,
  notAFile,
  notSearched,
  otherCase,
  otherEnding,
  skillAtRoot,
  unopenableName,
} from './walk-problems.js'
import type { FoundFile, TreeOptions } from './tree-options.js'

/** Bytes of a file that are read first; nearly every frontmatter ends within them. */
const headBytes = 4096
/** Nodes that are read at the same time in a slow store. */
const sideBySide = 16
/** Milliseconds after which the rest of the process gets a turn. */
const sliceMs = 4
/** Milliseconds after which progress is reported, however few the files. */
const tellMs = 100
/** Links that are followed before the rest of the process gets a turn. */
const linkBatch = 500

/** Content of a node on disk. */
type Found<T> =
  | { readonly is: 'kept' | 'gone' | 'unwanted' }
  | { readonly is: 'skill'; readonly item: T | undefined; readonly file: FileIdentity | undefined }
  | { readonly is: 'folder'; readonly folder: StoreFolder }
  | { readonly is: 'error'; readonly error: unknown; readonly isFolder: boolean }
  | { readonly is: 'not-read'; readonly file: Exclude<StoreFile, { readonly found: 'file' | 'unwanted' }> }

/** Result of one walk. */
export interface Walked {
  /** True if anything has changed since the walk before. */
  readonly hasChanged: boolean
  /**
   * Paths of folders that were replaced or changed while the walk was below them. Its findings there may mix both
   * states.
   */
  readonly overtaken: readonly string[]
}

/** Walks a tree once. If the tree was walked before, skips the parts that have not changed. */
export class Walk<T> {
  /** Number of files read so far, even in part. */
  filesRead = 0
  /** Number of folders listed so far. */
  foldersListed = 0
  readonly #options: TreeOptions<T>
  readonly #store: Store
  readonly #root: Node<T>
  /** Paths that limit the walk to what lies at, under or above them. Undefined: everything. */
  readonly #paths: readonly string[] | undefined
  readonly #signal: AbortSignal
  readonly #call: { readonly signal: AbortSignal }
  readonly #ignores: ((path: string) => boolean) | undefined
  /**
   * Nodes that are still to be visited, the next one last. The fixed order makes a limit always leave out the same
   * ones.
   */
  readonly #left: Node<T>[]
  /** Answers that were asked for before their turn. */
  readonly #ahead = new Map<Node<T>, StoreAnswer<Found<T>>>()
  readonly #before = new Map<Node<T>, Before<T>>()
  /** Real paths of the root and of folders reached through a link. Entering one again would never end. */
  readonly #reached: Set<string>
  /** Folders whose listing this walk used. */
  readonly #entered: Node<T>[] = []
  /** Number of nodes in the whole tree; counted when first needed. */
  #count: number | undefined
  /** True if something disappeared or appeared between being listed and being opened. */
  #isOvertaken = false
  #isAborted = false
  #hasChanged = false

  constructor(options: TreeOptions<T>, root: Node<T>, paths: readonly string[] | undefined, signal: AbortSignal) {
    this.#options = options
    this.#store = options.store
    this.#root = root
    this.#paths = paths
    this.#signal = signal
    this.#call = { signal }
    this.#ignores = options.ignores?.(options.root)
    this.#left = [root]
    this.#reached = new Set([root.realPath])
  }

  /** Walks. Rejects with an `AbortError` if the signal aborts; the tree is then incomplete. */
  async run(onProgress: (done: number) => void): Promise<Walked> {
    if (this.#signal.aborted) throw abortError(this.#signal)
    const onAbort = (): void => void (this.#isAborted = true)
    this.#signal.addEventListener('abort', onAbort, { once: true })
    try {
      let sliceEnd = performance.now() + sliceMs
      let toldAt = performance.now()
      for (let done = 0, node = this.#left.pop(); node !== undefined; node = this.#left.pop()) {
        if (this.#isAborted) throw abortError(this.#signal)
        if (!this.#isConcerned(node)) {
          this.#reach(node)
          continue
        }
        if (this.#store.isSlow === true) this.#askAhead()
        const answer = (this.#ahead.size === 0 ? undefined : this.#ahead.get(node)) ?? this.#ask(node)
        const settled = this.#settle(node, answer instanceof Promise ? await answer : answer)
        if (settled !== undefined) await settled
        if (this.#ahead.size > 0) this.#ahead.delete(node)
        if (this.#before.size > 0) this.#before.delete(node)
        const now = performance.now()
        if (++done % 500 === 0 || now - toldAt > tellMs) {
          onProgress(done)
          toldAt = now
        }
        if (now < sliceEnd) continue
        await turn()
        sliceEnd = performance.now() + sliceMs
      }
    } finally {
      this.#signal.removeEventListener('abort', onAbort)
      // No file stays open longer than the walk.
      await Promise.allSettled(this.#ahead.values())
    }
    return { overtaken: await this.#overtaken(), hasChanged: this.#hasChanged }
  }

  async #overtaken(): Promise<readonly string[]> {
    const changed: string[] = []
    for (const node of this.#entered) if (!node.isListedAs(await this.#identityOf(node))) changed.push(node.path)
    return this.#isOvertaken && changed.length === 0 ? [this.#root.path] : changed
  }

  /** Returns true if a node lies at, under or above one of the paths, or was never visited. */
  #isConcerned(node: Node<T>): boolean {
    if (this.#paths === undefined || node === this.#root || node.state === 'unseen') return true
    const { path } = node
    return this.#paths.some(one => isInside(one, path) || isInside(path, one))
  }

  /** Notes the targets of links below a node that is skipped this time. */
  #reach(node: Node<T>): void {
    if (node.isLink) this.#reached.add(node.realPath)
    for (const child of node.listed?.children ?? []) this.#reach(child)
  }

  // Reading a node. Everything here answers at once if the store does: a function for each file would be a noticeable
  // part of the work. It rejects, or throws, only for an abort.

  /**
   * Asks for the next nodes at the same time. The answers are handled in order, so waiting does not change the result.
   */
  #askAhead(): void {
    for (let at = this.#left.length - 1, room = sideBySide; at >= 0 && room > 0; at--, room--) {
      const node = this.#left[at]
      if (node === undefined || this.#ahead.has(node) || !this.#isConcerned(node)) continue
      const answer = this.#ask(node)
      this.#ahead.set(node, answer)
      // It is awaited in its turn, or at the end of a walk that stops earlier.
      if (answer instanceof Promise) answer.catch(() => {})
    }
  }

  #ask(node: Node<T>): StoreAnswer<Found<T>> {
    if (node.state === 'unseen') return this.#askAnew(node)
    return after(this.#isKept(node), (isKept): StoreAnswer<Found<T>> => {
      if (isKept) return kept
      this.#nodes()
      this.#before.set(node, node.reset())
      return this.#askAnew(node)
    })
  }

  #askAnew(node: Node<T>): StoreAnswer<Found<T>> {
    node.readAt = this.#options.now()
    if (this.#isOnlyListed(node)) return this.#list(node)
    const path = node.filePath
    const found = this.#file(node, path, node.isPlain ? path : node.realFilePath)
    if (found instanceof Promise) return found.then(one => this.#orList(node, one))
    return found.is === 'gone' || found.is === 'not-read' ? this.#orList(node, found) : found
  }

  /**
   * Returns true for a folder whose own SKILL.md is not looked for: the root, and in nested walks all folders, where
   * such files are entries like any other.
   */
  #isOnlyListed(node: Node<T>): boolean {
    return (node === this.#root && this.#options.mayBeSkill !== true) || (this.#options.nested === true && !node.isFile)
  }

  /** True if a folder named SKILL.md is entered like others, because Markdown files of any name may be skills. */
  get #entersAll(): boolean {
    return typeof this.#options.loose === 'string'
  }

  /** Returns true if a known node has not changed. */
  #isKept(node: Node<T>): StoreAnswer<boolean> {
    const { file, readAt, listed } = node
    if (node.state === 'skill' && file !== undefined && node.via === undefined)
      return this.#isSame(node.item, file, readAt)
    // If the limit left folders out, there may be room for them now.
    if (node.state !== 'listed' || listed === undefined || listed.hasLinks || listed.tooMany > 0) return false
    return after(
      this.#identityOf(node),
      now =>
        node.isListedAs(now) && (listed.identity.version !== undefined || isSettled(listed.identity.ctimeMs, readAt)),
    )
  }

  /** Returns true if a file is as it was when it was read, and its item is still valid. */
  #isSame(item: T | undefined, file: FileIdentity, readAt: number): StoreAnswer<boolean> {
    return after(this.#identityAt(file.realPath), (now): StoreAnswer<boolean> => {
      if (now === undefined || !isUnchanged(file, now, readAt)) return false
      return item === undefined || (this.#options.isCurrent?.(item) ?? true)
    })
  }

  /** Returns the identity of the folder or file of a node. */
  #identityOf(node: Node<T>): StoreAnswer<FileIdentity | undefined> {
    return this.#identityAt(node.isPlain ? node.path : node.realPath)
  }

  /**
   * Returns the identity of a path. Returns undefined also if it cannot be determined: the look that follows reports
   * the failure.
   */
  #identityAt(path: string): StoreAnswer<FileIdentity | undefined> {
    try {
      const stats = this.#store.stat(path, this.#call)
      return stats instanceof Promise
        ? stats.then(
            one => one?.identity,
            () => this.#unlessAborted(undefined),
          )
        : stats?.identity
    } catch {
      return undefined
    }
  }

  /**
   * Reads the file at a path.
   * @param from where it is read, if the path is a link to it
   */
  #file(node: Node<T>, path: string, realPath: string, from = path, head = headBytes): StoreAnswer<Found<T>> {
    const via = from === path ? undefined : path
    const { fileBytes: maxBytes, looksOnce = false } = this.#options
    const stats = looksOnce && via === undefined ? 'on-use' : undefined
    const call = { head, maxBytes, signal: this.#signal, realPath, via, stats } as const
    try {
      const answer = this.#store.read(from, call)
      if (!(answer instanceof Promise)) return this.#take(node, path, realPath, from, head, answer)
      // An answer after an abort is dropped.
      return answer
        .then(file => this.#take(node, path, realPath, from, head, this.#unlessAborted(file)))
        .catch((error: unknown) => this.#failed(error, false))
    } catch (error) {
      return this.#failed(error, false)
    }
  }

  /** Makes an item of the bytes, or reads more of the file. */
  #take(
    node: Node<T>,
    path: string,
    realPath: string,
    from: string,
    head: number,
    file: StoreFile | undefined,
  ): StoreAnswer<Found<T>> {
    if (file === undefined) return gone
    if (head === headBytes && (file.found === 'file' || file.found === 'unwanted')) this.filesRead++
    if (file.found === 'unwanted') return { is: 'unwanted' }
    if (file.found !== 'file') return { is: 'not-read', file }
    const { identity } = file.stats
    const item = this.#options.read(new Reading(node.name, path, identity), file)
    if (item === undefined && !file.isWhole)
      return this.#file(node, path, realPath, from, Math.max(head * 4, Math.min(identity.size + 1, head * 16)))
    return { is: 'skill', item, file: this.#options.looksOnce === true ? undefined : identity }
  }

  /** Lists a folder if it has no skill file, or if something else has that name and may be entered. */
  #orList(node: Node<T>, found: Found<T>): StoreAnswer<Found<T>> {
    const isListed = found.is === 'gone' || (found.is === 'not-read' && found.file.found === 'other' && this.#entersAll)
    return isListed && !node.isFile ? this.#list(node) : found
  }

  #list(node: Node<T>): StoreAnswer<Found<T>> {
    this.foldersListed++
    const found = (folder: StoreFolder | undefined): Found<T> =>
      folder === undefined ? gone : { is: 'folder', folder }
    try {
      const answer = this.#store.list(node.path, this.#call)
      return answer instanceof Promise
        ? answer.then(folder => found(this.#unlessAborted(folder))).catch((error: unknown) => this.#failed(error, true))
        : found(answer)
    } catch (error) {
      return this.#failed(error, true)
    }
  }

  #failed(error: unknown, isFolder: boolean): Found<T> {
    return this.#unlessAborted({ is: 'error', error, isFolder })
  }

  #unlessAborted<R>(value: R): R {
    if (this.#signal.aborted) throw abortError(this.#signal)
    return value
  }

  // Updating a node.

  #settle(node: Node<T>, found: Found<T>): Promise<void> | undefined {
    const before = this.#before.get(node)
    switch (found.is) {
      case 'kept':
        this.#enter(node)
        return undefined
      case 'folder':
        return this.#takeFolder(node, before, found.folder)
      case 'not-read':
        if (found.file.found === 'link') return this.#followFile(node, before, node.filePath)
    }
    this.#note(node, found)
    this.#finish(node, before)
    return undefined
  }

  /** Stores the result of reading a file in the node. */
  #note(node: Node<T>, found: Found<T>): void {
    if (found.is === 'skill') {
      node.state = 'skill'
      node.item = found.item
      node.file = found.file
      return
    }
    // The root existed a moment ago; another folder may be about to take its place.
    if (found.is === 'gone' && node === this.#root) this.#isOvertaken = true
    node.state = 'failed'
    const problem = this.#problemOf(node, node.via ?? node.filePath, found)
    if (problem !== undefined) node.problems = [{ ...problem, name: node.name }]
  }

  /** @param path of the node's file */
  #problemOf(node: Node<T>, path: string, found: Found<T>): Diagnostic | undefined {
    switch (found.is) {
      case 'error': {
        if (found.isFolder) return this.#cannotList(node, found.error)
        // A file that cannot even be looked at lies in a folder that must not be entered.
        const isClosed = systemCode(found.error) === 'EACCES' && this.#identityAt(path) === undefined
        return isClosed ? ioProblem('The folder', node.path, found.error) : ioProblem('The file', path, found.error)
      }
      case 'gone':
        // A file deleted since its folder was listed counts as never seen. The root was named by the caller, who should
        // hear of it.
        return node.isFile
          ? undefined
          : this.#cannotList(node, Object.assign(new Error('The file is gone.'), { code: 'ENOENT' }))
      case 'not-read': {
        const { file } = found
        if (file.found === 'other') return notAFile(path, file.what)
        if (file.found === 'too-large') return fileTooLarge(path, file.size, this.#options.fileBytes)
        return file.found === 'refused' ? file.problem : undefined
      }
      default:
        return undefined
    }
  }

  #cannotList(node: Node<T>, error: unknown): Diagnostic | undefined {
    const isGone = systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR'
    if (!isGone || node === this.#root) return ioProblem('The folder', node.path, error)
    return node.name.includes('\ufffd') ? unopenableName(node.path) : undefined
  }

  /** Reads a skill file that is a link, or is reached through one. */
  async #followFile(node: Node<T>, before: Before<T> | undefined, path: string): Promise<void> {
    node.via = path
    const target = await this.#follow(path)
    if ('problem' in target) {
      node.state = 'failed'
      node.problems = [{ ...target.problem, name: node.name }]
    } else if (!(await this.#keptFile(node, before, target.realPath))) {
      this.#note(node, await this.#file(node, path, target.realPath, target.realPath))
    }
    this.#finish(node, before)
  }

  /**
   * Restores a node's item if the path still leads to the same file and the file has not changed. Returns true if it
   * did.
   */
  async #keptFile(node: Node<T>, before: Before<T> | undefined, realPath: string): Promise<boolean> {
    const { item, file, via, readAt } = before ?? {}
    if (item === undefined || file === undefined || readAt === undefined) return false
    if (via !== node.via || file.realPath !== realPath || !(await this.#isSame(item, file, readAt))) return false
    Object.assign(node, { state: 'skill', item, file, readAt })
    return true
  }

  /** Takes over the listing of a folder without a SKILL.md. */
  async #takeFolder(node: Node<T>, before: Before<T> | undefined, folder: StoreFolder): Promise<void> {
    node.state = 'listed'
    // On a disk these are pipes and the like. They are reported only if one has the name of a skill's file.
    if (this.#store.id !== 'disk')
      node.problems = (folder.others ?? []).map(({ name, what }) => notSearched(`${node.path}/${name}`, what))
    const others = folder.others?.map(({ name }) => name) ?? []
    const skillFiles = [folder.files, folder.links, this.#entersAll ? [] : folder.folders, others]
      .flatMap(names => names.filter(isSkillFile))
      .sort()
    if (skillFiles.includes(skillFile) && !this.#isOnlyListed(node)) return this.#openLate(node, before)
    if (node === this.#root && this.#options.mayBeSkill !== true) {
      if (skillFiles[0] !== undefined) node.problems = [...node.problems, skillAtRoot(`${node.path}/${skillFiles[0]}`)]
    } else if (await this.#tookOtherCase(node, before, skillFiles)) return this.#finish(node, before)
    if (folder.files.length > 0) {
      // Imported on use: hardly any folder of skills has files of its own.
      const { almostSkillsIn } = await import('./almost-skills.js')
      node.problems = [...node.problems, ...(await almostSkillsIn(node, folder.files, this.#options, this.#signal))]
    }
    if (node === this.#root || this.#options.walk === 'deep') {
      const { listed, problems } = await this.#listedOf(node, before?.listed, folder)
      node.listed = listed
      if (problems.length > 0) node.problems = [...node.problems, ...problems]
    } else node.listed = { identity: folder.identity, hasLinks: false, tooDeep: 0, tooMany: 0, children: none }
    this.#finish(node, before)
    this.#enter(node)
  }

  /** Queues the children of a listed folder. */
  #enter(node: Node<T>): void {
    if (node.listed === undefined) return
    this.#entered.push(node)
    const { children } = node.listed
    for (let at = children.length - 1; at >= 0; at--) this.#left.push(children[at] as Node<T>)
  }

  /** Reads a file that was missing when it was to be opened, and exists now. */
  async #openLate(node: Node<T>, before: Before<T> | undefined): Promise<void> {
    this.#isOvertaken = true
    const found = await this.#file(node, node.filePath, node.realFilePath)
    if (found.is === 'not-read' && found.file.found === 'link') return this.#followFile(node, before, node.filePath)
    // If it is gone again, the next walk looks for it too.
    this.#note(node, found)
    this.#finish(node, before)
  }

  /** Reads a `skill.md`. Returns true if it stands for the folder. */
  async #tookOtherCase(node: Node<T>, before: Before<T> | undefined, skillFiles: readonly string[]): Promise<boolean> {
    const name = skillFiles.find(file => file !== skillFile)
    if (name === undefined || skillFiles.includes(skillFile)) return false
    const path = `${node.path}/${name}`
    // In nested walks only a file named exactly SKILL.md is an entry.
    if (this.#options.otherCase !== 'load' || this.#options.nested === true) {
      node.problems = [otherCase(node.name, path, false)]
      return false
    }
    // Setting `via` makes the next walk notice a SKILL.md that appears beside it, although this file is unchanged.
    node.via = path
    const realPath = `${node.realPath}/${name}`
    if (!(await this.#keptFile(node, before, realPath))) {
      const found = await this.#file(node, path, realPath)
      if (found.is === 'not-read' && found.file.found === 'link') await this.#followFile(node, before, path)
      else this.#note(node, found)
    }
    if (node.state === 'skill') node.problems = [otherCase(node.name, path, true)]
    return true
  }

  /** Notes whether the node has changed, and keeps the older objects if it has not. */
  #finish(node: Node<T>, before: Before<T> | undefined): void {
    const { item, problems = none, leftOut = 0 } = before ?? {}
    if (item !== undefined && node.item !== undefined && this.#options.isSame?.(item, node.item) === true)
      node.item = item
    if (problems.length > 0 && areSame(problems, node.problems)) node.problems = problems
    if (
      node.item !== item ||
      (node.problems !== problems && node.problems.length + problems.length > 0) ||
      node.leftOut !== leftOut
    )
      this.#hasChanged = true
  }

  // The entries of a folder.

  /** Makes the listing of a folder. Children that are still there keep their nodes. */
  async #listedOf(
    node: Node<T>,
    before: Listed<T> | undefined,
    folder: StoreFolder,
  ): Promise<{ readonly listed: Listed<T>; readonly problems: readonly Diagnostic[] }> {
    const folders = folder.folders.filter(name => this.#isSearched(name) && !this.#isIgnored(node, `${name}/`))
    const links = folder.links.filter(name => this.#isSearched(name) && !this.#isIgnored(node, name))
    const isTooDeep = node.depth >= this.#options.depth
    const { files, problems } = await this.#filesIn(node, folder, links)
    const reals = new Map<string, string>()
    let tooDeep = isTooDeep ? folders.length : 0
    const isFile = new Set(files)
    for (const [at, entry] of links.entries()) {
      // A store that answers at once would let nothing else run.
      if (at % linkBatch === linkBatch - 1) await turn()
      if (isFile.has(entry)) continue
      if (isTooDeep) tooDeep += (await this.#isFolder(`${node.path}/${entry}`)) ? 1 : 0
      else {
        const target = await this.#followFolder(node, `${node.path}/${entry}`)
        if ('problem' in target) problems.push({ ...target.problem, name: entry })
        else if (target.realPath !== undefined) reals.set(entry, target.realPath)
      }
    }
    // In code unit order. Sorting ten thousand names takes a tenth of the time of sorting their nodes.
    const names = [...(isTooDeep ? [] : folders), ...files, ...reals.keys()].sort()
    const known = new Map(before?.children.map(child => [child.entry, child]))
    const wanted = names.map(entry =>
      childOf(node, entry, known.get(entry), files.length > 0 && isFile.has(entry), reals.get(entry)),
    )
    const children = this.#admit(wanted, before?.children, known)
    // Patterns and link targets may change while the folder itself does not.
    const hasLinks = links.length > 0 || this.#ignores !== undefined
    const tooMany = wanted.length - children.length
    return { listed: { identity: folder.identity, hasLinks, tooDeep, tooMany, children }, problems }
  }

  /** Counts the nodes, only when needed. Call it before a node forgets its children. */
  #nodes(): number {
    return (this.#count ??= this.#root.size)
  }

  /** Returns as many children as the limit has room for. Known ones keep their place. */
  #admit(
    wanted: readonly Node<T>[],
    before: readonly Node<T>[] | undefined,
    known: ReadonlyMap<string, Node<T>>,
  ): readonly Node<T>[] {
    let count = this.#nodes()
    // In nearly all cases all are new folders, and there is room for them.
    if (
      before === undefined &&
      wanted.length <= this.#options.folders - count &&
      !wanted.some(({ isFile }) => isFile)
    ) {
      this.#count = count + wanted.length
      return wanted
    }
    const still = new Set(wanted.filter(child => known.get(child.entry) === child))
    for (const child of before ?? []) {
      if (still.has(child)) continue
      if (child.hasContent) this.#hasChanged = true
      count -= child.size
    }
    let room = this.#options.folders - count
    const children = wanted.filter(child => still.has(child) || child.size === 0 || room-- > 0)
    for (const child of children) if (!still.has(child)) count += child.size
    this.#count = count
    return children
  }

  #isSearched(name: string): boolean {
    const { skipped } = this.#options
    return (
      !(name.startsWith('.') && skipped.includes('hidden')) &&
      !(name === 'node_modules' && skipped.includes('node_modules'))
    )
  }

  /** Returns true if an entry of a folder is left out. */
  #isIgnored(parent: Node<T>, entry: string): boolean {
    return this.#ignores?.(`${parent.path}/${entry}`) === true
  }

  /**
   * Returns the files in a folder that are read by themselves, including links to files, and problems of other names.
   */
  async #filesIn(
    node: Node<T>,
    folder: StoreFolder,
    links: readonly string[],
  ): Promise<{ readonly files: readonly string[]; readonly problems: Diagnostic[] }> {
    if (this.#options.nested === true) {
      const isSearched = node !== this.#root || this.#options.mayBeSkill === true
      const linked = this.#options.linkedFiles === false ? [] : links
      return { files: isSearched ? [...folder.files, ...linked].filter(name => name === skillFile) : [], problems: [] }
    }
    const { loose = false } = this.#options
    if (loose === false || (loose !== true && (loose === 'root') !== (node === this.#root)))
      return { files: [], problems: [] }
    const linked: string[] = []
    for (const name of links.filter(isMarkdown)) if (!(await this.#isFolder(`${node.path}/${name}`))) linked.push(name)
    const isLoose = (name: string): boolean =>
      isMarkdown(name) && !isSkillFile(name) && this.#isSearched(name) && !this.#isIgnored(node, name)
    const found = [...folder.files.filter(isLoose), ...linked]
    const others = this.#options.otherCase === 'report-all' ? found.filter(name => !name.endsWith('.md')) : []
    return {
      files: others.length === 0 ? found : found.filter(name => !others.includes(name)),
      problems: others.map(name => otherEnding(`${node.path}/${name}`)),
    }
  }

  // Following links. Everything here rejects only for an abort.

  /** Returns the target of a link, or the reason why it must not be followed. */
  async #follow(path: string): Promise<{ readonly realPath: string } | { readonly problem: Diagnostic }> {
    const { within } = this.#options
    try {
      const realPath = await this.#store.realPath?.(path, this.#call)
      if (realPath === undefined) return { problem: danglingLink(path) }
      const stats =
        within?.some(one => one.endsWith('/*')) === true ? await this.#store.stat(realPath, this.#call) : undefined
      const problem = escapeProblem(path, realPath, within, () => stats?.kind === 'folder')
      return problem === undefined ? { realPath } : { problem }
    } catch (error) {
      return this.#unlessAborted({ problem: ioProblem('The link', path, error) })
    }
  }

  /**
   * Returns the folder that a link leads to and that the walk enters. `realPath` is undefined if the target is not a
   * folder.
   */
  async #followFolder(
    parent: Node<T>,
    path: string,
  ): Promise<{ readonly realPath: string | undefined } | { readonly problem: Diagnostic }> {
    const target = await this.#follow(path)
    if ('problem' in target) return target
    const { realPath } = target
    if (!(await this.#isFolder(realPath))) return { realPath: undefined }
    if (isInside(parent.realPath, realPath)) return { problem: linkCycle(path, realPath) }
    if (this.#reached.has(realPath)) return { problem: linkAgain(path, realPath) }
    this.#reached.add(realPath)
    return { realPath }
  }

  /** Returns true if a path leads to a folder. Following it reports a failure. */
  async #isFolder(path: string): Promise<boolean> {
    try {
      const realPath = await this.#store.realPath?.(path, this.#call)
      return realPath !== undefined && (await this.#store.stat(realPath, this.#call))?.kind === 'folder'
    } catch {
      return this.#unlessAborted(false)
    }
  }
}

/** File that is being read, lent to the reader. */
class Reading implements FoundFile {
  readonly name: string
  readonly path: string
  readonly identity: FileIdentity

  constructor(name: string, path: string, identity: FileIdentity) {
    this.name = name
    this.path = path
    this.identity = identity
  }

  get folder(): string {
    return this.path.slice(0, this.path.lastIndexOf('/'))
  }
}

/** Returns the known child of this name if it is still of the same kind, otherwise a new one. */
function childOf<T>(
  parent: Node<T>,
  entry: string,
  known: Node<T> | undefined,
  isFile: boolean,
  real: string | undefined,
): Node<T> {
  const isSame =
    known?.isFile === isFile && (real === undefined ? !known.isLink : known.isLink && known.realPath === real)
  return known !== undefined && isSame ? known : new Node<T>(parent, entry, isFile, real)
}

function areSame(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  return a.length === b.length && a.every((diagnostic, at) => diagnostic.message === b[at]?.message)
}

const none: readonly never[] = Object.freeze([])
const kept = Object.freeze({ is: 'kept' } as const)
const gone = Object.freeze({ is: 'gone' } as const)
