import { abortError, checkOptions, isAbortError, type FileIdentity } from '@skills/core'
import type { Answer, ReadCall, Store, StoreCall, StoreFile, StoreFolder, StoreStats } from './store.js'

/**
 * One entry of a tree: a file with what reads it, a link with its target, or something else with what it is: `a
 * submodule`.
 */
export type TreeEntry = TreeFile | { readonly link: string } | { readonly other: string }

export interface TreeFile {
  /**
   * Bytes of the file; undefined where they are not known before it is read. Its identity has 0 then, and goes by the
   * version.
   */
  readonly size?: number | undefined
  /** Changes whenever the file does: a digest, an object id, an entity tag. */
  readonly version: string
  /** Permission bits, where the place has them. */
  readonly mode?: number | undefined
  /**
   * All of its bytes; no more than `maxBytes + 1` of them are needed, so that one which is larger than its index says
   * need not be read whole.
   */
  read(call: ReadCall): Answer<Uint8Array>
}

export interface TreeStoreOptions {
  /** What stands before the path of every entry: `/home/ann/skills.zip!`. No `/` at its end. */
  readonly root: string
  /** As {@link Store.id}. */
  readonly id: string
  /**
   * The entries now, by their paths below the root: `deploy/SKILL.md`; undefined where the place itself is not there.
   * Asked once at the beginning of each look; the same map as before says that nothing changed.
   */
  readonly entries: (call: StoreCall) => Answer<ReadonlyMap<string, TreeEntry> | undefined>
  /** As {@link Store.isSlow}. */
  readonly isSlow?: boolean
}

/** Links that are followed from one path: more of them are a cycle. */
const mostLinks = 40

interface Known {
  readonly map: ReadonlyMap<string, TreeEntry> | undefined
  readonly tree: Folder | undefined
}

interface Folder {
  readonly entries: Map<string, TreeEntry | Folder>
  /** Changes with the names in it and what they are. */
  version: string
}

/**
 * A store over entries that are known all at once, as those of an archive, a commit or an index are. Folders follow
 * from the paths of files. A link leads within the tree: one that leads out of it leads to nothing.
 */
export class TreeStore implements Store {
  readonly id: string
  readonly isSlow: boolean
  readonly #root: string
  readonly #entries: TreeStoreOptions['entries']
  #known: Known | Promise<Known> | undefined
  /** The entries of which it was told last what changed. */
  #told: Known | undefined
  #version = 0

  constructor(options: TreeStoreOptions) {
    checkOptions<TreeStoreOptions>('new TreeStore()', options, { root: 1, id: 1, entries: 1, isSlow: 1 })
    const { root, id, entries, isSlow = false } = options
    this.#root = root
    this.id = id
    this.#entries = entries
    this.isSlow = isSlow
  }

  list(folder: string, call: StoreCall): Answer<StoreFolder | undefined> {
    return after(this.realPath(folder, call), real => (real === undefined ? undefined : this.#listReal(real, call)))
  }

  #listReal(folder: string, call: StoreCall): Answer<StoreFolder | undefined> {
    return this.#find(folder, call, (found, identity) => {
      if (!isFolder(found)) return undefined
      const names = (wanted: StoreStats['kind']): readonly string[] =>
        [...found.entries].filter(([, entry]) => kindOf(entry) === wanted).map(([name]) => name)
      const others = [...found.entries].flatMap(([name, entry]) =>
        'other' in entry ? [{ name, what: entry.other }] : [],
      )
      return {
        folders: names('folder'),
        files: names('file'),
        links: names('link'),
        ...(others.length > 0 && { others }),
        identity,
      }
    })
  }

  read(path: string, call: ReadCall): Answer<StoreFile | undefined> {
    return this.#find(path, call, (found, identity): Answer<StoreFile | undefined> => {
      if (found === undefined) return undefined
      if (isFolder(found)) return { found: 'other', what: 'a folder' }
      if ('link' in found) return { found: 'link' }
      if ('other' in found) return { found: 'other', what: found.other }
      if (found.size !== undefined && found.size > call.maxBytes) return { found: 'too-large', size: found.size }
      return after(found.read(call), bytes => {
        const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        // What an index says of a file need not be so.
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

  stat(path: string, call: StoreCall): Answer<StoreStats | undefined> {
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

  realPath(path: string, call: StoreCall): Answer<string | undefined> {
    return after(this.#tree(call), tree => {
      if (this.#plainEntry(tree, path) !== undefined) return path
      const parts = this.#partsOf(path)
      const real = parts && resolve(tree, parts)
      return real && [this.#root, ...real].join('/')
    })
  }

  /** Asks for the entries anew. */
  changes(
    since: string | undefined,
    call: StoreCall,
  ): Answer<{ readonly version: string; readonly paths?: readonly string[] }> {
    refuseAborted(call)
    return after(this.#entries(call), map => {
      const { map: before } = this.#told ?? {}
      const changed = this.#told === undefined ? undefined : changedPaths(before, map)
      const isNext = since === String(this.#version)
      // The same entries make the same tree.
      this.#told = this.#told !== undefined && before === map ? this.#told : { map, tree: map && treeOf(map) }
      this.#known = this.#told
      if (changed?.length !== 0) this.#version++
      return {
        version: String(this.#version),
        ...(isNext && changed !== undefined && { paths: changed.map(path => `${this.#root}/${path}`) }),
      }
    })
  }

  /** Drops what is known of the entries: they are asked for with the next call. */
  protected forget(): void {
    this.#known = undefined
  }

  #find<R>(
    path: string,
    call: StoreCall,
    use: (found: TreeEntry | Folder | undefined, identity: FileIdentity) => Answer<R>,
  ): Answer<R> {
    return after(this.#tree(call), tree => {
      const plain = this.#plainEntry(tree, path)
      if (plain !== undefined) return use(plain, identityOf(path, plain))
      const parts = this.#partsOf(path)
      // The folders on the way may be links, the entry itself is looked at as it is.
      const above = parts && resolve(tree, parts.slice(0, -1))
      const real = above && parts && [...above, ...parts.slice(-1)]
      const found = real && entryAt(tree, real)
      return use(found, identityOf([this.#root, ...(real ?? [])].join('/'), found))
    })
  }

  /** What stands at a path that no link leads to or is; undefined also where only a closer look can tell. */
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

  #tree(call: StoreCall): Answer<Folder | undefined> {
    refuseAborted(call)
    this.#known ??= this.#ask(call)
    return this.#known instanceof Promise ? this.#treeOf(this.#known, call) : this.#known.tree
  }

  #ask(call: StoreCall): Answer<Known> {
    const asked = after(this.#entries(call), map => {
      const known: Known = { map, tree: map && treeOf(map) }
      this.#told ??= known
      return (this.#known = known)
    })
    if (!(asked instanceof Promise)) return asked
    const known = asked.catch((error: unknown) => {
      // The next call asks again.
      if (this.#known === known) this.#known = undefined
      throw error
    })
    return known
  }

  /** The answer that several callers wait for; one of them that gives up must not take it from the others. */
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

/** Undefined where anything may have, as where the place itself came or went. */
function changedPaths(before: Known['map'], now: Known['map']): readonly string[] | undefined {
  if (before === now) return []
  if (before === undefined || now === undefined) return undefined
  const paths = new Set([...before.keys(), ...now.keys()])
  return [...paths].filter(path => versionOf(before.get(path)) !== versionOf(now.get(path)))
}

function treeOf(map: ReadonlyMap<string, TreeEntry>): Folder {
  const root: Folder = { entries: new Map(), version: '' }
  for (const [path, entry] of map) {
    const parts = path.split('/')
    const name = parts.pop()
    // A path that leads elsewhere names no entry of this tree.
    if (
      name === undefined ||
      [...parts, name].some(part => part === '' || part === '.' || part === '..' || part.includes('\0'))
    )
      continue
    let folder: Folder | undefined = root
    for (const part of parts) {
      const below: TreeEntry | Folder = folder.entries.get(part) ?? { entries: new Map(), version: '' }
      folder.entries.set(part, below)
      folder = isFolder(below) ? below : undefined
      if (folder === undefined) break
    }
    if (folder?.entries.has(name) === false) folder.entries.set(name, entry)
  }
  stamp(root)
  return root
}

/** Gives each folder a version that changes with its names and what they are. */
function stamp(folder: Folder): void {
  folder.version = [...folder.entries]
    .map(([name, entry]) => `${kindOf(entry)}:${name}`)
    .sort()
    .join('/')
  for (const entry of folder.entries.values()) if (isFolder(entry)) stamp(entry)
}

/** The parts of a path with every link on the way resolved; undefined where it leads to nothing. */
function resolve(tree: Folder | undefined, given: readonly string[]): readonly string[] | undefined {
  if (tree === undefined) return undefined
  let left = [...given]
  let real: string[] = []
  for (let links = 0; left.length > 0;) {
    const part = left.shift() ?? ''
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (real.pop() === undefined) return undefined
      continue
    }
    const entry = entryAt(tree, [...real, part])
    if (entry === undefined) return undefined
    if (!('link' in entry)) {
      real.push(part)
      continue
    }
    if (++links > mostLinks) throw Object.assign(new Error('Links lead in a cycle.'), { code: 'ELOOP' })
    // A link that begins at the root of a file system leads out of every tree.
    if (entry.link.startsWith('/')) return undefined
    left = [...entry.link.split('/'), ...left]
  }
  return real
}

function entryAt(tree: Folder | undefined, parts: readonly string[]): TreeEntry | Folder | undefined {
  let entry: TreeEntry | Folder | undefined = tree
  for (const part of parts) entry = entry !== undefined && isFolder(entry) ? entry.entries.get(part) : undefined
  return entry
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

/** Goes on with an answer: at once where it is there. */
export function after<T, R>(answer: Answer<T>, goOn: (value: T) => Answer<R>): Answer<R> {
  return answer instanceof Promise ? answer.then(goOn) : goOn(answer)
}
