import type { Powers } from '@skills/install/internal'

/** Name of a skill in a registry: `namespace/name`. */
export interface SkillName {
  /** Owner of the skill: letters, digits, `-`, `_` and `.`. */
  readonly namespace: string
  readonly name: string
}

export interface NewFile {
  /** Path below the skill's folder, with forward slashes. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly isExecutable?: boolean | undefined
}

/** Place that a version came from. */
export interface Provenance {
  /** Source as `skills add` takes it. */
  readonly source: string
  /** Commit, version, archive or folder that the source led to. */
  readonly resolved?: Readonly<Record<string, string>> | undefined
  /** Path of the skill in the source. */
  readonly path?: string | undefined
}

/** Version of a skill that is to be published. */
export interface NewVersion extends SkillName {
  /** All files, one of which is `SKILL.md`. */
  readonly files: readonly NewFile[]
  /** Version for people, such as `1.2.0`. A skill has each label once. */
  readonly label?: string | undefined
  /** Findings of the skill's audit. */
  readonly powers?: Powers | undefined
  readonly provenance?: Provenance | undefined
  /** Who publishes it. */
  readonly publisher?: string | undefined
}

export interface VersionFile {
  readonly path: string
  /** SHA-256 in 64 hexadecimal digits. */
  readonly digest: string
  readonly isExecutable: boolean
  /** Size in bytes. */
  readonly bytes: number
}

/** Version of a skill. Its content never changes. */
export interface SkillVersion extends SkillName {
  /** Digest of all files, `sha256:` and 64 hexadecimal digits. */
  readonly digest: string
  readonly label: string | undefined
  /** Text of `SKILL.md`, with its fields. */
  readonly text: string
  readonly description: string
  readonly files: readonly VersionFile[]
  readonly powers: Powers | undefined
  readonly provenance: Provenance | undefined
  readonly publisher: string | undefined
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
  /** True if no one gets it any more who does not ask for its digest or label. */
  readonly isYanked: boolean
  /** Tags that lead to it, such as `latest`. */
  readonly tags: readonly string[]
}

/** Result of publishing one version: its digest, or why it was refused. */
export type Published =
  | { readonly digest: string; readonly error?: undefined }
  | { readonly digest?: undefined; readonly error: Error }

export interface FoundVersion {
  readonly version: SkillVersion
  /** A higher score is better. Scores of two searches cannot be compared. */
  readonly score: number
}

export interface VersionPage {
  readonly versions: readonly SkillVersion[]
  /** Value for `after` that continues behind this page; undefined at the end. */
  readonly next?: string | undefined
}

export interface RegistryCall {
  readonly signal?: AbortSignal | undefined
}

/** Part of a registry. */
export interface RegistryPart {
  /** Beginning of the names, such as `acme/`. Default: all names. */
  readonly prefix?: string | undefined
  /** Tag of the versions. Skills without it are left out, and so are yanked versions. Default: `latest`. */
  readonly tag?: string | undefined
}

/** How much of versions is read. */
export interface Brevity {
  /**
   * True to read no texts and files, which may be large: `text` and `files` are empty, `powers` and `provenance` are
   * undefined, and `description` has at most 1,024 characters.
   */
  readonly isBrief?: boolean | undefined
}

/** Number of things that a clean-up removed. */
export interface Removed {
  readonly versions: number
  readonly files: number
}

/**
 * Registry of skills. Each skill has versions, of which one is `latest`: lists, pages and searches show that one. A
 * skill all of whose versions are yanked is in none of them.
 */
export interface Registry {
  /**
   * Publishes versions, each completely or not at all, and makes each the latest one of its skill. One that is refused
   * stops no other.
   */
  publish(versions: readonly NewVersion[], call?: RegistryCall): Promise<readonly Published[]>
  /**
   * Returns a version of a skill; undefined if there is none.
   * @param version digest, label or tag; a digest may be cut to 12 digits. Default: `latest`
   */
  find(skill: SkillName, version?: string): Promise<SkillVersion | undefined>
  /** Returns the digests of these skills' latest versions, in order; undefined for a skill that is not there. */
  digests(skills: readonly SkillName[]): Promise<readonly (string | undefined)[]>
  /** Returns the versions of a skill, the newest first, at most 1,000. */
  versions(skill: SkillName, call?: Brevity): Promise<readonly SkillVersion[]>
  /** Returns the bytes of a file by its digest; undefined if no version has it. */
  file(digest: string): Promise<Uint8Array | undefined>
  /**
   * Returns the skills that fit the words of a query best, the best first. The words are those of the latest versions.
   * @param call.limit most skills, at most 200
   */
  search(
    query: string,
    call: RegistryCall & RegistryPart & Brevity & { readonly limit: number },
  ): Promise<readonly FoundVersion[]>
  /** Returns a page of all skills, by namespace and name. */
  page(
    call: RegistryCall & RegistryPart & Brevity & { readonly limit: number; readonly after?: string | undefined },
  ): Promise<VersionPage>
  /** Returns the number of skills. */
  count(call?: RegistryCall & RegistryPart): Promise<number>
  /** Returns a number that is another one after each change of what lists, pages and searches show. */
  revision(): Promise<number>
  /**
   * Yanks a version, or takes that back. If it was `latest`, the newest version that is not yanked becomes it.
   * @throws SkillsError `E_REGISTRY_NOT_FOUND`
   */
  yank(skill: SkillName, version: string, isYanked: boolean): Promise<SkillVersion>
  /**
   * Makes a tag lead to a version. `latest` is a tag that each publication moves.
   * @throws SkillsError `E_REGISTRY_NOT_FOUND`, `E_REGISTRY_NAME`
   */
  tag(skill: SkillName, tag: string, version: string): Promise<SkillVersion>
  /**
   * Removes yanked versions to which no tag leads, and files that no version has.
   * @param options.keep most versions of a skill that are kept; older ones without a tag are removed. Default: all
   */
  gc(options?: RegistryCall & { readonly keep?: number | undefined }): Promise<Removed>
  close(): Promise<void>
}
