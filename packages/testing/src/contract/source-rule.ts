import type { ContractRule } from './contract-rule.js'
import type { Lack } from './fixture.js'
import type { Trial } from './trial.js'

/** A rule that every source keeps. */
export type SourceRule = ContractRule<Trial, Lack>
