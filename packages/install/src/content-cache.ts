import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { systemCode } from '@skills/files/internal'
import { cacheFolderOf, makePrivateFolder } from '@skills/state'
import type { Host } from '@skills/core'

/** What files hold, by SHA-256: shared by processes, written whole, and checked whenever it is read. */
export class ContentCache {
  readonly #folder: string
  #library: Promise<typeof import('cacache')> | undefined

  constructor(host: Pick<Host, 'env' | 'platform' | 'home'>, owner = process.geteuid?.()) {
    const top = cacheFolderOf(host)
    makePrivateFolder(top, owner)
    this.#folder = `${top}/content`
  }

  /** Keeps bytes, and gives their digest: 64 hexadecimal digits. */
  async put(bytes: Buffer): Promise<string> {
    const cache = await this.#cache()
    const digest = sha256(bytes)
    // The index by keys is not needed: what is kept is asked for by its digest.
    if ((await cache.get.hasContent(this.#folder, integrityOf(digest))) === false)
      await cache.put(this.#folder, digest, bytes, { algorithms: ['sha256'], memoize: false })
    return digest
  }

  /** The bytes of a digest; undefined where they are not kept, or are others by now. */
  async get(digest: string): Promise<Buffer | undefined> {
    const cache = await this.#cache()
    try {
      return await cache.get.byDigest(this.#folder, integrityOf(digest), { memoize: false })
    } catch (error) {
      const code = systemCode(error)
      if (code !== 'ENOENT' && code !== 'EINTEGRITY') throw error
      // Damaged: what takes its place is got again.
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

/** The same of a file, of which no more than a part is in memory. */
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
