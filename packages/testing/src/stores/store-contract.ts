import { contractOf } from '../contract/contract-rule.js'
import type { ContractOptions } from '../contract/check.js'
import { changeRules } from './change-rules.js'
import { contentRules } from './content-rules.js'
import { linkRules } from './link-rules.js'
import { loadRules } from './load-rules.js'
import { StoreTrial } from './store-trial.js'
import type { MakeStore, StoreLack } from './store-fixture.js'

export interface StoreContractOptions extends ContractOptions<StoreLack> {
  /** Bytes of memory that the store may keep for 10,000 small files. Default 64 MiB. */
  readonly maxBytes?: number
}

/**
 * Returns the rules that every store keeps, as cases for any test runner. See docs/reference/stores.md, "The contract
 * of a store".
 * @param make makes a place with some files and a store over this place; called once for each rule
 */
export const storeContract = /* @__PURE__ */ contractOf<MakeStore, StoreLack, StoreTrial, StoreContractOptions>({
  name: 'storeContract',
  owner: 'store',
  trial: StoreTrial,
  options: { maxBytes: 1 },
  rules: ({ maxBytes = 64 * 1024 * 1024 }) => [...contentRules, ...linkRules, ...changeRules, ...loadRules(maxBytes)],
  async waived(trial, lack) {
    const { store, ...fixture } = await trial.open({ 'a/SKILL.md': 'Here.' })
    const has = [fixture.asked && 'asked', fixture.change && 'change', fixture.held && 'held']
    return [...has, store.changes && 'changes', store.watch && 'watch'].includes(lack) && `it has "${lack}"`
  },
})
