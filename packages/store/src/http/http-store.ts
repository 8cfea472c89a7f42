import * as s from '@skills/core/schema'
import { createHash } from 'node:crypto'
import { SkillsError } from '@skills/core'
import type { ReadCall, Store, StoreCall } from '../store.js'
import { TreeStore, type TreeEntry, type TreeFile } from '../tree-store.js'
import { maskSecrets as masked } from '@skills/state/secrets'
import { readIndex, type IndexEntry } from './index-format.js'
import { openedEntries } from './opened-entries.js'
import { Requests, type Fetch, type Got } from './requests.js'

const httpStoreOptions = s.options('httpStore()', {
  /** A site that has an index where agents look for it, or an index, whose path ends with `.json`. */
  url: s.text().required(),
  /**
   * Opens the archive of one skill as a store with this root, such as `(bytes, root) => archiveStore({ bytes, root })`.
   */
  archive: s.fn<(bytes: Uint8Array, root: string) => Store>(),
  /** Sent to the origin of `url` and to no other. */
  headers: s.record(s.text()).default({}),
  /** Further origins that files and redirects may be of, such as `https://cdn.acme.example`. */
  allowOrigins: s.list(s.text()).default([]),
  /** Whether names may stand for private addresses. */
  privateAddresses: s.flag().default(false),
  /** In place of the store's own way to ask, with its own rules about addresses. */
  fetch: s.fn<Fetch>(),
  /** What stands before the path of every file. Default: the URL without a `/` at its end. */
  root: s.text(),
  /** Files that an index, or an archive, may have. */
  maxFiles: s.number({ above: 0 }).default(20_000),
  /** Bytes of an index. */
  maxIndexBytes: s.number({ above: 0 }).default(8 * 1024 * 1024),
  /** Bytes of all archives of an index together; they stay in memory. */
  maxArchiveBytes: s.number({ above: 0 }).default(64 * 1024 * 1024),
  /** Milliseconds until an answer must be there in full. */
  timeoutMs: s.number({ above: 0 }).default(30_000),
})

export interface HttpStoreOptions extends s.OptionsOf<typeof httpStoreOptions> {}

interface Archive {
  readonly bytes: number
  readonly entries: ReadonlyMap<string, TreeEntry>
}

interface Known {
  readonly url: string
  readonly etag: string | undefined
  readonly digest: string
  readonly entries: ReadonlyMap<string, TreeEntry>
}

const wellKnown = ['.well-known/agent-skills/index.json', '.well-known/skills/index.json']

/**
 * The files of a site that has an index of them; each is compared with its digest. Its calls reject with an SkillsError.
 */
export class HttpStore extends TreeStore {
  readonly #options: Pick<
    ReturnType<typeof httpStoreOptions.read>,
    'maxFiles' | 'maxIndexBytes' | 'maxArchiveBytes'
  > & { readonly archive: HttpStoreOptions['archive'] }
  readonly #requests: Requests
  readonly #places: readonly URL[]
  /** By their digests. */
  #archives: ReadonlyMap<string, Archive> = new Map()
  #known: Known | undefined

  /** @throws SkillsError `E_INVALID_OPTION` */
  constructor(given: HttpStoreOptions) {
    const options = httpStoreOptions.read(given)
    const {
      url,
      archive,
      headers,
      allowOrigins,
      privateAddresses,
      fetch,
      maxFiles,
      maxIndexBytes,
      maxArchiveBytes,
      timeoutMs,
    } = options
    const site = URL.canParse(url) ? new URL(url) : undefined
    if (
      site === undefined ||
      !/^https?:$/.test(site.protocol) ||
      site.username !== '' ||
      site.password !== '' ||
      site.hash !== ''
    )
      throw new SkillsError('E_INVALID_OPTION', `The option "url" of httpStore() is ${masked(JSON.stringify(url))}.`, {
        hint: 'Give an http or https URL without a user; what a server asks for goes into "headers".',
      })
    const root = options.root ?? `${site.origin}${site.pathname}`.replace(/\/+$/, '')
    super({ id: 'http', root, isSlow: true, entries: call => this.#entries(call) })
    this.#options = { archive, maxFiles, maxIndexBytes, maxArchiveBytes }
    this.#requests = new Requests({ site, headers, allowOrigins, privateAddresses, timeoutMs, fetch })
    const folder = new URL(site.pathname.endsWith('/') ? site.pathname : `${site.pathname}/`, site)
    this.#places = site.pathname.endsWith('.json') ? [site] : wellKnown.map(path => new URL(path, folder))
  }

  /** Ends the connections. */
  close(): void {
    this.#requests.close()
  }

  async #entries(call: StoreCall): Promise<ReadonlyMap<string, TreeEntry> | undefined> {
    const known = this.#known
    const most = this.#options.maxIndexBytes
    for (const place of this.#places) {
      const got = await this.#requests.get(place, {
        most,
        signal: call.signal,
        etag: known?.url === place.href ? known.etag : undefined,
      })
      if (got.status === 404 || got.status === 410) continue
      if (got.status === 304 && known !== undefined) return known.entries
      if (got.status !== 200) throw failed(got)
      if (got.bytes.length > most)
        throw new SkillsError('E_HTTP_LIMIT', `${masked(got.url.href)} has more than ${most} bytes.`, {
          hint: 'Allow more: "maxIndexBytes".',
        })
      const digest = sha256(got.bytes)
      if (known?.digest === digest && known.url === place.href) return known.entries
      const { entries, isComplete } = await this.#entriesOf(
        readIndex(got.bytes, got.url, this.#options.maxFiles),
        digest,
        call,
      )
      // What failed is tried again with the next look, also where the index is the same.
      this.#known = isComplete ? { url: place.href, etag: got.etag, digest, entries } : undefined
      return entries
    }
    return undefined
  }

  async #entriesOf(
    listed: readonly IndexEntry[],
    version: string,
    call: StoreCall,
  ): Promise<{ readonly entries: ReadonlyMap<string, TreeEntry>; readonly isComplete: boolean }> {
    const archives = new Map<string, Archive>()
    const entries = new Map<string, TreeEntry>()
    let left = this.#options.maxArchiveBytes
    let isComplete = true
    for (const entry of listed) {
      const { path, kind, type, digest, size } = entry
      if (kind === 'file') {
        // Without a digest a file may change as often as the index does.
        entries.set(path, {
          size,
          version: digest ?? `${version} ${path}`,
          read: reading => this.#file(entry, reading),
        })
        continue
      }
      try {
        if (kind === 'unknown')
          throw new SkillsError('E_HTTP_INDEX', `${path} is of the unknown type ${JSON.stringify(type)}.`, {
            hint: 'Known are "skill-md" and "archive".',
          })
        // The same bytes are not asked for again.
        const archive = this.#archives.get(digest ?? '') ?? (await this.#archive(entry, left, call))
        left -= archive.bytes
        archives.set(digest ?? '', archive)
        for (const [below, one] of archive.entries) entries.set(`${path}/${below}`, one)
      } catch (error) {
        if (call.signal.aborted) throw error
        // One skill that is refused takes no other with it: it says why where its file would be.
        entries.set(kind === 'archive' ? `${path}/SKILL.md` : path, failing(error))
        isComplete = false
      }
    }
    this.#archives = archives
    return { entries, isComplete }
  }

  async #archive(entry: IndexEntry, most: number, call: StoreCall): Promise<Archive> {
    const { archive, maxFiles } = this.#options
    const { href } = entry.url
    if (archive === undefined)
      throw new SkillsError('E_HTTP_ARCHIVE', `${entry.path} is the archive ${masked(href)}.`, {
        hint: 'Give "archive", such as one that calls archiveStore() of @skills/store/archive.',
      })
    const bytes = await this.#file(entry, { ...call, maxBytes: most })
    if (bytes.length > most)
      throw new SkillsError(
        'E_HTTP_LIMIT',
        `${masked(href)} has more than the ${most} bytes that are left for archives.`,
        { hint: 'Allow more: "maxArchiveBytes".' },
      )
    return { bytes: bytes.length, entries: await openedEntries(archive(bytes, href), href, maxFiles, call) }
  }

  async #file({ path, url, size, digest }: IndexEntry, { maxBytes, signal }: ReadCall): Promise<Buffer> {
    const most = Math.min(maxBytes, size ?? maxBytes)
    const got = await this.#requests.get(url, { most, signal })
    if (got.status !== 200) throw failed(got)
    // More than the caller wants is not read to its end, so that it has no digest; it is not given to anyone either.
    if (size === undefined && got.bytes.length > maxBytes) return got.bytes
    const isSame =
      (size === undefined || got.bytes.length === size) && (digest === undefined || sha256(got.bytes) === digest)
    if (!isSame)
      throw new SkillsError('E_HTTP_DIGEST', `${path} is another file at ${masked(url.href)} than its index says.`, {
        hint: 'It was changed or damaged. List the skills again; tell those who publish it.',
      })
    return got.bytes
  }
}

/** See {@link HttpStore}. */
export function httpStore(options: HttpStoreOptions): HttpStore {
  return new HttpStore(options)
}

/** A file that says why it is not read, where it would be looked for. */
function failing(error: unknown): TreeFile {
  return {
    version: String(error),
    read() {
      throw error
    },
  }
}

function failed({ url, status }: Got): SkillsError {
  return new SkillsError('E_HTTP_FAILED', `${masked(url.href)} answers with the status ${status}.`, {
    hint: 'Try it in a browser, or again later.',
  })
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
