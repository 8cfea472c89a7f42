import { setImmediate as turn } from 'node:timers/promises'
import { isMarkdown, isSkillFile, Node, skillFile, type Listed } from './node.js'
import { otherEnding } from './walk-problems.js'
import type { StoreFolder } from '@skills/store'
import type { TreeOptions } from './tree-options.js'
import type { WalkLinks } from './walk-links.js'

/** Links that are followed without a turn for the rest of the process. */
const linkBatch = 500

/** The children of the folders that one walk lists, within its limits. */
export class WalkChildren<T> {
  /** Whether anything went away that would be missed. */
  hasLost = false
  readonly #options: TreeOptions<T>
  readonly #root: Node<T>
  readonly #links: WalkLinks<T>
  readonly #ignores: ((path: string) => boolean) | undefined
  /** Nodes of the whole tree, once that matters. */
  #count: number | undefined

  constructor(options: TreeOptions<T>, root: Node<T>, links: WalkLinks<T>) {
    this.#options = options
    this.#root = root
    this.#links = links
    this.#ignores = options.ignores?.(options.root)
  }

  /** To be called before a node forgets what is below it. Counted then, and not where everything stays as it was. */
  count(): number {
    return (this.#count ??= this.#root.size)
  }

  /** Those that stay are taken over with what is known of them. */
  async of(node: Node<T>, before: Listed<T> | undefined, folder: StoreFolder): Promise<Listed<T>> {
    const folders = folder.folders.filter(name => this.#isSearched(name) && !this.#isIgnored(node, `${name}/`))
    const links = folder.links.filter(name => this.#isSearched(name) && !this.#isIgnored(node, name))
    const isTooDeep = node.depth >= this.#options.depth
    const known = new Map(before?.children.map(child => [child.entry, child]))
    const files = await this.#filesIn(node, folder, links)
    const reals = new Map<string, string>()
    let tooDeep = isTooDeep ? folders.length : 0
    const isFile = new Set(files)
    for (const [at, entry] of links.entries()) {
      // A store that answers at once would let nothing else run.
      if (at % linkBatch === linkBatch - 1) await turn()
      if (isFile.has(entry)) continue
      if (isTooDeep) tooDeep += (await this.#links.isFolder(`${node.path}/${entry}`)) ? 1 : 0
      else {
        const target = await this.#links.followFolder(node, entry)
        if (target !== undefined) reals.set(entry, target)
      }
    }
    // In the order of code units. Names are put in order and not nodes: of ten thousand that takes a tenth of the time.
    const names = [...(isTooDeep ? [] : folders), ...files, ...reals.keys()].sort()
    const wanted = names.map(entry =>
      childOf(node, entry, known.get(entry), files.length > 0 && files.includes(entry), reals.get(entry)),
    )
    const children = this.#admit(wanted, before?.children, known)
    return {
      identity: folder.identity,
      // What patterns say may change while the folder stays as it is, as where links lead may.
      hasLinks: links.length > 0 || this.#ignores !== undefined,
      tooDeep,
      tooMany: wanted.length - children.length,
      children,
    }
  }

  /** As many as the limit has room for; those that are known have their place already. */
  #admit(
    wanted: readonly Node<T>[],
    before: readonly Node<T>[] | undefined,
    known: ReadonlyMap<string, Node<T>>,
  ): readonly Node<T>[] {
    let count = this.count()
    // Nearly always all of them are new folders, and there is room for each.
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
      if (child.hasContent) this.hasLost = true
      count -= child.size
    }
    let room = this.#options.folders - count
    const children = wanted.filter(child => still.has(child) || child.size === 0 || room-- > 0)
    for (const child of children) if (!still.has(child)) count += child.size
    this.#count = count
    return children
  }

  readonly #isSearched = (name: string): boolean => {
    const { skipped } = this.#options
    return (
      !(name.startsWith('.') && skipped.includes('hidden')) &&
      !(name === 'node_modules' && skipped.includes('node_modules'))
    )
  }

  /** Whether an entry of a folder is left out. */
  #isIgnored(parent: Node<T>, entry: string): boolean {
    return this.#ignores?.(`${parent.path}/${entry}`) === true
  }

  /** The files that are read by themselves, links to such among them. */
  async #filesIn(node: Node<T>, folder: StoreFolder, links: readonly string[]): Promise<readonly string[]> {
    if (this.#options.nested === true) {
      return node === this.#root && this.#options.mayBeSkill !== true
        ? []
        : [...folder.files, ...(this.#options.linkedFiles === false ? [] : links)].filter(name => name === skillFile)
    }
    const { loose = false } = this.#options
    if (loose === false || (loose !== true && (loose === 'root') !== (node === this.#root))) return []
    const linked: string[] = []
    for (const name of links.filter(isMarkdown))
      if (!(await this.#links.isFolder(`${node.path}/${name}`))) linked.push(name)
    const isLoose = (name: string): boolean =>
      isMarkdown(name) && !isSkillFile(name) && this.#isSearched(name) && !this.#isIgnored(node, name)
    const found = [...folder.files.filter(isLoose), ...linked]
    const others = this.#options.otherCase === 'report-all' ? found.filter(name => !name.endsWith('.md')) : []
    if (others.length === 0) return found
    node.problems = [...node.problems, ...others.map(name => otherEnding(`${node.path}/${name}`))]
    return found.filter(name => !others.includes(name))
  }
}

/** The child that is known by this name, where it still is the same kind of thing, or a new one. */
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
