import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { systemCode } from '@skills/files/internal'
import { cacheFolderOf, makePrivateFolder } from '@skills/state'
import { withoutRoom } from '@skills/state/internal'
import type { Host } from '@skills/core'

/**
 * Contents of files by SHA-256. Processes share the cache. Each entry is written in one step and checked at each read.
 */
export class ContentCache {
  readonly #folder: string
  #library: Promise<typeof import('cacache')> | undefined

  constructor(host: Pick<Host, 'env' | 'platform' | 'home'>, owner = process.geteuid?.()) {
    const top = cacheFolderOf(host)
    makePrivateFolder(top, owner)
    this.#folder = `${top}/content`
  }

  /**
   * Stores bytes, and returns their digest: 64 hexadecimal digits.
   * @throws SkillsError `E_WRITE` if the disk is full
   */
  async put(bytes: Buffer): Promise<string> {
    const cache = await this.#cache()
    const digest = sha256(bytes)
    // The index by keys is not needed, because contents are found by their digest.
    if ((await cache.get.hasContent(this.#folder, integrityOf(digest))) === false)
      try {
        await cache.put(this.#folder, digest, bytes, { algorithms: ['sha256'], memoize: false })
      } catch (error) {
        throw withoutRoom(this.#folder, error)
      }
    return digest
  }

  /** Returns the bytes with a digest, or undefined if they are missing or damaged. */
  async get(digest: string): Promise<Buffer | undefined> {
    const cache = await this.#cache()
    try {
      return await cache.get.byDigest(this.#folder, integrityOf(digest), { memoize: false })
    } catch (error) {
      const code = systemCode(error)
      if (code !== 'ENOENT' && code !== 'EINTEGRITY') throw error
      // Damaged content is removed, so that it is fetched again.
      if (code === 'EINTEGRITY') await cache.rm.content(this.#folder, integrityOf(digest))
      return undefined
    }
  }

  #cache(): Promise<typeof import('cacache')> {
    return (this.#library ??= import('cacache').then(({ default: library }) => library))
  }
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Returns the digest of a file. Only a part of the file is in memory at a time. */
export function fileDigest(path: string): string {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(1024 * 1024)
  const file = openSync(path, 'r')
  try {
    for (let length = 1; length > 0; hash.update(piece.subarray(0, length))) length = readSync(file, piece)
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

function integrityOf(digest: string): string {
  return `sha256-${Buffer.from(digest, 'hex').toString('base64')}`
}
