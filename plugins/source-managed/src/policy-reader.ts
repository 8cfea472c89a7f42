import { isDeepStrictEqual } from 'node:util'
import { plainFolder, type Stamp } from '@skills/files/internal'
import { stampOf } from '@skills/files'
import { managedDirs, policyName, ownershipOn } from './managed-dirs.js'
import type { Host } from '@skills/core'
import type { ManagedSourceOptions } from './options.js'
import type { Policy } from './policy.js'
import type { PolicyRules } from './policy-rules.js'

/** Existing policies, and their combined rules. */
export interface KnownPolicies {
  readonly policies: readonly Policy[]
  readonly rules: PolicyRules
}

/** Reads the policies of the managed folders, and reads them again when a file changes. */
export class PolicyReader {
  readonly #dirs: readonly string[]
  readonly #owner: number | undefined
  #stamp: Stamp = { text: '', isSettled: true }
  #reading: Promise<KnownPolicies> | undefined
  /** Last result, so that reading the same content again returns the same object. */
  #known: KnownPolicies | undefined

  constructor(
    { dirs, owner }: Pick<ManagedSourceOptions, 'dirs' | 'owner'>,
    private readonly host: Host,
  ) {
    this.#dirs = (dirs ?? managedDirs(host.platform)).map(plainFolder)
    this.#owner = owner
  }

  /** Paths of possible policies. */
  get paths(): readonly string[] {
    return this.#dirs.map(dir => `${dir}/${policyName}`)
  }

  /**
   * Returns the policies, or undefined without one. The object is the same as before if their content has not changed.
   * Only the stamps of files are read, unless a file has changed.
   */
  async current(): Promise<KnownPolicies | undefined> {
    const stamp = stampOf(this.paths, this.host.clock.now())
    if (stamp.text === '') {
      this.#known = undefined
      this.#reading = undefined
    } else if (this.#reading === undefined || stamp.text !== this.#stamp.text || !this.#isReliable())
      this.#reading = this.#read()
    this.#stamp = stamp
    try {
      return await this.#reading
    } catch (error) {
      // The next call tries again.
      this.#reading = undefined
      throw error
    }
  }

  /**
   * False if a policy could not be read. The reason may be temporary, such as a busy disk or too many open files, and
   * end without a change of the file.
   */
  #isReliable(): boolean {
    return this.#stamp.isSettled && this.#known?.policies.some(({ isBroken }) => isBroken) !== true
  }

  async #read(): Promise<KnownPolicies> {
    const { PolicyRules: Rules, readPolicies } = await import('./read-policy.js')
    const policies = await readPolicies(this.#dirs, ownershipOn(this.host.platform, this.#owner))
    if (this.#known === undefined || !isDeepStrictEqual(this.#known.policies, policies))
      this.#known = { policies, rules: new Rules(policies) }
    return this.#known
  }
}
