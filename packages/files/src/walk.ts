import { abortError, type Diagnostic, type FileIdentity } from '@skills/core'
import {
  after,
  danglingLink,
  escapeProblem,
  isInside,
  type Answer,
  type Store,
  type StoreFile,
  type StoreFolder,
} from '@skills/store'
import { setImmediate as turn } from 'node:timers/promises'
import { isSettled, isUnchanged } from './file-identity.js'
import { isMarkdown, Node, skillFile, type Before, type Listed } from './node.js'
import { ioProblem, systemCode } from './problem.js'
import {
  fileTooLarge,
  linkAgain,
  linkCycle,
  notAFile,
  notSearched,
  otherCase,
  skillAtRoot,
  unopenableName,
} from './walk-problems.js'
import type { FoundFile, TreeOptions } from './tree-options.js'

/** Bytes of a file that are read first: nearly every block of frontmatter ends within them. */
const headBytes = 4096
/** Nodes that are asked about at one time where the store is slow. */
const sideBySide = 16
/** Milliseconds after which the rest of the process has its turn. */
const sliceMs = 4
/** Milliseconds after which it is told how far a walk is, however few the files. */
const tellMs = 100

/** What stands at a node. */
type Found<T> =
  | { readonly is: 'kept' | 'gone' | 'unwanted' }
  | { readonly is: 'skill'; readonly item: T | undefined; readonly file: FileIdentity }
  | { readonly is: 'folder'; readonly folder: StoreFolder }
  | { readonly is: 'error'; readonly error: unknown; readonly isFolder: boolean }
  | { readonly is: 'not-read'; readonly file: Exclude<StoreFile, { readonly found: 'file' | 'unwanted' }> }

/** One walk over a tree, new or known. What is as it was is passed over. */
export class Walk<T> {
  /** Files of which anything was read. */
  filesRead = 0
  /** Folders of which the names were read. */
  foldersListed = 0
  /** Whether anything is other than before the walk. */
  hasChanged = false
  readonly #options: TreeOptions<T>
  readonly #store: Store
  readonly #root: Node<T>
  /** Only what lies at, under or above these counts; undefined: everything. */
  readonly #paths: readonly string[] | undefined
  readonly #signal: AbortSignal
  readonly #call: { readonly signal: AbortSignal }
  /** What is still to be met, the next one last: in order, so that a limit always leaves out the same ones. */
  readonly #left: Node<T>[]
  /** What was asked before its turn. */
  readonly #ahead = new Map<Node<T>, Answer<Found<T>>>()
  readonly #before = new Map<Node<T>, Before<T>>()
  /** Real paths of folders reached through a link, and of the root: reaching one again would go on for ever. */
  readonly #reached: Set<string>
  /** Folders whose listing this walk went by. */
  readonly #entered: Node<T>[] = []
  /** What went away, or came, between being listed and being opened. */
  #isOvertaken = false
  #isAborted = false
  #count: number

  constructor(options: TreeOptions<T>, root: Node<T>, paths: readonly string[] | undefined, signal: AbortSignal) {
    this.#options = options
    this.#store = options.store
    this.#root = root
    this.#paths = paths
    this.#signal = signal
    this.#call = { signal }
    this.#left = [root]
    this.#reached = new Set([root.realPath])
    this.#count = root.size
  }

  /** Rejects with an `AbortError` when the signal aborts; the tree is then half seen. */
  async run(onProgress: (done: number) => void): Promise<void> {
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
  }

  /**
   * Paths of folders that another one took the place of while the walk was at work below them, or that changed: what
   * was found there may be of one as well as of the other.
   */
  async overtaken(): Promise<readonly string[]> {
    const changed: string[] = []
    for (const node of this.#entered) {
      const stats = await this.#stat(node)
      if (!node.isListedAs(stats)) changed.push(node.path)
    }
    return this.#isOvertaken && changed.length === 0 ? [this.#root.path] : changed
  }

  /** Whether a node lies at, under or above one of the paths, or was never looked at. */
  #isConcerned(node: Node<T>): boolean {
    if (this.#paths === undefined || node === this.#root || node.state === 'unseen') return true
    const { path } = node
    return this.#paths.some(one => isInside(one, path) || isInside(path, one))
  }

  /** Notes where the links below a node lead that is not looked at this time. */
  #reach(node: Node<T>): void {
    if (node.isLink) this.#reached.add(node.realPath)
    for (const child of node.listed?.children ?? []) this.#reach(child)
  }

  /**
   * Asks about what is next in line, side by side. What comes of it is dealt with in order, so waiting changes no
   * result.
   */
  #askAhead(): void {
    for (let at = this.#left.length - 1, room = sideBySide; at >= 0 && room > 0; at--, room--) {
      const node = this.#left[at]
      if (node === undefined || this.#ahead.has(node) || !this.#isConcerned(node)) continue
      const answer = this.#ask(node)
      this.#ahead.set(node, answer)
      // It is waited for in its turn, and at the end of a walk that stops before.
      if (answer instanceof Promise) answer.catch(() => {})
    }
  }

  /** Asks the store what stands at a node. Rejects, or throws, for an abort alone. */
  #ask(node: Node<T>): Answer<Found<T>> {
    if (node.state === 'unseen') return this.#look(node)
    const isKept = this.#isKept(node)
    return isKept instanceof Promise ? isKept.then(is => this.#askAgain(node, is)) : this.#askAgain(node, isKept)
  }

  #askAgain(node: Node<T>, isKept: boolean): Answer<Found<T>> {
    if (isKept) return kept
    this.#before.set(node, node.reset())
    return this.#look(node)
  }

  #look(node: Node<T>): Answer<Found<T>> {
    node.readAt = this.#options.now()
    if (this.#isOnlyListed(node)) return this.#list(node)
    const { filePath } = node
    const found = this.#read(node, filePath, node.isPlain ? filePath : node.realFilePath)
    return found instanceof Promise
      ? found.then(this.#orList(node))
      : found.is === 'gone' && !node.isFile
        ? this.#list(node)
        : found
  }

  #orList(node: Node<T>): (found: Found<T>) => Answer<Found<T>> {
    return found => (found.is === 'gone' && !node.isFile ? this.#list(node) : found)
  }

  /**
   * Whether a folder is not asked for a skill file of its own: the root's, and all of them where such files are entries
   * like any other.
   */
  #isOnlyListed(node: Node<T>): boolean {
    return (node === this.#root && this.#options.mayBeSkill !== true) || (this.#options.nested === true && !node.isFile)
  }

  #isKept(node: Node<T>): Answer<boolean> {
    const { file, readAt, item, listed } = node
    if (node.state === 'skill' && file !== undefined && node.via === undefined) return this.#isSame(item, file, readAt)
    // Where the limit left folders out there may be room for them by now.
    if (node.state !== 'listed' || listed === undefined || listed.hasLinks || listed.tooMany > 0) return false
    return after(
      this.#stat(node),
      now =>
        node.isListedAs(now) && (listed.identity.version !== undefined || isSettled(listed.identity.ctimeMs, readAt)),
    )
  }

  /** Whether a file is as it was when it was read, and what was made of it still stands. */
  #isSame(item: T | undefined, file: FileIdentity, readAt: number): Answer<boolean> {
    const now = this.#statAt(file.realPath)
    return now instanceof Promise
      ? now.then(one => this.#stands(item, file, readAt, one))
      : this.#stands(item, file, readAt, now)
  }

  #stands(item: T | undefined, file: FileIdentity, readAt: number, now: FileIdentity | undefined): Answer<boolean> {
    if (now === undefined || !isUnchanged(file, now, readAt)) return false
    return item === undefined || (this.#options.isCurrent?.(item) ?? true)
  }

  #stat(node: Node<T>): Answer<FileIdentity | undefined> {
    return this.#statAt(node.isPlain ? node.path : node.realPath)
  }

  /** Undefined also where it cannot be told: looking closer says why. */
  #statAt(path: string): Answer<FileIdentity | undefined> {
    try {
      const stats = this.#store.stat(path, this.#call)
      return stats instanceof Promise
        ? stats.then(
            one => one?.identity,
            () => this.#unlessAborted(undefined),
          )
        : stats?.identity
    } catch {
      // The look that follows meets the same failure, and reports it.
      return undefined
    }
  }

  /** @param from where the file is read, if the path is a link to it */
  #read(node: Node<T>, path: string, realPath: string, from = path, head = headBytes): Answer<Found<T>> {
    const call = {
      head,
      maxBytes: this.#options.fileBytes,
      signal: this.#signal,
      realPath,
      via: from === path ? undefined : path,
    }
    // Without a function for each file, as most are answered at once: it would be a good part of the work.
    try {
      const answer = this.#store.read(from, call)
      if (!(answer instanceof Promise)) return this.#take(node, path, realPath, from, head, answer)
      // Nothing is made of what comes after an abort.
      return answer
        .then(file => this.#take(node, path, realPath, from, head, this.#unlessAborted(file)))
        .catch((error: unknown) => this.#failed(error, false))
    } catch (error) {
      return this.#failed(error, false)
    }
  }

  /** Makes an item of what was read, or reads more of it. */
  #take(
    node: Node<T>,
    path: string,
    realPath: string,
    from: string,
    head: number,
    file: StoreFile | undefined,
  ): Answer<Found<T>> {
    if (file === undefined) return gone
    if (head === headBytes && (file.found === 'file' || file.found === 'unwanted')) this.filesRead++
    if (file.found === 'unwanted') return { is: 'unwanted' }
    if (file.found !== 'file') return { is: 'not-read', file }
    const { identity } = file.stats
    const item = this.#options.read(new Reading(node.name, path, identity), file)
    if (item === undefined && !file.isWhole)
      return this.#read(node, path, realPath, from, Math.max(head * 4, Math.min(identity.size + 1, head * 16)))
    return { is: 'skill', item, file: identity }
  }

  #list(node: Node<T>): Answer<Found<T>> {
    this.foldersListed++
    const found = (folder: StoreFolder | undefined): Found<T> =>
      folder === undefined ? gone : { is: 'folder', folder }
    try {
      const answer = this.#store.list(node.path, { signal: this.#signal })
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
    if (this.#isAborted) throw abortError(this.#signal)
    return value
  }

  /** Makes of what was found what the node is from now on. */
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
    this.#note(node, node.filePath, found)
    this.#finish(node, before)
    return undefined
  }

  /** What was read of a file becomes the node's state. */
  #note(node: Node<T>, path: string, found: Found<T>): void {
    const { name } = node
    node.state = 'failed'
    switch (found.is) {
      case 'skill':
        node.state = 'skill'
        node.item = found.item
        node.file = found.file
        return
      case 'error':
        if (found.isFolder) node.problems = this.#cannotList(node, found.error)
        else {
          // A file that cannot even be looked at lies in a folder that may not be entered.
          const isClosed = systemCode(found.error) === 'EACCES' && this.#statAt(path) === undefined
          node.problems = [
            {
              ...(isClosed
                ? ioProblem('The folder', node.path, found.error)
                : ioProblem('The file', path, found.error)),
              name,
            },
          ]
        }
        return
      case 'gone':
        // Deleted since its parent was listed: as if it had never been. The root was named, and its reader should hear
        // of it.
        if (!node.isFile)
          node.problems = this.#cannotList(node, Object.assign(new Error('It is gone.'), { code: 'ENOENT' }))
        return
      case 'not-read': {
        const { file } = found
        if (file.found === 'other') node.problems = [notAFile(name, path, file.what)]
        if (file.found === 'too-large') node.problems = [fileTooLarge(name, path, file.size, this.#options.fileBytes)]
        if (file.found === 'refused') node.problems = [{ ...file.problem, name }]
      }
    }
  }

  #cannotList(node: Node<T>, error: unknown): readonly Diagnostic[] {
    const isGone = systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR'
    if (!isGone || node === this.#root) return [{ ...ioProblem('The folder', node.path, error), name: node.name }]
    return node.name.includes('\ufffd') ? [unopenableName(node.name, node.path)] : []
  }

  /** Deals with a skill file that is a link, or is reached as one. */
  async #followFile(node: Node<T>, before: Before<T> | undefined, path: string): Promise<void> {
    node.via = path
    const target = await this.#followLink(path)
    if ('problem' in target) {
      node.state = 'failed'
      node.problems = [{ ...target.problem, name: node.name }]
    } else if (!(await this.#keptFile(node, before, target.realPath))) {
      this.#note(node, path, await this.#read(node, path, target.realPath, target.realPath))
    }
    this.#finish(node, before)
  }

  /** Gives a node back what was read of its file, when the path still leads to that file and it is as it was. */
  async #keptFile(node: Node<T>, before: Before<T> | undefined, realPath: string): Promise<boolean> {
    if (
      before?.item === undefined ||
      before.file === undefined ||
      before.via !== node.via ||
      before.file.realPath !== realPath
    )
      return false
    if (!(await this.#isSame(before.item, before.file, before.readAt))) return false
    node.state = 'skill'
    node.item = before.item
    node.file = before.file
    node.readAt = before.readAt
    return true
  }

  async #followLink(path: string): Promise<{ readonly realPath: string } | { readonly problem: Diagnostic }> {
    const { within } = this.#options
    const call = { signal: this.#signal }
    try {
      const realPath = await this.#store.realPath?.(path, call)
      if (realPath === undefined) return { problem: danglingLink(path) }
      const stats =
        within?.some(one => one.endsWith('/*')) === true ? await this.#store.stat(realPath, call) : undefined
      const problem = escapeProblem(path, realPath, within, () => stats?.kind === 'folder')
      return problem === undefined ? { realPath } : { problem }
    } catch (error) {
      return { problem: ioProblem('The link', path, this.#unlessAborted(error)) }
    }
  }

  /** Deals with a folder that has no SKILL.md. */
  async #takeFolder(node: Node<T>, before: Before<T> | undefined, folder: StoreFolder): Promise<void> {
    node.state = 'listed'
    // Of a disk they are pipes and the like, which are reported where one has the name of a skill's file.
    if (this.#store.id !== 'disk')
      node.problems = (folder.others ?? []).map(({ name, what }) => notSearched(`${node.path}/${name}`, what))
    const skillFiles = [
      ...folder.files,
      ...folder.links,
      ...folder.folders,
      ...(folder.others?.map(({ name }) => name) ?? []),
    ]
      .filter(isSkillFile)
      .sort()
    if (skillFiles.includes(skillFile) && !this.#isOnlyListed(node)) return this.#openLate(node, before)
    if (node === this.#root && this.#options.mayBeSkill !== true) {
      if (skillFiles[0] !== undefined) node.problems = [...node.problems, skillAtRoot(`${node.path}/${skillFiles[0]}`)]
    } else if (await this.#tookOtherCase(node, before, skillFiles)) return this.#finish(node, before)
    node.listed =
      node === this.#root || this.#options.walk === 'deep'
        ? await this.#childrenOf(node, before?.listed, folder)
        : { identity: folder.identity, hasLinks: false, tooDeep: 0, tooMany: 0, children: [] }
    this.#finish(node, before)
    this.#enter(node)
  }

  /** The children of a listed folder come next. */
  #enter(node: Node<T>): void {
    if (node.listed === undefined) return
    this.#entered.push(node)
    const { children } = node.listed
    for (let at = children.length - 1; at >= 0; at--) this.#left.push(children[at] as Node<T>)
  }

  /** Deals with a file that was not there when it was to be opened, and is there now. */
  async #openLate(node: Node<T>, before: Before<T> | undefined): Promise<void> {
    this.#isOvertaken = true
    const found = await this.#read(node, node.filePath, node.realFilePath)
    if (found.is === 'not-read' && found.file.found === 'link') return this.#followFile(node, before, node.filePath)
    // Gone again: it is looked for the next time, too.
    this.#note(node, node.filePath, found)
    this.#finish(node, before)
  }

  /** Deals with a `skill.md`; true when it stands for the folder. */
  async #tookOtherCase(node: Node<T>, before: Before<T> | undefined, skillFiles: readonly string[]): Promise<boolean> {
    const name = skillFiles.find(file => file !== skillFile)
    if (name === undefined || skillFiles.includes(skillFile)) return false
    const path = `${node.path}/${name}`
    // Where skills lie within others a file is an entry of its folder, and this one is none.
    if (this.#options.otherCase === 'report' || this.#options.nested === true) {
      node.problems = [otherCase(node.name, path, false)]
      return false
    }
    // A SKILL.md that comes to stand beside it must be noticed, though this file is as it was.
    node.via = path
    const realPath = `${node.realPath}/${name}`
    if (!(await this.#keptFile(node, before, realPath))) {
      const found = await this.#read(node, path, realPath)
      if (found.is === 'not-read' && found.file.found === 'link') await this.#followFile(node, before, path)
      else this.#note(node, path, found)
    }
    if (node.state === 'skill') node.problems = [otherCase(node.name, path, true)]
    return true
  }

  /**
   * The children of a folder, within the limits of the walk: those that stay are taken over with what is known of them,
   * what is gone is noted.
   */
  async #childrenOf(node: Node<T>, before: Listed<T> | undefined, folder: StoreFolder): Promise<Listed<T>> {
    const folders = folder.folders.filter(this.#isSearched)
    const links = folder.links.filter(this.#isSearched)
    const isTooDeep = node.depth >= this.#options.depth
    const known = new Map(before?.children.map(child => [child.entry, child]))
    const files = await this.#filesIn(node, folder, links)
    const reals = new Map<string, string>()
    let tooDeep = isTooDeep ? folders.length : 0
    for (const entry of links) {
      if (files.includes(entry)) continue
      const target = isTooDeep ? await this.#isFolder(`${node.path}/${entry}`) : await this.#followFolder(node, entry)
      if (target === true) tooDeep++
      else if (typeof target === 'string') reals.set(entry, target)
    }
    // In the order of code units. Names are put in order and not nodes: of ten thousand that takes a tenth of the time.
    const names = [...(isTooDeep ? [] : folders), ...files, ...reals.keys()].sort()
    const wanted = names.map(entry =>
      this.#childOf(node, entry, known.get(entry), files.length > 0 && files.includes(entry), reals.get(entry)),
    )
    let room = this.#options.folders - this.#count
    const { length } = wanted
    // Nearly always all of them are new and there is room for each.
    if (before === undefined && length <= room && files.length === 0) {
      this.#count += length
      return { identity: folder.identity, hasLinks: links.length > 0, tooDeep, tooMany: 0, children: wanted }
    }
    const still = new Set(wanted.filter(child => known.get(child.entry) === child))
    for (const child of before?.children ?? []) {
      if (still.has(child)) continue
      if (child.hasContent) this.hasChanged = true
      this.#count -= child.size
    }
    // Those that are known have their place already.
    room = this.#options.folders - this.#count
    const children = wanted.filter(child => still.has(child) || child.size === 0 || room-- > 0)
    for (const child of children) if (!still.has(child)) this.#count += child.size
    return {
      identity: folder.identity,
      hasLinks: links.length > 0,
      tooDeep,
      tooMany: wanted.length - children.length,
      children,
    }
  }

  /** The child that is known by this name, where it still is the same kind of thing, or a new one. */
  #childOf(
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

  readonly #isSearched = (name: string): boolean => {
    const { skipped } = this.#options
    return (
      !(name.startsWith('.') && skipped.includes('hidden')) &&
      !(name === 'node_modules' && skipped.includes('node_modules'))
    )
  }

  /** The files that are read by themselves, links to such among them. */
  async #filesIn(node: Node<T>, folder: StoreFolder, links: readonly string[]): Promise<readonly string[]> {
    if (this.#options.nested === true) {
      return node === this.#root && this.#options.mayBeSkill !== true
        ? []
        : [...folder.files, ...links].filter(name => name === skillFile)
    }
    if (this.#options.loose !== true) return []
    const linked: string[] = []
    for (const name of links.filter(isMarkdown))
      if ((await this.#isFolder(`${node.path}/${name}`)) === undefined) linked.push(name)
    return [...folder.files.filter(name => isMarkdown(name) && !isSkillFile(name) && this.#isSearched(name)), ...linked]
  }

  /** Whether a link leads to a folder; undefined when it does not. */
  async #isFolder(path: string): Promise<true | undefined> {
    try {
      const call = { signal: this.#signal }
      const realPath = await this.#store.realPath?.(path, call)
      return realPath !== undefined && (await this.#store.stat(realPath, call))?.kind === 'folder' ? true : undefined
    } catch (error) {
      // Where it leads is told where it is followed.
      this.#unlessAborted(error)
      return undefined
    }
  }

  /** Where a link to a folder leads that the walk goes on to. */
  async #followFolder(parent: Node<T>, name: string): Promise<string | undefined> {
    const path = `${parent.path}/${name}`
    const complain = (diagnostic: Diagnostic): undefined => {
      parent.problems = [...parent.problems, { ...diagnostic, name }]
      return undefined
    }
    const target = await this.#followLink(path)
    if ('problem' in target) return complain(target.problem)
    const { realPath } = target
    if ((await this.#isFolder(realPath)) === undefined) return undefined
    if (isInside(parent.realPath, realPath)) return complain(linkCycle(path, realPath))
    if (this.#reached.has(realPath)) return complain(linkAgain(path, realPath))
    this.#reached.add(realPath)
    return realPath
  }

  /** Notes whether the node means something else now; keeps the older objects where it does not. */
  #finish(node: Node<T>, before: Before<T> | undefined): void {
    if (
      before?.item !== undefined &&
      node.item !== undefined &&
      this.#options.isSame?.(before.item, node.item) === true
    )
      node.item = before.item
    const problems = before?.problems ?? none
    if (problems.length > 0 && areSame(problems, node.problems)) node.problems = problems
    if (node.item !== before?.item || (node.problems !== problems && node.problems.length + problems.length > 0))
      this.hasChanged = true
    if (node.leftOut !== (before?.leftOut ?? 0)) this.hasChanged = true
  }
}

/** The file that is being read, lent to the reader. */
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

function isSkillFile(name: string): boolean {
  return name.length === skillFile.length && name.toLowerCase() === 'skill.md'
}

function areSame(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  return a.length === b.length && a.every((diagnostic, at) => diagnostic.message === b[at]?.message)
}

const none: readonly never[] = Object.freeze([])
const gone = Object.freeze({ is: 'gone' } as const)
const kept = Object.freeze({ is: 'kept' } as const)
