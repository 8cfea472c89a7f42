import type { ContractRule } from '../../contract/contract-rule.js'
import type { PermissionTrial } from './permission-trial.js'

/**
 * What a permission provider may do without: `rules`, since it takes none; `scripts`, since its rules say nothing of
 * what a tool is given; `grants`, since what a skill allows itself never counts; `default`, since it allows what no
 * rule is about; `suggestions`.
 */
export type PermissionLack = 'rules' | 'scripts' | 'grants' | 'default' | 'suggestions'

/** A rule that every permission provider keeps. */
export type PermissionRule = ContractRule<PermissionTrial, PermissionLack>
