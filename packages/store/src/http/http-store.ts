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
  /** Site with an index in the place where agents look for it, or an index, whose path ends with `.json`. */
  url: s.text().required(),
  /**
   * Opens the archive of one skill as a store with this root, for example `(bytes, root) => archiveStore({ bytes, root
   * })`. Default: archives are refused.
   */
  archive: s.fn<(bytes: Uint8Array, root: string) => Store>(),
  /** Headers that are sent only to the origin of `url`. Default: none. */
  headers: s.record(s.text()).default({}),
  /** Further origins for files and redirects, such as `https://cdn.acme.example`. Default: none. */
  allowOrigins: s.list(s.text()).default([]),
  /** True if names may resolve to private addresses. Default: false. */
  privateAddresses: s.flag().default(false),
  /** Function that replaces the store's own requests, with its own rules about addresses. */
  fetch: s.fn<Fetch>(),
  /** Prefix of every file's path. Default: the URL without a `/` at its end. */
  root: s.text(),
  /** Most files of an index or an archive. Default: 20,000. */
  maxFiles: s.number({ above: 0 }).default(20_000),
  /** Most bytes of an index. Default: 8 MiB. */
  maxIndexBytes: s.number({ above: 0 }).default(8 * 1024 * 1024),
  /** Most bytes of all archives of an index together; they stay in memory. Default: 64 MiB. */
  maxArchiveBytes: s.number({ above: 0 }).default(64 * 1024 * 1024),
  /** Milliseconds in which a whole answer must arrive. Default: 30,000. */
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
 * Store with the files that the index of a site lists. Checks each file against its digest. Calls reject with a
 * SkillsError.
 */
export class HttpStore extends TreeStore {
  readonly #options: Pick<
    ReturnType<typeof httpStoreOptions.read>,
    'maxFiles' | 'maxIndexBytes' | 'maxArchiveBytes'
  > & { readonly archive: HttpStoreOptions['archive'] }
  readonly #requests: Requests
  readonly #places: readonly URL[]
  /** Opened archives by digest. */
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
      throw new SkillsError(
        'E_INVALID_OPTION',
        `The option "url" of httpStore() has to be an http or https URL, but is ${masked(JSON.stringify(url))}.`,
        { hint: 'Give an http or https URL without a user. Put credentials into "headers".' },
      )
    const root = options.root ?? `${site.origin}${site.pathname}`.replace(/\/+$/, '')
    super({ id: 'http', root, isSlow: true, entries: call => this.#entries(call) })
    this.#options = { archive, maxFiles, maxIndexBytes, maxArchiveBytes }
    this.#requests = new Requests({ site, headers, allowOrigins, privateAddresses, timeoutMs, fetch })
    const folder = new URL(site.pathname.endsWith('/') ? site.pathname : `${site.pathname}/`, site)
    this.#places = site.pathname.endsWith('.json') ? [site] : wellKnown.map(path => new URL(path, folder))
  }

  /** Closes the connections. */
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
      // After a failure the next look tries again, even if the index is the same.
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
        // Without a digest, a file may change as often as the index does.
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
            hint: 'The known types are "skill-md" and "archive".',
          })
        // An archive with the same bytes is not downloaded again.
        const archive = this.#archives.get(digest ?? '') ?? (await this.#archive(entry, left, call))
        left -= archive.bytes
        archives.set(digest ?? '', archive)
        for (const [below, one] of archive.entries) entries.set(`${path}/${below}`, one)
      } catch (error) {
        if (call.signal.aborted) throw error
        // A skill that is refused does not affect others: reading its file throws the reason.
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
        hint: 'Give the option "archive": a function that calls archiveStore() of @skills/store/archive.',
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
    // A file that is too large is not read to its end, so it has no digest. Its caller only learns that it is too
    // large.
    if (size === undefined && got.bytes.length > maxBytes) return got.bytes
    const isSame =
      (size === undefined || got.bytes.length === size) && (digest === undefined || sha256(got.bytes) === digest)
    if (!isSame)
      throw new SkillsError('E_HTTP_DIGEST', `The file ${path} at ${masked(url.href)} does not match its index.`, {
        hint: 'The file was changed or damaged. List the skills again, and tell its publisher.',
      })
    return got.bytes
  }
}

/** Makes an {@link HttpStore}. */
export function httpStore(options: HttpStoreOptions): HttpStore {
  return new HttpStore(options)
}

/** Makes an entry whose reading throws the reason. */
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
    hint: 'Open the URL in a browser, or try again later.',
  })
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
