export { ContractError, runContract, type ContractCase, type ContractOutcome } from './contract/contract-case.js'
export type {
  BrokenPlace,
  EndlessEntry,
  Lack,
  MakeFixture,
  ReadCounter,
  SampleSkill,
  SkillStore,
  SourceContractOptions,
  SourceFixture,
  StoreAbility,
} from './contract/fixture.js'
export {
  fixedSourceContract,
  type FixedSourceContractOptions,
  type FixedSourceFixture,
} from './contract/fixed-source-contract.js'
export type { ContractOptions } from './contract/check.js'
export { sourceContract } from './contract/source-contract.js'
export { fakeClock, type FakeClock } from './fake-clock.js'
export { fakeHost } from './fake-host.js'
export { fileSourceContract, type FileSourceContractOptions } from './files/file-source-contract.js'
export { countFileReads } from './files/read-counter.js'
export { fileStore, type FileStore, type FileStoreOptions } from './files/file-store.js'
export { tempTree, type TempTree, type TempTreeOptions, type TreeEntries, type TreeEntry } from './temp-tree.js'
export { withoutRoot } from './without-root.js'
export { executorContract } from './kinds/executor/executor-contract.js'
export type { ExecutorLack, MakeExecutor } from './kinds/executor/executor-trial.js'
export { expanderContract } from './kinds/expander/expander-contract.js'
export type {
  Bring,
  Brought,
  ExpanderFixture,
  ExpanderLack,
  ExpanderSample,
  MakeExpander,
} from './kinds/expander/expander-trial.js'
export { formatterContract } from './kinds/formatter/formatter-contract.js'
export type { FormatterLack, MakeFormatter } from './kinds/formatter/formatter-trial.js'
export type { KindFixture, KindProvider } from './kinds/kind-trial.js'
export { permissionContract } from './kinds/permission/permission-contract.js'
export type { MakePermission, NeutralRule, PermissionLack } from './kinds/permission/permission-trial.js'
export { runnerContract } from './kinds/runner/runner-contract.js'
export type { MakeRunner, RunnerFixture, RunnerLack, RunnerScript, RunnerStep } from './kinds/runner/runner-trial.js'
export { runsContract } from './kinds/runs/runs-contract.js'
export type { MakeRuns, RunsFixture } from './kinds/runs/runs-trial.js'
export type {
  Delay,
  MakeRemote,
  Remote,
  RemoteFixture,
  RemoteLack,
  RemoteSourceContractOptions,
} from './remote/remote-fixture.js'
export { remoteSourceContract } from './remote/remote-source-contract.js'
export { storeContract, type StoreContractOptions } from './stores/store-contract.js'
export { skillSamples } from './stores/skill-samples.js'
export type {
  MakeStore,
  MakeStoreOptions,
  StoreFixture,
  StoreLack,
  StoreSample,
  StoreSamples,
} from './stores/store-fixture.js'
