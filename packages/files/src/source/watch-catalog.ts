import { isAbsolute } from 'node:path'
import { isAbortError, messageOf, SkillsError, type Catalog, type Skills } from '@skills/core'
import { isInside } from '@skills/store'
import { plainFolder } from '../slashes.js'
import { statOf } from '../real-path.js'
import { watchPaths } from '../watch-paths.js'
import type { PathWatch } from '../watch-options.js'
import { sidecarPath } from './sidecar.js'
import type { SkillsWatch, WatchSkillsOptions } from './watch-options.js'

/** Codes for links that a source did not follow. */
const refusals = new Set(['link-escapes', 'link-cycle', 'link-again'])
/**
 * Most changed paths that are handled one by one. With more, checking each file against them takes longer than looking
 * at all files.
 */
const mostPaths = 32

/** Starts to watch. Settles when everything is watched and the catalog matches the files. */
export async function watchCatalog(skills: Skills, options: WatchSkillsOptions): Promise<SkillsWatch> {
  const watch = new CatalogWatch(skills, options)
  try {
    await watch.begin()
    return watch
  } catch (error) {
    await watch.close()
    throw error
  }
}

/** Most retries of sources; the last comes after about five minutes. */
const mostRetries = 6

class CatalogWatch implements SkillsWatch {
  readonly #skills: Skills
  readonly #options: WatchSkillsOptions
  readonly #controller = new AbortController()
  readonly #stops: (() => void)[] = []
  #paths: readonly string[] = []
  #refused: ReadonlySet<string> = new Set()
  #watch: PathWatch | undefined
  /** Work that follows loads, one at a time. */
  #following: Promise<void> = Promise.resolve()
  #closing: Promise<void> | undefined
  /** Number of loads in a row that did not finish. */
  #times = 0
  #stopRetry: (() => void) | undefined

  constructor(skills: Skills, options: WatchSkillsOptions) {
    this.#skills = skills
    this.#options = options
    const onAbort = (): void => void this.close()
    for (const signal of [options.signal, skills.signal]) {
      if (signal?.aborted === true) onAbort()
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#stops.push(() => signal?.removeEventListener('abort', onAbort))
    }
  }

  async begin(): Promise<void> {
    const { debounceMs, pollMs, onDiagnostic } = this.#options
    const { signal } = this.#controller
    const {
      host: { clock },
    } = this.#skills
    const first = await this.#skills.catalog({ signal })
    this.#retryAfter(first)
    await this.#note(first)
    this.#watch = await watchPaths({
      paths: this.#paths,
      debounceMs,
      pollMs,
      onDiagnostic,
      signal,
      clock,
      onChange: paths => this.#attempt(() => this.#reload(paths)),
      follows: link => !this.#refused.has(link) && this.#isWalked(link),
    })
    this.#stops.push(
      this.#skills.hook('sources:stale', () => this.#attempt(() => this.#skills.catalog({ signal }))),
      // A load by another caller may find new places. The event comes during that load; the catalog is the new one once
      // it settles.
      this.#skills.hook('sources:loaded', counts => {
        this.#retryAfter(counts)
        return this.#attempt(() => this.#follow())
      }),
    )
    // No event reported changes between the load and now.
    await this.#reload(this.#paths)
    await this.#follow()
  }

  /**
   * Retries sources that did not finish, after longer and longer pauses. Stops after a few attempts without success.
   */
  #retryAfter({ incomplete }: Pick<Catalog, 'incomplete'>): void {
    this.#times = incomplete.length === 0 ? 0 : this.#times + 1
    this.#awaitRetry()
  }

  #awaitRetry(): void {
    this.#stopRetry?.()
    this.#stopRetry = undefined
    if (this.#times === 0 || this.#times > mostRetries || this.#closing !== undefined) return
    // A little longer than the engine's own pauses, so that it asks the sources.
    const rest = this.#times === 1 ? 1100 : 10_100 * 2 ** (this.#times - 2)
    this.#stopRetry = this.#skills.host.clock.after(rest, () => {
      this.#stopRetry = undefined
      void this.#attempt(async () => {
        await this.#skills.catalog({ signal: this.#controller.signal })
        // If another caller has asked meanwhile, the engine still pauses and emits no load.
        if (this.#stopRetry === undefined) this.#awaitRetry()
      })
    })
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    this.#controller.abort(new SkillsError('E_CLOSED', 'The watch was closed.'))
    for (const stop of this.#stops) stop()
    this.#stopRetry?.()
    await this.#watch?.close()
    await this.#following
  }

  async #reload(paths: readonly string[]): Promise<void> {
    const { signal } = this.#controller
    const whole =
      paths.length > mostPaths ? this.#paths.filter(place => paths.some(path => isInside(path, place))) : paths
    await this.#skills.refresh(whole, { signal })
  }

  /** Watches the places that the sources look at now. */
  #follow(): Promise<void> {
    const done = this.#following.then(async () => {
      if (this.#closing !== undefined) return
      await this.#note(await this.#skills.catalog({ signal: this.#controller.signal }))
      await this.#watch?.setPaths(this.#paths)
    })
    this.#following = done.catch(() => {})
    return done
  }

  async #note(catalog: Catalog): Promise<void> {
    const { places, errors, warnings } = catalog
    const watched = await this.#skills
      .use('source')
      .each(source => source.watched?.() ?? [], { signal: this.#controller.signal })
    const paths = [...places.map(({ path }) => path), ...watched.flatMap(({ value }) => value)].filter(path =>
      isAbsolute(path),
    )
    this.#paths = [...new Set(paths.map(plainFolder))]
    this.#refused = new Set(
      [...errors, ...warnings].flatMap(({ code, path }) => (path !== undefined && refusals.has(code) ? path : [])),
    )
  }

  /**
   * Returns true if a source would follow a link. It does not follow links in a skill's own folder, except for its
   * SKILL.md and its sidecar.
   */
  #isWalked(link: string): boolean {
    const place = this.#paths.filter(path => isInside(link, path)).sort((a, b) => b.length - a.length)[0] ?? link
    for (let folder = parentOf(link); isInside(folder, place); folder = parentOf(folder)) {
      if (folder === parentOf(folder)) break
      if (statOf(`${folder}/SKILL.md`)?.isFile() === true)
        return link === `${folder}/SKILL.md` || isInside(sidecarPath(folder), link)
    }
    return true
  }

  /** Reports the failure of work that an event started, because no caller awaits it. */
  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      if (this.#closing === undefined) await work()
    } catch (error) {
      if (this.#closing !== undefined || this.#skills.signal.aborted) return
      const message = isAbortError(error)
        ? 'A load was cancelled.'
        : `The skills could not be loaded after a change: ${messageOf(error)}`
      this.#options.onDiagnostic({ severity: 'error', type: 'source', code: 'watch-failed', message })
    }
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}
