import { setImmediate as others } from 'node:timers/promises'
import { registryError } from '../registry-error.js'
import { archiveOf, indexText, onlyFile, sha256, siteSkills, type Artifact, type SiteEntry } from '../site.js'
import type { Registry, SkillVersion } from '../registry-types.js'

/** Most bytes of archives that are kept, and most artifacts whose digests are. */
const mostKept = { bytes: 64 * 1024 * 1024, digests: 100_000 }
/** Most skills in an index, as a client of ours reads, and most indexes that are kept. */
const mostSkills = 20_000
const mostIndexes = 4

interface Index {
  readonly revision: number
  /** Undefined: there are no skills. */
  readonly text: Promise<string | undefined>
}

/** Archives and indexes of a registry, of which those in use are kept in memory. */
export class Artifacts {
  /** By digest of the version, the one that was used longest ago first. */
  readonly #archives = new Map<string, Buffer>()
  #bytes = 0
  readonly #known = new Map<string, Artifact>()
  readonly #indexes = new Map<string, Index>()
  /** Ends with the archive that is made now: one at a time, so that the others take no memory while they wait. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(private readonly registry: Registry) {}

  /** Returns the files of a version as an archive. */
  async archive(version: SkillVersion): Promise<Buffer> {
    const kept = this.#take(version.digest)
    if (kept !== undefined) return kept
    const made = this.#last.then(async () => this.#take(version.digest) ?? archiveOf(this.registry, version))
    this.#last = made.catch(() => undefined)
    const bytes = await made
    if (this.#take(version.digest) === undefined) this.#bytes += bytes.length
    this.#archives.set(version.digest, bytes)
    for (const [digest, one] of this.#archives) {
      if (this.#bytes <= mostKept.bytes) break
      this.#archives.delete(digest)
      this.#bytes -= one.length
    }
    return bytes
  }

  /**
   * Returns the index of the skills of a namespace, or of all.
   * @param base URL of the folder `v1`, relative to the index
   * @throws SkillsError `E_REGISTRY_LIMIT` if there are more than an index may have
   */
  async index(namespace: string | undefined, base: string): Promise<string | undefined> {
    const revision = await this.registry.revision()
    const prefix = namespace === undefined ? '' : `${namespace}/`
    let index = this.#indexes.get(prefix)
    if (index?.revision !== revision) {
      index = { revision, text: this.#index(prefix, base) }
      this.#indexes.set(prefix, index)
      const [oldest] = this.#indexes.keys()
      if (this.#indexes.size > mostIndexes && oldest !== undefined) this.#indexes.delete(oldest)
    }
    try {
      return await index.text
    } catch (error) {
      if (this.#indexes.get(prefix) === index) this.#indexes.delete(prefix)
      throw error
    }
  }

  async #index(prefix: string, base: string): Promise<string | undefined> {
    const count = await this.registry.count({ prefix })
    if (count > mostSkills)
      throw registryError(
        'E_REGISTRY_LIMIT',
        `There are ${count} skills, and an index has at most ${mostSkills}.`,
        'Read the index of one namespace, or search.',
      )
    const entries: SiteEntry[] = []
    let seen = 0
    for await (const { version, error } of siteSkills(this.registry, { prefix })) {
      // Reading many skills lets other requests be answered.
      if (seen++ % 100 === 0) await others()
      if (error !== undefined) continue
      const artifact = this.#known.get(version.digest) ?? (await this.#artifact(version))
      if (artifact === undefined) continue
      const { namespace, name, digest, description } = version
      const [owner, own] = [namespace, name].map(encodeURIComponent)
      const place = `${base}/skills/${owner}/${own}/versions/${digest}`
      const url = `${place}/${artifact.type === 'archive' ? 'archive' : 'SKILL.md'}`
      entries.push({ name, type: artifact.type, description, url, digest: artifact.digest })
    }
    return entries.length === 0 ? undefined : indexText(entries)
  }

  async #artifact({ namespace, name, digest }: SkillVersion): Promise<Artifact | undefined> {
    await others()
    const version = await this.registry.find({ namespace, name }, digest)
    if (version === undefined) return undefined
    const only = onlyFile(version)
    const artifact: Artifact =
      only === undefined
        ? { type: 'archive', digest: sha256(await this.archive(version)) }
        : { type: 'skill-md', digest: only }
    if (this.#known.size >= mostKept.digests) this.#known.clear()
    this.#known.set(digest, artifact)
    return artifact
  }

  #take(digest: string): Buffer | undefined {
    const bytes = this.#archives.get(digest)
    if (bytes === undefined) return undefined
    this.#archives.delete(digest)
    this.#archives.set(digest, bytes)
    return bytes
  }
}
