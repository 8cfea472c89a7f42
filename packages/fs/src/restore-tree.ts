import { setImmediate as turn } from 'node:timers/promises'
import { compact } from './file-identity.js'
import { Folder, FolderListing, skillFile } from './folder.js'
import { isJsonObject } from './json-file.js'
import { looseName } from './listing.js'
import { stampsOfFile, type ListingShape, type RememberedTree, type Shape } from './saved-tree.js'
import type { FileIdentity } from '@skills/core'
import type { FoundFile } from './tree-options.js'

/** A tree that was saved, for {@link SkillTree.resume}. A class, so that a program which resumes none has none of this in it. */
export class TreeMemory<T> {
  readonly #tree: RememberedTree<T>

  constructor(tree: RememberedTree<T>) {
    this.#tree = tree
  }

  /** What the root's links lead to. */
  get realPath(): string {
    return this.#tree.realPath
  }

  /** Whether the root is a file. */
  get isFile(): boolean {
    return this.#tree.isFile
  }

  /** Fills a root that was not looked at. False when what was saved cannot have been a tree: the root is then to be dropped. */
  async restore(root: Folder<T>): Promise<boolean> {
    const shape: unknown = parse(this.#tree.shape)
    if (!isShape(shape)) return false
    const count = countFiles(shape)
    if (count * stampsOfFile !== this.#tree.stamps.length) return false
    await new Restoring(this.#tree).restore(root, shape)
    return true
  }
}

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

class Restoring<T> {
  readonly #memory: RememberedTree<T>
  // One record serves every file, as in a walk.
  readonly #lent = new Lent()
  #at = 0

  constructor(memory: RememberedTree<T>) {
    this.#memory = memory
  }

  async restore(folder: Folder<T>, { file, via, problems, listing }: Shape): Promise<void> {
    folder.readAt = this.#memory.savedAt
    if (problems !== undefined) folder.problems = problems
    if (file !== undefined) {
      folder.state = 'skill'
      folder.via = via
      folder.file = this.#nextFile(file)
      folder.item = this.#nextItem(folder.name, via ?? folder.filePath, folder.file)
    }
    if (listing !== undefined) {
      folder.state = 'listed'
      folder.listing = await this.#listing(folder, listing)
    }
  }

  async #listing(folder: Folder<T>, shape: ListingShape): Promise<FolderListing<T>> {
    const { names, hasLinks, tooDeep, tooMany } = shape
    const [mtimeMs, ctimeMs, dev, ino] = shape.stamps ?? neverSeen
    const loose = shape.loose === undefined ? undefined : new Set(shape.loose)
    const listing = new FolderListing<T>(names, { mtimeMs, ctimeMs, dev, ino }, hasLinks, tooDeep, tooMany, loose)
    const without = shape.without.length === 0 ? undefined : new Set(shape.without)
    const folders = new Map(shape.folders)
    const isReal = folder.realPath === folder.path
    for (let row = 0; row < names.length; row++) {
      if (row % batch === batch - 1) await turn()
      const name = names[row] ?? ''
      const isLoose = loose?.has(name) === true
      if (without?.has(row) !== true) {
        const below = isLoose ? `/${name}` : `/${name}/${skillFile}`
        const path = folder.path + below
        const file = this.#nextFile(isReal ? path : folder.realPath + below)
        listing.files[row] = file
        listing.items[row] = this.#nextItem(isLoose ? looseName(name, folder.name) : name, path, file)
        continue
      }
      // What is not known is to be a folder too: a row would be taken to have been read when its folder was listed.
      const child = folders.get(row) ?? unknown
      const path = `${folder.path}/${name}`
      const realPath = child.link ?? (isReal ? path : `${folder.realPath}/${name}`)
      const known = new Folder<T>(isLoose ? looseName(name, folder.name) : name, path, realPath, folder.depth + 1, child.link !== undefined, isLoose)
      if (child !== unknown) await this.restore(known, child)
      listing.folders.set(row, known)
    }
    return listing
  }

  #nextFile(realPath: string): FileIdentity {
    const { stamps } = this.#memory
    const from = this.#at * stampsOfFile
    // Taking the figures apart as a list would be a good part of the work.
    return {
      realPath, dev: compact(stamps[from] ?? 0), ino: compact(stamps[from + 1] ?? 0), size: compact(stamps[from + 2] ?? 0), mtimeMs: stamps[from + 3] ?? 0, ctimeMs: stamps[from + 4] ?? 0,
    }
  }

  #nextItem(name: string, path: string, identity: FileIdentity): T {
    const lent = this.#lent
    lent.name = name
    lent.path = path
    lent.identity = identity
    return this.#memory.itemAt(this.#at++, lent)
  }
}

class Lent implements FoundFile {
  name = ''
  path = ''
  identity = nowhere

  get folder(): string {
    return this.path.slice(0, this.path.lastIndexOf('/'))
  }
}

/** Rows that are filled without a turn for the rest of the process: a few milliseconds' worth. */
const batch = 1000

const unknown: Shape = Object.freeze({})
const nowhere: FileIdentity = Object.freeze({ realPath: '', dev: 0, ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 })
/** No stamp is like it: the folder is listed anew. */
const neverSeen = [Number.NaN, Number.NaN, 0, 0] as const

function countFiles({ file, listing }: Shape): number {
  if (listing === undefined) return file === undefined ? 0 : 1
  return listing.folders.reduce((sum, [, shape]) => sum + countFiles(shape), listing.names.length - listing.without.length)
}

function isShape(value: unknown): value is Shape {
  if (!isJsonObject(value)) return false
  const { file, link, via, problems, listing } = value
  if (![file, link, via].every(path => path === undefined || typeof path === 'string')) return false
  if (problems !== undefined && !(Array.isArray(problems) && problems.every(isJsonObject))) return false
  return file === undefined ? isListing(listing) : listing === undefined
}

function isListing(value: unknown): value is ListingShape {
  if (!isJsonObject(value)) return false
  const { names, stamps, hasLinks, tooDeep, tooMany, loose, without, folders } = value
  if (!isNames(names) || (loose !== undefined && !isNames(loose)) || typeof hasLinks !== 'boolean') return false
  if (![tooDeep, tooMany].every(count => typeof count === 'number')) return false
  if (stamps !== null && !(Array.isArray(stamps) && stamps.length === 4 && stamps.every(stamp => typeof stamp === 'number'))) return false
  if (!Array.isArray(without) || !Array.isArray(folders)) return false
  // Rows in order, each once, so that every file is counted and none twice.
  if (!without.every((row, at) => Number.isInteger(row) && row < names.length && row > (at === 0 ? -1 : without[at - 1]))) return false
  const rows = new Set<unknown>(without)
  return folders.every(known => Array.isArray(known) && rows.delete(known[0]) && isShape(known[1]))
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(name => typeof name === 'string' && name !== '' && !name.includes('/'))
}
