import { createHash } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { compareCodeUnits } from '@skills/core'
import { realPathOf, unlessRefused } from '@skills/files/internal'
import { readWholeFileSync } from '@skills/files'
import { makePrivateFolder } from '@skills/state'
import { temporaryName } from '@skills/state/internal'
import { Root } from '@skills/state/writer'
import { bytesOfFile } from './bytes-of-file.js'
import { registryError } from './registry-error.js'
import { fullNameOf } from './new-version.js'
import type { Registry, SkillVersion, VersionFile } from './registry-types.js'

export type CachedVersion = Pick<SkillVersion, 'namespace' | 'name' | 'digest' | 'files'>

/** Digits of a digest in a path. The files are compared with whole digests. */
const shownDigits = 32
/** Attempts to write a folder that other processes write or change at the same time. */
const mostAttempts = 5
const begun = '.skills-registry.'

/**
 * Files of skills on the disk, in a folder for each version. The content can always be made again, so that the folder
 * may be removed at any time.
 */
export class SkillCache {
  readonly #making = new Map<string, Promise<void>>()

  /**
   * @param path absolute, with forward slashes
   * @param fileOf returns the bytes of a file by its digest
   * @param isOwn true if the folder has to be the user's alone
   */
  constructor(
    readonly path: string,
    private readonly fileOf: Registry['file'],
    private readonly isOwn: boolean,
  ) {}

  /** Returns the folder of a version, which may be missing. */
  folderOf(version: CachedVersion): string {
    return `${this.path}/${placeOf(version)}`
  }

  /**
   * Makes the folder of a version, unless it is there with exactly the version's files.
   * @throws SkillsError `E_WRITE` if a link is on the way, `E_REGISTRY_READ_ONLY`, `E_REGISTRY_DAMAGED`
   */
  async make(version: CachedVersion): Promise<void> {
    const place = placeOf(version)
    const making = this.#making.get(place) ?? this.#make(version, place)
    this.#making.set(place, making)
    try {
      await making
    } finally {
      if (this.#making.get(place) === making) this.#making.delete(place)
    }
  }

  async #make(version: CachedVersion, place: string): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      if (isWhole(this.path, place, version.files)) return
      const files: [VersionFile, Uint8Array][] = []
      for (const file of version.files) files.push([file, await bytesOfFile(this.fileOf, file, version)])
      this.#write(version, place, files)
    }
    throw registryError(
      'E_REGISTRY_DAMAGED',
      `${this.path}/${place} has other files than ${fullNameOf(version)}, however often they are written.`,
      'Check which program changes the folder.',
    )
  }

  #write(version: CachedVersion, place: string, files: readonly (readonly [VersionFile, Uint8Array])[]): void {
    try {
      if (this.isOwn) makePrivateFolder(this.path, process.geteuid?.())
      const root = new Root(this.path, { kind: 'temporary' })
      const folder = temporaryName(begun)
      root.makeFolder(folder)
      try {
        root.removeAbandoned('', begun)
        for (const [{ path, isExecutable }, bytes] of files)
          root.create(`${folder}/${path}`, bytes, isExecutable ? 0o700 : 0o600)
        // What is there is incomplete or was changed.
        root.remove(place)
        root.move(folder, place)
      } finally {
        root.remove(folder)
      }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
      throw registryError(
        'E_REGISTRY_READ_ONLY',
        `The files of ${fullNameOf(version)} cannot be written to ${this.path}.`,
        'Name a folder that can be written to: cacheFolder.',
        error,
      )
    }
  }
}

const placeOf = ({ namespace, name, digest }: CachedVersion): string =>
  `${digest.replace('sha256:', '').slice(0, shownDigits)}/${namespace}/${name}`

/** True if a folder has exactly these files, and no link leads to it or is in it. */
function isWhole(top: string, place: string, files: readonly VersionFile[]): boolean {
  return unlessRefused(() => {
    const folder = `${top}/${place}`
    if (realPathOf(folder) !== `${realPathOf(top)}/${place}`) return false
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    const found = entries.flatMap(entry =>
      entry.isDirectory() ? [] : `${entry.parentPath.replaceAll('\\', '/')}/${entry.name}`.slice(folder.length + 1),
    )
    const paths = files.map(({ path }) => path)
    if (found.toSorted(compareCodeUnits).join('\0') !== paths.toSorted(compareCodeUnits).join('\0')) return false
    return files.every(({ path, digest, bytes, isExecutable }) => {
      const at = `${folder}/${path}`
      const stats = lstatSync(at)
      if (!stats.isFile() || stats.size !== bytes) return false
      if (process.platform !== 'win32' && ((stats.mode & 0o100) !== 0) !== isExecutable) return false
      const read = readWholeFileSync(at, { maxBytes: bytes, within: [folder] })
      return read !== undefined && 'bytes' in read && createHash('sha256').update(read.bytes).digest('hex') === digest
    })
  }, false)
}
