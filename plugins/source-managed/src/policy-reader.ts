import { isDeepStrictEqual } from 'node:util'
import { plainFolder, type Stamp } from '@skills/files/internal'
import { stampOf } from '@skills/files'
import { managedDirs, policyName } from './managed-dirs.js'
import { ownershipOn } from './exposure.js'
import type { Host } from '@skills/core'
import type { ManagedSourceOptions } from './options.js'
import type { Policy } from './policy.js'
import type { PolicyRules } from './policy-rules.js'

/** The policies there are, and what they keep out together. */
export interface KnownPolicies {
  readonly policies: readonly Policy[]
  readonly rules: PolicyRules
}

/** Reads the policies of the managed folders, and again when a file changed. */
export class PolicyReader {
  readonly #dirs: readonly string[]
  readonly #owner: number | undefined
  #stamp: Stamp = { text: '', isSettled: true }
  #reading: Promise<KnownPolicies> | undefined
  /** What was read last, so that reading the same again gives the same object. */
  #known: KnownPolicies | undefined

  constructor(
    { dirs, owner }: Pick<ManagedSourceOptions, 'dirs' | 'owner'>,
    private readonly host: Host,
  ) {
    this.#dirs = (dirs ?? managedDirs(host.platform)).map(plainFolder)
    this.#owner = owner
  }

  /** Where a policy may be. */
  get paths(): readonly string[] {
    return this.#dirs.map(dir => `${dir}/${policyName}`)
  }

  /**
   * Undefined without a policy, and the very object of before as long as nothing else is said. Nothing is read but the
   * stamps of files, unless one is there and has changed.
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
      // Tried again with the next question.
      this.#reading = undefined
      throw error
    }
  }

  /**
   * What kept a policy from being read may be over without the file having changed: a busy disk, too many open files.
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
