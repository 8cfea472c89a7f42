import { contractOf } from '../contract/contract-rule.js'
import { RemoteTrial } from './remote-trial.js'
import { soundRules } from './sound-rules.js'
import { unsoundRules } from './unsound-rules.js'
import type { MakeRemote, RemoteLack, RemoteSourceContractOptions } from './remote-fixture.js'

/**
 * Returns the rules for a source of a server, in addition to those of every source, as cases for any test runner. See
 * docs/reference/sources.md, "The contract of a remote source".
 * @param make makes a source and its server, which is stopped at first; called once for each case
 */
export const remoteSourceContract = /* @__PURE__ */ contractOf<
  MakeRemote,
  RemoteLack,
  RemoteTrial,
  RemoteSourceContractOptions
>({
  name: 'remoteSourceContract',
  owner: 'server or its source',
  trial: RemoteTrial,
  options: { graceMs: 1, pace: 1 },
  rules: () => [...soundRules, ...unsoundRules],
  waived: async (trial, lack) => Reflect.has((await trial.connected()).remote, lack) && `there is a ${lack}()`,
})
