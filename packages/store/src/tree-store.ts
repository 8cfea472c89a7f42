import * as s from '@skills/core/schema'
import { setImmediate as turn } from 'node:timers/promises'
import { abortError, isAbortError, SkillsError, type FileIdentity } from '@skills/core'
import { limitBrokenBy, quotedPath } from './entry-name.js'
import {
  after,
  type StoreAnswer,
  type ReadCall,
  type Store,
  type StoreCall,
  type StoreFile,
  type StoreFolder,
  type StoreStats,
} from './store.js'

declare module '@skills/core' {
  interface ErrorCodes {
    /** Path that no file system can hold. */
    E_STORE_LIMIT: true
  }
}

/**
 * Entry of a tree: a file with a function that reads it, a link with its target, or anything else with a noun for
 * messages, such as `a submodule`.
 */
export type TreeEntry = TreeFile | { readonly link: string } | { readonly other: string }

export interface TreeFile {
  /**
   * Bytes of the file; undefined if they are unknown until it is read. Its identity then has 0, and is compared by
   * version.
   */
  readonly size?: number | undefined
  /** Changes whenever the file changes: a digest, an object id, an entity tag. */
  readonly version: string
  /** Permission bits, if the place has them. */
  readonly mode?: number | undefined
  /**
   * Returns all bytes of the file. At most `maxBytes + 1` are needed, so that a file that is larger than its index says
   * need not be read whole.
   */
  read(call: ReadCall): StoreAnswer<Uint8Array>
}

const treeStoreOptions = s.options('new TreeStore()', {
  /** Prefix of every entry's path, such as `/home/ann/skills.zip!`, without `/` at its end. */
  root: s.text().required(),
  /** See {@link Store.id}. */
  id: s.text().required(),
  /**
   * Returns the current entries by their paths below the root, such as `deploy/SKILL.md`, or undefined if the place
   * itself is missing. Called once at the beginning of each look. Returning the same map as before means that nothing
   * has changed.
   */
  entries: s.fn<(call: StoreCall) => StoreAnswer<ReadonlyMap<string, TreeEntry> | undefined>>().required(),
  /** See {@link Store.isSlow}. Default: false. */
  isSlow: s.flag().default(false),
})

export interface TreeStoreOptions extends s.OptionsOf<typeof treeStoreOptions> {}

/** Most links that are followed from one path; more count as a cycle. */
const mostLinks = 40
/** Entries, each with the folders on its way, after which the rest of the process gets a turn while a tree is built. */
const batch = 3000

interface Known {
  readonly map: ReadonlyMap<string, TreeEntry> | undefined
  readonly tree: Folder | undefined
}

interface Folder {
  readonly entries: Map<string, TreeEntry | Folder>
  /** Changes with the names in the folder and their kinds. */
  version: string
  /** Path below the root, with a `/` before every part; empty for the root itself. */
  readonly path: string
  readonly parent: Folder | undefined
  /** Resolved targets of its links, so that each is followed once. */
  readonly targets: Map<string, Target>
  /** In the root, while a call follows links in turns: settles when it has ended. */
  following?: Promise<void> | undefined
}

/** Target of a path, with its real place. */
interface Spot {
  readonly folder: Folder
  /** Undefined for the folder itself. */
  readonly name?: string
  readonly entry: TreeEntry | Folder
}

/** Target of a link and the number of links to it; or nothing, or a cycle. */
type Target = { readonly spot: Spot; readonly links: number } | 'nothing' | 'cycle'

/**
 * Store over entries that are all known at once, such as those of an archive, a commit or an index. Folders follow from
 * the paths of files. Links stay within the tree: a link that leads out of the tree has no target.
 */
export class TreeStore implements Store {
  readonly id: string
  readonly isSlow: boolean
  readonly #root: string
  readonly #entries: TreeStoreOptions['entries']
  #known: Known | Promise<Known> | undefined
  /** Entries at the last report of changes. */
  #told: Known | undefined
  #version = 0

  constructor(given: TreeStoreOptions) {
    const { root, id, entries, isSlow } = treeStoreOptions.read(given)
    this.#root = root
    this.id = id
    this.#entries = entries
    this.isSlow = isSlow
  }

  list(folder: string, call: StoreCall): StoreAnswer<StoreFolder | undefined> {
    return after(this.realPath(folder, call), real => (real === undefined ? undefined : this.#listReal(real, call)))
  }

  #listReal(folder: string, call: StoreCall): StoreAnswer<StoreFolder | undefined> {
    return this.#find(folder, call, (found, identity) => {
      if (!isFolder(found)) return undefined
      const listed = listedIn(found, identity)
      return found.entries.size > batch ? inTurns(listed, call) : atOnce(listed)
    })
  }

  read(path: string, call: ReadCall): StoreAnswer<StoreFile | undefined> {
    return this.#find(path, call, (found, identity): StoreAnswer<StoreFile | undefined> => {
      if (found === undefined) return undefined
      if (isFolder(found)) return { found: 'other', what: 'a folder' }
      if ('link' in found) return { found: 'link' }
      if ('other' in found) return { found: 'other', what: found.other }
      if (found.size !== undefined && found.size > call.maxBytes) return { found: 'too-large', size: found.size }
      return after(found.read(call), bytes => {
        const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        // The index may give a wrong size.
        if (buffer.length > call.maxBytes) return { found: 'too-large', size: buffer.length }
        return {
          found: 'file',
          bytes: buffer,
          length: buffer.length,
          isWhole: true,
          stats: {
            kind: 'file',
            mode: found.mode,
            identity: found.size === undefined ? identity : { ...identity, size: buffer.length },
          },
        }
      })
    })
  }

  stat(path: string, call: StoreCall): StoreAnswer<StoreStats | undefined> {
    return this.#find(
      path,
      call,
      (found, identity) =>
        found && {
          kind: kindOf(found),
          ...('other' in found && { what: found.other }),
          ...('read' in found && { mode: found.mode }),
          identity,
        },
    )
  }

  realPath(path: string, call: StoreCall): StoreAnswer<string | undefined> {
    return after(this.#tree(call), tree => {
      if (this.#plainEntry(tree, path) !== undefined) return path
      return after(spotAt(tree, this.#partsOf(path), call), spot => spot && `${this.#root}${pathOf(spot)}`)
    })
  }

  /** Asks for the entries again, and compares them. */
  changes(
    since: string | undefined,
    call: StoreCall,
  ): StoreAnswer<{ readonly version: string; readonly paths?: readonly string[] }> {
    refuseAborted(call)
    return after(this.#entries(call), map => {
      const told = this.#told
      // The same entries make the same tree.
      const next = told !== undefined && told.map === map ? told : knownOf(map, call)
      return after(next, known => {
        const changed = this.#told === undefined ? undefined : changedPaths(this.#told.map, map)
        const isNext = since === String(this.#version)
        this.#known = this.#told = known
        if (changed?.length !== 0) this.#version++
        return {
          version: String(this.#version),
          ...(isNext && changed !== undefined && { paths: changed.map(path => `${this.#root}/${path}`) }),
        }
      })
    })
  }

  /** Drops the known entries, so that the next call asks for them. */
  protected forget(): void {
    this.#known = undefined
  }

  #find<R>(
    path: string,
    call: StoreCall,
    use: (found: TreeEntry | Folder | undefined, identity: FileIdentity) => StoreAnswer<R>,
  ): StoreAnswer<R> {
    return after(this.#tree(call), tree => {
      const plain = this.#plainEntry(tree, path)
      if (plain !== undefined) return use(plain, identityOf(path, plain))
      const parts = this.#partsOf(path)
      if (parts?.length === 0) return use(tree, identityOf(this.#root, tree))
      // Links are resolved on the way to the entry, but not for the entry itself.
      return after(spotAt(tree, parts?.slice(0, -1), call), above => {
        const name = parts?.at(-1) ?? ''
        const found = above && isFolder(above.entry) ? above.entry.entries.get(name) : undefined
        return use(found, identityOf(above === undefined ? this.#root : `${this.#root}${pathOf(above)}/${name}`, found))
      })
    })
  }

  /** Returns the entry at a path without links. Returns undefined also if only a closer look can tell. */
  #plainEntry(tree: Folder | undefined, path: string): TreeEntry | Folder | undefined {
    if (tree === undefined || !path.startsWith(`${this.#root}/`)) return undefined
    let folder = tree
    for (let at = this.#root.length + 1; ;) {
      const end = path.indexOf('/', at)
      const entry = folder.entries.get(path.slice(at, end === -1 ? undefined : end))
      if (entry === undefined || 'link' in entry) return undefined
      if (end === -1) return entry
      if (!isFolder(entry)) return undefined
      folder = entry
      at = end + 1
    }
  }

  #partsOf(path: string): readonly string[] | undefined {
    if (path === this.#root) return []
    return path.startsWith(`${this.#root}/`) ? path.slice(this.#root.length + 1).split('/') : undefined
  }

  #tree(call: StoreCall): StoreAnswer<Folder | undefined> {
    refuseAborted(call)
    this.#known ??= this.#ask(call)
    return this.#known instanceof Promise ? this.#treeOf(this.#known, call) : this.#known.tree
  }

  #ask(call: StoreCall): StoreAnswer<Known> {
    const asked = after(this.#entries(call), map =>
      after(knownOf(map, call), known => {
        this.#told ??= known
        return (this.#known = known)
      }),
    )
    if (!(asked instanceof Promise)) return asked
    const known = asked.catch((error: unknown) => {
      // The next call asks again.
      if (this.#known === known) this.#known = undefined
      throw error
    })
    return known
  }

  /** Waits for an answer that several callers share. If the caller that asked aborts, the others ask again. */
  async #treeOf(known: Promise<Known>, call: StoreCall): Promise<Folder | undefined> {
    try {
      const { tree } = await known
      refuseAborted(call)
      return tree
    } catch (error) {
      if (!isAbortError(error)) throw error
      return this.#tree(call)
    }
  }
}

/**
 * Returns the changed paths, or undefined if anything may have changed, for example if the place itself appeared or
 * disappeared.
 */
function changedPaths(before: Known['map'], now: Known['map']): readonly string[] | undefined {
  if (before === now) return []
  if (before === undefined || now === undefined) return undefined
  const paths = new Set([...before.keys(), ...now.keys()])
  return [...paths].filter(path => versionOf(before.get(path)) !== versionOf(now.get(path)))
}

/** Builds the tree of the entries, at once if there are few. */
function knownOf(map: Known['map'], call: StoreCall): StoreAnswer<Known> {
  if (map === undefined) return { map, tree: undefined }
  const work = treeOf(map)
  return after(map.size > batch ? inTurns(work, call) : atOnce(work), tree => ({ map, tree }))
}

function atOnce<R>(work: Generator<void, R, void>): R {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value
}

/** Works on, and gives the rest of the process a turn at each `yield`. */
async function inTurns<R>(work: Generator<void, R, void>, call: StoreCall): Promise<R> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value
    await turn()
    refuseAborted(call)
  }
}

/** Lists a folder; yields after each batch of entries. */
function* listedIn({ entries }: Folder, identity: FileIdentity): Generator<void, StoreFolder, void> {
  const [folders, files, links]: [string[], string[], string[]] = [[], [], []]
  const others: { name: string; what: string }[] = []
  let done = 0
  for (const [name, entry] of entries) {
    if (isFolder(entry)) folders.push(name)
    else if ('link' in entry) links.push(name)
    else if ('other' in entry) others.push({ name, what: entry.other })
    else files.push(name)
    if (++done % batch === 0) yield
  }
  return { folders, files, links, ...(others.length > 0 && { others }), identity }
}

/** Builds a tree of entries; yields after each batch of them. */
function* treeOf(map: ReadonlyMap<string, TreeEntry>): Generator<void, Folder, void> {
  const root = folderIn(undefined, '')
  const folders = [root]
  let done = 0
  for (const [path, entry] of map) {
    const broken = limitBrokenBy(path)
    if (broken !== undefined)
      throw new SkillsError('E_STORE_LIMIT', `The path ${quotedPath(path)} ${broken}.`, {
        hint: 'Leave it out of the store.',
      })
    const parts = path.split('/')
    done += parts.length
    if (done >= batch) {
      yield
      done = 0
    }
    const name = parts.pop()
    // A path that leads elsewhere is not an entry of this tree.
    if (
      name === undefined ||
      [...parts, name].some(part => part === '' || part === '.' || part === '..' || part.includes('\0'))
    )
      continue
    let folder: Folder | undefined = root
    for (const part of parts) {
      let below: TreeEntry | Folder | undefined = folder.entries.get(part)
      if (below === undefined) {
        below = folderIn(folder, part)
        folders.push(below)
        folder.entries.set(part, below)
      }
      folder = isFolder(below) ? below : undefined
      if (folder === undefined) break
    }
    if (folder?.entries.has(name) === false) folder.entries.set(name, entry)
  }
  for (const folder of folders) {
    done += folder.entries.size + 1
    if (done >= batch) {
      yield
      done = 0
    }
    const names: string[] = []
    for (const [name, entry] of folder.entries) {
      names.push(`${kindOf(entry)}:${name}`)
      if (names.length % batch === 0) yield
    }
    names.sort()
    if (names.length > batch) yield
    folder.version = names.join('/')
  }
  return root
}

function folderIn(parent: Folder | undefined, name: string): Folder {
  const path = parent === undefined ? '' : `${parent.path}/${name}`
  return { entries: new Map(), version: '', path, parent, targets: new Map() }
}

/** Returns the target of a path with every link on the way resolved, or undefined if it leads to nothing. */
function spotAt(
  tree: Folder | undefined,
  parts: readonly string[] | undefined,
  call: StoreCall,
): StoreAnswer<Spot | undefined> {
  if (tree === undefined || parts === undefined) return undefined
  // Another call may be following a long chain: then its links need not be followed again.
  if (tree.following !== undefined) return after(tree.following, () => spotAt(tree, parts, call))
  const work = follow({ at: { folder: tree, entry: tree }, parts, next: 0, links: 0 })
  // Nearly all paths are followed before the first turn.
  const first = work.next()
  if (first.done === true) return spotOf(first.value)
  const rest = inTurns(work, call)
  const over = (): void => (tree.following = undefined)
  tree.following = rest.then(over, over)
  return rest.then(spotOf)
}

function spotOf(target: Target): Spot | undefined {
  if (target === 'cycle') throw Object.assign(new Error('Links lead in a cycle.'), { code: 'ELOOP' })
  return target === 'nothing' ? undefined : target.spot
}

/** Path that is being followed, its position, and the link that it is the target of. */
interface Walk {
  at: Spot
  readonly parts: readonly string[]
  next: number
  /** Number of links followed so far. */
  links: number
  readonly link?: { readonly folder: Folder; readonly name: string }
}

/**
 * Follows a path. Resolves each link on the way completely and remembers its target, so that all links of a tree take
 * time in proportion to the length of their targets. Without recursion, because a chain of links may be as long as an
 * archive has entries; and in turns, because the first link of such a chain leads through all others.
 */
function* follow(first: Walk): Generator<void, Target, void> {
  const walks = [first]
  const open = new Set<string>()
  let known: Target | undefined
  for (let steps = 1; ; steps++) {
    if (steps % batch === 0) yield
    const walk = walks.at(-1)
    if (walk === undefined) return known ?? 'nothing'
    known = stepsOf(walk)
    if (known === undefined) continue
    walks.pop()
    if (walk.link !== undefined) {
      walk.link.folder.targets.set(walk.link.name, known)
      open.delete(`${walk.link.folder.path}/${walk.link.name}`)
    }
  }

  /** Goes as far as possible: to the end, or to a link that must be followed first, which is then put on the stack. */
  function stepsOf(walk: Walk): Target | undefined {
    for (; walk.next < walk.parts.length; walk.next++) {
      const part = walk.parts[walk.next] ?? ''
      if (part === '' || part === '.') continue
      const { entry } = walk.at
      if (!isFolder(entry)) return 'nothing'
      if (part === '..') {
        if (entry.parent === undefined) return 'nothing'
        walk.at = { folder: entry.parent, entry: entry.parent }
        continue
      }
      const found = entry.entries.get(part)
      if (found === undefined) return 'nothing'
      if (!('link' in found)) {
        walk.at = isFolder(found) ? { folder: found, entry: found } : { folder: entry, name: part, entry: found }
        continue
      }
      const target = entry.targets.get(part)
      if (target === undefined) {
        const key = `${entry.path}/${part}`
        if (open.has(key)) return 'cycle'
        // An absolute link leads out of every tree, and one that no file system could hold leads nowhere.
        if (found.link.startsWith('/') || limitBrokenBy(found.link) !== undefined) return 'nothing'
        open.add(key)
        const at = { folder: entry, entry }
        walks.push({ at, parts: found.link.split('/'), next: 0, links: 1, link: { folder: entry, name: part } })
        return undefined
      }
      if (typeof target === 'string') return target
      walk.links += target.links
      if (walk.links > mostLinks) return 'cycle'
      walk.at = target.spot
    }
    return { spot: walk.at, links: walk.links }
  }
}

/** Returns the path below the root, with a `/` before every part. */
function pathOf({ folder, name }: Spot): string {
  return name === undefined ? folder.path : `${folder.path}/${name}`
}

function isFolder(entry: TreeEntry | Folder | undefined): entry is Folder {
  return entry !== undefined && 'entries' in entry
}

function kindOf(entry: TreeEntry | Folder): StoreStats['kind'] {
  if (isFolder(entry)) return 'folder'
  if ('link' in entry) return 'link'
  return 'other' in entry ? 'other' : 'file'
}

function identityOf(realPath: string, entry: TreeEntry | Folder | undefined): FileIdentity {
  return {
    realPath,
    dev: 0,
    ino: 0,
    size: entry !== undefined && 'size' in entry ? (entry.size ?? 0) : 0,
    mtimeMs: 0,
    ctimeMs: 0,
    version: versionOf(entry),
  }
}

function versionOf(entry: TreeEntry | Folder | undefined): string {
  if (entry === undefined) return ''
  if ('link' in entry) return `link ${entry.link}`
  return 'other' in entry ? entry.other : entry.version
}

function refuseAborted({ signal }: StoreCall): void {
  if (signal.aborted) throw abortError(signal)
}
