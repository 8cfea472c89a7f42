import { checkOptions } from '@skills/core'
import { casesOf, type Without } from '../contract/contract-rule.js'
import { RemoteTrial, type RemoteRule } from './remote-trial.js'
import { soundRules } from './sound-rules.js'
import { unsoundRules } from './unsound-rules.js'
import type { ContractCase } from '../contract/contract-case.js'
import type { MakeRemote, RemoteLack, RemoteSourceContractOptions } from './remote-fixture.js'

/**
 * The rules that a source of a server keeps besides those of every source, as cases for any test runner.
 * See docs/reference/sources.md, "The contract of a remote source".
 * @param make gives a source and its server, which does not run yet; called anew for every case
 */
export function remoteSourceContract(
  make: MakeRemote,
  options: RemoteSourceContractOptions = {},
): readonly ContractCase[] {
  checkOptions<RemoteSourceContractOptions>('remoteSourceContract()', options, {
    without: 1,
    patienceMs: 1,
    graceMs: 1,
    pace: 1,
  })
  const { without = {} } = options
  return casesOf(
    [...soundRules, ...unsoundRules, waivers(without)],
    without,
    rule => new RemoteTrial(rule, make, options),
  )
}

/** Something that can be checked after all must not stay unchecked. */
function waivers(without: Without<RemoteLack>): RemoteRule {
  return {
    name: 'without',
    rule: 'what the server or its source is said to do without is not there',
    async check(trial) {
      const { remote } = await trial.connected()
      const isThere = { garble: () => remote.garble !== undefined, connections: () => remote.connections !== undefined }
      await trial.expectWaived(
        without,
        isThere,
        lack => `there is a ${lack}(), although the contract is told to do without it`,
      )
    },
  }
}
