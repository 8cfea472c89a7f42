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
    /** A path that no file system holds. */
    E_STORE_LIMIT: true
  }
}

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
  read(call: ReadCall): StoreAnswer<Uint8Array>
}

const treeStoreOptions = s.options('new TreeStore()', {
  /** What stands before the path of every entry: `/home/ann/skills.zip!`. No `/` at its end. */
  root: s.text().required(),
  /** As {@link Store.id}. */
  id: s.text().required(),
  /**
   * The entries now, by their paths below the root: `deploy/SKILL.md`; undefined where the place itself is not there.
   * Asked once at the beginning of each look; the same map as before says that nothing changed.
   */
  entries: s.fn<(call: StoreCall) => StoreAnswer<ReadonlyMap<string, TreeEntry> | undefined>>().required(),
  /** As {@link Store.isSlow}. */
  isSlow: s.flag().default(false),
})

export interface TreeStoreOptions extends s.OptionsOf<typeof treeStoreOptions> {}

/** Links that are followed from one path: more of them are a cycle. */
const mostLinks = 40
/** Entries, each with the folders on its way, that are put into a tree without a turn for the rest of the process. */
const batch = 3000

interface Known {
  readonly map: ReadonlyMap<string, TreeEntry> | undefined
  readonly tree: Folder | undefined
}

interface Folder {
  readonly entries: Map<string, TreeEntry | Folder>
  /** Changes with the names in it and what they are. */
  version: string
  /** Its path below the root, with a `/` in front of every part; empty for the root itself. */
  readonly path: string
  readonly parent: Folder | undefined
  /** Where the links in it lead, each followed once. */
  readonly targets: Map<string, Target>
}

/** What a path leads to, and where that really stands. */
interface Spot {
  readonly folder: Folder
  /** Undefined for the folder itself. */
  readonly name?: string
  readonly entry: TreeEntry | Folder
}

/** Where a link leads, and by how many links; nowhere, or in a cycle. */
type Target = { readonly spot: Spot; readonly links: number } | 'nothing' | 'cycle'

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

  read(path: string, call: ReadCall): StoreAnswer<StoreFile | undefined> {
    return this.#find(path, call, (found, identity): StoreAnswer<StoreFile | undefined> => {
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
      const parts = this.#partsOf(path)
      const spot = parts && spotAt(tree, parts)
      return spot && `${this.#root}${pathOf(spot)}`
    })
  }

  /** Asks for the entries anew. */
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

  /** Drops what is known of the entries: they are asked for with the next call. */
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
      // The folders on the way may be links, the entry itself is looked at as it is.
      const above = parts && spotAt(tree, parts.slice(0, -1))
      const name = parts?.at(-1) ?? ''
      const found = above && isFolder(above.entry) ? above.entry.entries.get(name) : undefined
      return use(found, identityOf(above === undefined ? this.#root : `${this.#root}${pathOf(above)}/${name}`, found))
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

/** The entries with the tree of them: at once where they are few. */
function knownOf(map: Known['map'], call: StoreCall): StoreAnswer<Known> {
  if (map === undefined) return { map, tree: undefined }
  const work = treeOf(map)
  if (map.size > batch) return inTurns()
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return { map, tree: step.value }

  async function inTurns(): Promise<Known> {
    for (let step = work.next(); ; step = work.next()) {
      if (step.done === true) return { map, tree: step.value }
      await turn()
      refuseAborted(call)
    }
  }
}

/** Makes a tree of entries; yields after each batch of them. */
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
    // A path that leads elsewhere names no entry of this tree.
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
    folder.version = [...folder.entries]
      .map(([name, entry]) => `${kindOf(entry)}:${name}`)
      .sort()
      .join('/')
  }
  return root
}

function folderIn(parent: Folder | undefined, name: string): Folder {
  const path = parent === undefined ? '' : `${parent.path}/${name}`
  return { entries: new Map(), version: '', path, parent, targets: new Map() }
}

/** What a path leads to with every link on the way resolved; undefined where it leads to nothing. */
function spotAt(tree: Folder | undefined, parts: readonly string[]): Spot | undefined {
  if (tree === undefined) return undefined
  const target = follow({ at: { folder: tree, entry: tree }, parts, next: 0, links: 0 })
  if (target === 'cycle') throw Object.assign(new Error('Links lead in a cycle.'), { code: 'ELOOP' })
  return target === 'nothing' ? undefined : target.spot
}

/** A path that is followed, how far, and the link that it is the target of. */
interface Walk {
  at: Spot
  readonly parts: readonly string[]
  next: number
  /** Links followed so far. */
  links: number
  readonly link?: { readonly folder: Folder; readonly name: string }
}

/**
 * Follows a path. A link that comes up is followed to its end first, and remembered: all links of a tree cost as much as
 * their targets are long. Without recursion: a chain of links may be as long as an archive has entries.
 */
function follow(first: Walk): Target {
  const walks = [first]
  const open = new Set<string>()
  let known: Target | undefined
  for (;;) {
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

  /** Goes on as far as it can: to the end, or to a link that has to be followed first, which it puts on top. */
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
        // A link that begins at the root of a file system leads out of every tree; one that no file system could hold
        // leads nowhere.
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

/** Its path below the root, with a `/` in front of every part. */
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
