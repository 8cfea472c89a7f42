/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { ContractCase, ContractOutcome } from './contract/contract-case.js'
export type {
  BrokenPlace,
  EndlessEntry,
  MakeFixture,
  ReadCounter,
  SkillStore,
  SourceContractOptions,
  StoreAbility,
} from './contract/fixture.js'
export type { FixedSourceContractOptions, FixedSourceFixture } from './contract/fixed-source-contract.js'
export type { LargeLack, LargeSourceContractOptions } from './contract/large-source-contract.js'
export type { ContractOptions } from './contract/check.js'
export type { FileSourceContractOptions } from './files/file-source-contract.js'
export type { FileStore, FileStoreOptions } from './files/file-store.js'
export type { TempTreeOptions } from './temp-tree.js'
export type { ExecutorLack, MakeExecutor } from './kinds/executor/executor-trial.js'
export type {
  Bring,
  Brought,
  ExpanderFixture,
  ExpanderLack,
  ExpanderSample,
  MakeExpander,
} from './kinds/expander/expander-trial.js'
export type { FormatterLack, MakeFormatter } from './kinds/formatter/formatter-trial.js'
export type { KindFixture, KindProvider } from './kinds/kind-trial.js'
export type { MakePermission, NeutralRule, PermissionLack } from './kinds/permission/permission-trial.js'
export type { MakeRunner, RunnerFixture, RunnerLack, RunnerScript, RunnerStep } from './kinds/runner/runner-trial.js'
export type { MakeRuns, RunsFixture } from './kinds/runs/runs-trial.js'
export type {
  Delay,
  MakeRemote,
  RemoteFixture,
  RemoteLack,
  RemoteSourceContractOptions,
} from './remote/remote-fixture.js'
export type { StoreContractOptions } from './stores/store-contract.js'
export { skillSamples } from './stores/skill-samples.js'
export type { MakeStoreOptions, StoreFixture, StoreLack, StoreSamples } from './stores/store-fixture.js'
export { largeSource, numberedName, numberedNames, type LargeSourceParts } from './large-source.js'
