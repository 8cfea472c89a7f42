import { checkOptions } from '@skills/core'
import { casesOf, type Without } from '../contract/contract-rule.js'
import { changeRules } from './change-rules.js'
import { contentRules } from './content-rules.js'
import { linkRules } from './link-rules.js'
import { loadRules } from './load-rules.js'
import { StoreTrial, type StoreRule } from './store-trial.js'
import type { ContractCase } from '../contract/contract-case.js'
import type { MakeStore, StoreLack } from './store-fixture.js'

export interface StoreContractOptions {
  /** What the store does without, each with the reason. */
  readonly without?: Without<StoreLack>
  /** Bytes of memory that the store may keep of 10,000 small files. Default 64 MiB. */
  readonly maxBytes?: number
  /** Milliseconds after which a call that has not ended has failed. Default 20,000. */
  readonly patienceMs?: number
}

/**
 * The rules that every store keeps, as cases for any test runner. See
 * docs/reference/stores.md, "The contract of a store".
 * @param make makes a place with some files and a store over it; called anew for each rule
 */
export function storeContract(make: MakeStore, options: StoreContractOptions = {}): readonly ContractCase[] {
  checkOptions<StoreContractOptions>('storeContract()', options, { without: 1, maxBytes: 1, patienceMs: 1 })
  const { without = {}, maxBytes = 64 * 1024 * 1024, patienceMs = 20_000 } = options
  return casesOf(
    [...contentRules, ...linkRules, ...changeRules, ...loadRules(maxBytes), waivers(without)],
    without,
    rule => new StoreTrial(rule, make, patienceMs),
  )
}

/** Something that can be checked after all must not stay unchecked. */
function waivers(without: Without<StoreLack>): StoreRule {
  return {
    name: 'without',
    rule: 'what the store is said to do without is not there',
    async check(trial) {
      const opened = await trial.open({ 'a/SKILL.md': 'Here.' })
      const isThere: Readonly<Partial<Record<StoreLack, boolean>>> = {
        asked: opened.asked !== undefined,
        change: opened.change !== undefined,
        changes: opened.store.changes !== undefined,
        held: opened.held !== undefined,
        watch: opened.store.watch !== undefined,
      }
      for (const [lack, there] of Object.entries(isThere)) {
        const reason = without[lack as StoreLack]
        if (there && reason !== undefined)
          trial.broken(
            `it has "${lack}", although the contract is told to do without ("${reason}"). Take it out of "without".`,
          )
      }
    },
  }
}
