import { identityOf, isUnchanged } from './file-identity.js'
import { skillFile, type Before, type Folder, type FolderListing } from './folder.js'
import { ioProblem, systemCode } from './problem.js'
import { followLink, lstatOf } from './real-path.js'
import { looseName, type Listing } from './listing.js'
import { unsharedReads, type FileReads, type Head, type Probe } from './probe.js'
import { Opener } from './opener.js'
import { Reading, unread } from './reading.js'
import { fileTooLarge, notAFile, otherCase } from './walk-problems.js'
import type { FileIdentity } from '@skills/core'
import type { TreeOptions } from './tree-options.js'

/** Reads the skill files of one walk, and says what is wrong with those that cannot be read. */
export class SkillFileReader<T> {
  /** Files of which anything was read. */
  filesRead = 0
  readonly #options: TreeOptions<T>
  readonly #reads: FileReads
  // One record and one function serve every file: an object or a closure each would be a good part of the work.
  readonly #reading = new Reading()
  readonly #opener = new Opener()
  #item: T | undefined
  /** Whether the last folder had a plain skill file, so that the next one probably has. */
  #isLikely = true
  #isStopped = false

  constructor(options: TreeOptions<T>) {
    this.#options = options
    this.#reads = options.sharedReads ?? unsharedReads
  }

  /** Makes no more items: nobody waits for what is still under way. */
  stop(): void {
    this.#isStopped = true
  }

  /** Reads the file of a row that has no folder of its own. */
  readRow(folder: Folder<T>, listing: FolderListing<T>, row: number, isLoose: boolean): Probe {
    const reading = this.#reading
    const name = listing.names[row] ?? ''
    reading.name = isLoose ? looseName(name, folder.name) : name
    reading.path = isLoose ? `${folder.path}/${name}` : `${folder.path}/${name}/${skillFile}`
    reading.identity = unread
    this.#item = undefined
    const probe = this.#reads.probeSync(reading.path, this.#isLikely, this.#options.fileBytes, this.#take, folder)
    this.#isLikely = probe.found === 'file'
    // One that was passed over was opened all the same.
    if (this.#isLikely && reading.identity === unread) this.filesRead++
    // Nothing was made of what is read after the stop: the row is still to be looked at.
    if (probe.found === 'file' && !this.#isStopped) {
      listing.items[row] = this.#item
      listing.files[row] = reading.identity
    }
    return probe
  }

  /** Reads the file of a folder. */
  read(folder: Folder<T>): Probe {
    const probe = this.#reads.probeSync(folder.filePath, this.#isLikely, this.#options.fileBytes, this.#takeInto, folder)
    this.#isLikely = probe.found === 'file'
    return probe
  }

  /** The same with callbacks. */
  readSlowly(folder: Folder<T>): Probe | Promise<Probe> {
    return this.#reads.probeSlowly(folder.filePath, this.#options.fileBytes, this.#takeInto, folder, this.#opener)
  }

  /** Whether a file is as it was when it was read, and what was made of it still stands. */
  isKept(item: T | undefined, file: FileIdentity, readAt: number): boolean {
    const stats = lstatOf(file.realPath)
    return stats !== undefined && isUnchanged(file, stats, readAt) && (item === undefined || this.#options.isCurrent?.(item) !== false)
  }

  /** Takes the head of a row's file. */
  readonly #take = (head: Head, parent: Folder<T>, path: string): boolean => {
    this.#takeAs(head, this.#reading.name, path, parent.realPath === parent.path ? path : parent.realPath + path.slice(parent.path.length))
    return this.#item === undefined
  }
  /** Takes the head of a folder's file. */
  readonly #takeInto = (head: Head, folder: Folder<T>, path: string): boolean =>
    this.#takeFor(folder, head, path, folder.realPath === folder.path ? path : folder.realFilePath)

  #takeFor(folder: Folder<T>, head: Head, path: string, realPath: string): boolean {
    // Another walk may be at work on the folder by now.
    if (this.#isStopped) return false
    this.#takeAs(head, folder.name, path, realPath)
    folder.item = this.#item
    folder.file = this.#reading.identity
    return folder.item === undefined
  }

  #takeAs(head: Head, name: string, path: string, realPath: string): void {
    const reading = this.#reading
    this.#item = undefined
    if (!head.isShared) this.filesRead++
    // Nobody waits any more for what is still under way.
    if (this.#isStopped) return
    reading.name = name
    reading.path = path
    reading.identity = identityOf(realPath, head.stats)
    this.#item = this.#options.read(reading, head)
  }

  /** What a probe found becomes the folder's state. */
  note(folder: Folder<T>, path: string, probe: Probe): void {
    folder.state = 'failed'
    const { name } = folder
    if (probe.found === 'file') folder.state = 'skill'
    else if (probe.found === 'other') folder.problems = [notAFile(name, path, probe.kind)]
    else if (probe.found === 'too-large') folder.problems = [fileTooLarge(name, path, probe.size, this.#options.fileBytes)]
    else if (probe.found === 'error') {
      // A file that cannot even be looked at lies in a folder that may not be entered.
      const isFolder = systemCode(probe.error) === 'EACCES' && lstatOf(path) === undefined
      folder.problems = [{ ...(isFolder ? ioProblem('The folder', folder.path, probe.error) : ioProblem('The file', path, probe.error)), name }]
    }
  }

  followFile(folder: Folder<T>, path: string, before: Before<T>): void {
    folder.via = path
    const target = followLink(path, this.#options.within)
    if ('problem' in target) {
      folder.state = 'failed'
      folder.problems = [{ ...target.problem, name: folder.name }]
      return
    }
    const { realPath } = target
    if (this.#keptFile(folder, before, realPath)) return
    this.note(folder, path, this.#reads.probeSync(realPath, false, this.#options.fileBytes, head => this.#takeFor(folder, head, path, realPath), folder))
  }

  /** Gives a folder back what was read of its file, when the path still leads to that file and it is as it was. */
  #keptFile(folder: Folder<T>, { item, file, readAt, via }: Before<T>, realPath: string): boolean {
    if (item === undefined || file === undefined || via !== folder.via || file.realPath !== realPath) return false
    if (!this.isKept(item, file, readAt)) return false
    folder.state = 'skill'
    folder.item = item
    folder.file = file
    folder.readAt = readAt
    return true
  }

  /** Deals with a `skill.md`; true when it stands for the folder. */
  tookOtherCase(folder: Folder<T>, { skillFiles }: Listing, before: Before<T>): boolean {
    const name = skillFiles.find(file => file !== skillFile)
    if (name === undefined || skillFiles.includes(skillFile)) return false
    const path = `${folder.path}/${name}`
    // Where skills lie within others a file is a row of its folder, and this one is none.
    if (this.#options.otherCase === 'report' || this.#options.nested === true) {
      folder.problems = [otherCase(folder.name, path, false)]
      return false
    }
    // A SKILL.md that comes to stand beside it must be noticed, though this file is as it was.
    folder.via = path
    const realPath = `${folder.realPath}/${name}`
    if (!this.#keptFile(folder, before, realPath)) {
      const probe = this.#reads.probeSync(path, false, this.#options.fileBytes, head => this.#takeFor(folder, head, path, realPath), folder)
      if (probe.found === 'link') this.followFile(folder, path, before)
      else this.note(folder, path, probe)
    }
    if (folder.state !== 'skill') return true
    folder.problems = [otherCase(folder.name, path, true)]
    return true
  }
}
