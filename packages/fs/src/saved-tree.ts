import { isFileSettled, isSettled } from './file-identity.js'
import { knownFolder, type SkillTree } from './skill-tree.js'
import type { Folder, FolderListing } from './folder.js'
import type { Diagnostic, FileIdentity } from '@skills/core'
import type { FoundFile } from './tree-options.js'

/** Figures that tell a file from another and from itself as it was: `dev`, `ino`, `size`, `mtimeMs`, `ctimeMs`. */
export const stampsOfFile = 5

/** What is known of a tree, as data that outlives the process. */
export interface SavedTree<T> {
  /** What the root's links lead to. */
  readonly realPath: string
  /** Whether the root is a file. */
  readonly isFile: boolean
  /** Its folders as JSON. It counts files and does not hold them. */
  readonly shape: string
  /** What was read, in the order in which the shape counts it. */
  readonly items: readonly T[]
  readonly files: readonly FileIdentity[]
}

/** The same as it comes back: a {@link TreeMemory} is made of it. */
export interface RememberedTree<T> extends Pick<SavedTree<T>, 'realPath' | 'isFile' | 'shape'> {
  /** Of each file as many as {@link stampsOfFile}. */
  readonly stamps: Float64Array
  /** When it was saved, milliseconds since the epoch: what has a later time stamp is looked at anew. */
  readonly savedAt: number
  /** Makes the item of the file with this number. The file is lent for the call. */
  readonly itemAt: (at: number, file: FoundFile) => T
}

/** A folder with a skill or a listing. */
export interface Shape {
  /** Of a folder with a skill: what the path of its file leads to. */
  readonly file?: string | undefined
  /** Of a folder that a link leads to. */
  readonly link?: string | undefined
  readonly via?: string | undefined
  readonly problems?: readonly Diagnostic[] | undefined
  readonly listing?: ListingShape | undefined
}

export interface ListingShape {
  readonly names: readonly string[]
  /** `mtimeMs`, `ctimeMs`, `dev` and `ino`; null for a folder that may have changed since, within the tick of its clock. */
  readonly stamps: readonly [number, number, number, number] | null
  readonly hasLinks: boolean
  readonly tooDeep: number
  readonly tooMany: number
  readonly loose?: readonly string[] | undefined
  /** Rows that are no plain skill. */
  readonly without: readonly number[]
  /** Of these, the ones that are known as something else. */
  readonly folders: readonly (readonly [row: number, shape: Shape])[]
}

/**
 * What another process needs to resume a tree: of every file that surely has not changed since it was read. What is not sure
 * goes without saying. Undefined when there is no root.
 * @param keeps whether an item may go in; `readAt` is when reading it began, in milliseconds since the epoch
 */
export function saveTree<T>(tree: SkillTree<T>, keeps: (item: T, file: FileIdentity, readAt: number) => boolean): SavedTree<T> | undefined {
  const root = knownFolder(tree)
  if (root === undefined) return undefined
  const items: T[] = []
  const files: FileIdentity[] = []
  const take = (item: T | undefined, file: FileIdentity | undefined, readAt: number): boolean => {
    if (item === undefined || file === undefined) return false
    if (!isFileSettled(file, readAt) || !keeps(item, file, readAt)) return false
    items.push(item)
    files.push(file)
    return true
  }
  const shapeOf = ({ state, isLink, realPath, item, file, readAt, via, problems, listing }: Folder<T>): Shape | undefined => {
    const link = isLink ? realPath : undefined
    if (state === 'skill') return take(item, file, readAt) ? { file: file?.realPath, link, via, problems: some(problems) } : undefined
    return state === 'listed' && listing !== undefined ? { link, problems: some(problems), listing: listingOf(listing, readAt) } : undefined
  }
  const listingOf = ({ names, mtimeMs, ctimeMs, dev, ino, hasLinks, tooDeep, tooMany, loose, items: rows, files: rowFiles, folders: known }: FolderListing<T>, readAt: number): ListingShape => {
    const without: number[] = []
    const folders: [number, Shape][] = []
    for (let row = 0; row < names.length; row++) {
      const child = known.get(row)
      if (child === undefined ? take(rows[row], rowFiles[row], readAt) : isPlain(child) && take(child.item, child.file, child.readAt)) continue
      without.push(row)
      const shape = child === undefined || isPlain(child) ? undefined : shapeOf(child)
      if (shape !== undefined) folders.push([row, shape])
    }
    const stamps = isSettled(ctimeMs, readAt) ? [mtimeMs, ctimeMs, dev, ino] as const : null
    return { names, stamps, hasLinks, tooDeep, tooMany, loose: loose === undefined ? undefined : [...loose], without, folders }
  }
  const shape = shapeOf(root)
  return shape === undefined ? undefined : { realPath: root.realPath, isFile: root.isLoose, shape: JSON.stringify(shape), items, files }
}

/** Whether a folder is known as nothing but a skill at the usual place, which its row in the listing can say as well. */
function isPlain<T>({ state, isLink, via, problems }: Folder<T>): boolean {
  return state === 'skill' && !isLink && via === undefined && problems.length === 0
}

function some(problems: readonly Diagnostic[]): readonly Diagnostic[] | undefined {
  return problems.length === 0 ? undefined : problems
}
