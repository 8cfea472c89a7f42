import { abortError, type Diagnostic } from '@skills/core'
import { danglingLink, escapeProblem, isInside } from '@skills/store'
import { ioProblem } from './problem.js'
import { linkAgain, linkCycle } from './walk-problems.js'
import type { Node } from './node.js'
import type { TreeOptions } from './tree-options.js'

/** Where the links lead that one walk meets. All of it rejects for an abort alone. */
export class WalkLinks<T> {
  readonly #options: TreeOptions<T>
  readonly #call: { readonly signal: AbortSignal }
  /** Real paths of folders reached through a link, and of the root: reaching one again would go on for ever. */
  readonly #reached: Set<string>
  /** What is wrong with the links of a folder: one list for each, however many they are. */
  readonly #problems = new Map<Node<T>, Diagnostic[]>()

  constructor(options: TreeOptions<T>, root: Node<T>, call: { readonly signal: AbortSignal }) {
    this.#options = options
    this.#call = call
    this.#reached = new Set([root.realPath])
  }

  /** Notes where the links below a node lead that is not looked at this time. */
  reach(node: Node<T>): void {
    if (node.isLink) this.#reached.add(node.realPath)
    for (const child of node.listed?.children ?? []) this.reach(child)
  }

  /** Where a link leads, or why it may not be followed. */
  async follow(path: string): Promise<{ readonly realPath: string } | { readonly problem: Diagnostic }> {
    const { within, store } = this.#options
    try {
      const realPath = await store.realPath?.(path, this.#call)
      if (realPath === undefined) return { problem: danglingLink(path) }
      const stats =
        within?.some(one => one.endsWith('/*')) === true ? await store.stat(realPath, this.#call) : undefined
      const problem = escapeProblem(path, realPath, within, () => stats?.kind === 'folder')
      return problem === undefined ? { realPath } : { problem }
    } catch (error) {
      this.#throwIfAborted()
      return { problem: ioProblem('The link', path, error) }
    }
  }

  /**
   * Where a link to a folder leads that the walk goes on to; what is wrong with it joins the problems of its parent.
   */
  async followFolder(parent: Node<T>, name: string): Promise<string | undefined> {
    const path = `${parent.path}/${name}`
    const complain = (diagnostic: Diagnostic): undefined => {
      let own = this.#problems.get(parent)
      if (own === undefined || parent.problems !== own) {
        parent.problems = own = [...parent.problems]
        this.#problems.set(parent, own)
      }
      own.push({ ...diagnostic, name })
      return undefined
    }
    const target = await this.follow(path)
    if ('problem' in target) return complain(target.problem)
    const { realPath } = target
    if (!(await this.isFolder(realPath))) return undefined
    if (isInside(parent.realPath, realPath)) return complain(linkCycle(path, realPath))
    if (this.#reached.has(realPath)) return complain(linkAgain(path, realPath))
    this.#reached.add(realPath)
    return realPath
  }

  /** Whether a path leads to a folder. */
  async isFolder(path: string): Promise<boolean> {
    const { store } = this.#options
    try {
      const realPath = await store.realPath?.(path, this.#call)
      return realPath !== undefined && (await store.stat(realPath, this.#call))?.kind === 'folder'
    } catch {
      // Where it leads is told where it is followed.
      this.#throwIfAborted()
      return false
    }
  }

  #throwIfAborted(): void {
    if (this.#call.signal.aborted) throw abortError(this.#call.signal)
  }
}
