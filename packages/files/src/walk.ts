import { abortError, type Diagnostic } from '@skills/core'
import { isInside, type Answer, type Store, type StoreFolder } from '@skills/store'
import { setImmediate as turn } from 'node:timers/promises'
import { isSkillFile, skillFile, type Before, type Node } from './node.js'
import { ioProblem, systemCode } from './problem.js'
import { WalkChildren } from './walk-children.js'
import { WalkLinks } from './walk-links.js'
import { WalkLooks, type Found } from './walk-looks.js'
import { fileTooLarge, notAFile, notSearched, otherCase, skillAtRoot, unopenableName } from './walk-problems.js'
import type { TreeOptions } from './tree-options.js'

/** Nodes that are asked about at one time where the store is slow. */
const sideBySide = 16
/** Milliseconds after which the rest of the process has its turn. */
const sliceMs = 4
/** Milliseconds after which it is told how far a walk is, however few the files. */
const tellMs = 100

/** One walk over a tree, new or known. What is as it was is passed over. */
export class Walk<T> {
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
  readonly #looks: WalkLooks<T>
  readonly #links: WalkLinks<T>
  readonly #children: WalkChildren<T>
  /** Folders whose listing this walk went by. */
  readonly #entered: Node<T>[] = []
  /** What went away, or came, between being listed and being opened. */
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
    this.#left = [root]
    this.#looks = new WalkLooks(options, root, this.#call)
    this.#links = new WalkLinks(options, root, this.#call)
    this.#children = new WalkChildren(options, root, this.#links)
  }

  get filesRead(): number {
    return this.#looks.filesRead
  }

  get foldersListed(): number {
    return this.#looks.foldersListed
  }

  /** Whether anything is other than before the walk. */
  get hasChanged(): boolean {
    return this.#hasChanged || this.#children.hasLost
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
          this.#links.reach(node)
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
      const stats = await this.#looks.identityOf(node)
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
    if (node.state === 'unseen') return this.#looks.at(node)
    const isKept = this.#looks.isKept(node)
    return isKept instanceof Promise ? isKept.then(is => this.#askAgain(node, is)) : this.#askAgain(node, isKept)
  }

  #askAgain(node: Node<T>, isKept: boolean): Answer<Found<T>> {
    if (isKept) return kept
    this.#children.count()
    this.#before.set(node, node.reset())
    return this.#looks.at(node)
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
    this.#note(node, found)
    this.#finish(node, before)
    return undefined
  }

  /** What was read of a file becomes the node's state. */
  #note(node: Node<T>, found: Found<T>): void {
    if (found.is === 'skill') {
      node.state = 'skill'
      node.item = found.item
      node.file = found.file
      return
    }
    // It was there a moment ago: another may be about to take its place.
    if (found.is === 'gone' && node === this.#root) this.#isOvertaken = true
    node.state = 'failed'
    const problem = this.#problemOf(node, node.via ?? node.filePath, found)
    if (problem !== undefined) node.problems = [{ ...problem, name: node.name }]
  }

  /** @param path of its file */
  #problemOf(node: Node<T>, path: string, found: Found<T>): Diagnostic | undefined {
    switch (found.is) {
      case 'error': {
        if (found.isFolder) return this.#cannotList(node, found.error)
        // A file that cannot even be looked at lies in a folder that may not be entered.
        const isClosed = systemCode(found.error) === 'EACCES' && this.#looks.identityAt(path) === undefined
        return isClosed ? ioProblem('The folder', node.path, found.error) : ioProblem('The file', path, found.error)
      }
      case 'gone':
        // Deleted since its parent was listed: as if it had never been. The root was named, and its reader should hear
        // of it.
        return node.isFile
          ? undefined
          : this.#cannotList(node, Object.assign(new Error('It is gone.'), { code: 'ENOENT' }))
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

  /** Deals with a skill file that is a link, or is reached as one. */
  async #followFile(node: Node<T>, before: Before<T> | undefined, path: string): Promise<void> {
    node.via = path
    const target = await this.#links.follow(path)
    if ('problem' in target) {
      node.state = 'failed'
      node.problems = [{ ...target.problem, name: node.name }]
    } else if (!(await this.#keptFile(node, before, target.realPath))) {
      this.#note(node, await this.#looks.file(node, path, target.realPath, target.realPath))
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
    if (!(await this.#looks.isSame(before.item, before.file, before.readAt))) return false
    node.state = 'skill'
    node.item = before.item
    node.file = before.file
    node.readAt = before.readAt
    return true
  }

  /** Deals with a folder that has no SKILL.md. */
  async #takeFolder(node: Node<T>, before: Before<T> | undefined, folder: StoreFolder): Promise<void> {
    node.state = 'listed'
    // Of a disk they are pipes and the like, which are reported where one has the name of a skill's file.
    if (this.#store.id !== 'disk')
      node.problems = (folder.others ?? []).map(({ name, what }) => notSearched(`${node.path}/${name}`, what))
    const others = folder.others?.map(({ name }) => name) ?? []
    const skillFiles = [folder.files, folder.links, this.#looks.entersAll ? [] : folder.folders, others]
      .flatMap(names => names.filter(isSkillFile))
      .sort()
    if (skillFiles.includes(skillFile) && !this.#looks.isOnlyListed(node)) return this.#openLate(node, before)
    if (node === this.#root && this.#options.mayBeSkill !== true) {
      if (skillFiles[0] !== undefined) node.problems = [...node.problems, skillAtRoot(`${node.path}/${skillFiles[0]}`)]
    } else if (await this.#tookOtherCase(node, before, skillFiles)) return this.#finish(node, before)
    node.listed =
      node === this.#root || this.#options.walk === 'deep'
        ? await this.#children.of(node, before?.listed, folder)
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
    const found = await this.#looks.file(node, node.filePath, node.realFilePath)
    if (found.is === 'not-read' && found.file.found === 'link') return this.#followFile(node, before, node.filePath)
    // Gone again: it is looked for the next time, too.
    this.#note(node, found)
    this.#finish(node, before)
  }

  /** Deals with a `skill.md`; true when it stands for the folder. */
  async #tookOtherCase(node: Node<T>, before: Before<T> | undefined, skillFiles: readonly string[]): Promise<boolean> {
    const name = skillFiles.find(file => file !== skillFile)
    if (name === undefined || skillFiles.includes(skillFile)) return false
    const path = `${node.path}/${name}`
    // Where skills lie within others a file is an entry of its folder, and this one is none.
    if (this.#options.otherCase !== 'load' || this.#options.nested === true) {
      node.problems = [otherCase(node.name, path, false)]
      return false
    }
    // A SKILL.md that comes to stand beside it must be noticed, though this file is as it was.
    node.via = path
    const realPath = `${node.realPath}/${name}`
    if (!(await this.#keptFile(node, before, realPath))) {
      const found = await this.#looks.file(node, path, realPath)
      if (found.is === 'not-read' && found.file.found === 'link') await this.#followFile(node, before, path)
      else this.#note(node, found)
    }
    if (node.state === 'skill') node.problems = [otherCase(node.name, path, true)]
    return true
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
      this.#hasChanged = true
    if (node.leftOut !== (before?.leftOut ?? 0)) this.#hasChanged = true
  }
}

function areSame(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  return a.length === b.length && a.every((diagnostic, at) => diagnostic.message === b[at]?.message)
}

const none: readonly never[] = Object.freeze([])
const kept = Object.freeze({ is: 'kept' } as const)
