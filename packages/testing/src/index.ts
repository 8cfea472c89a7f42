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
export { sourceContract } from './contract/source-contract.js'
export { fakeClock, type FakeClock } from './fake-clock.js'
export { fakeHost } from './fake-host.js'
export { fileSourceContract, type FileSourceContractOptions } from './files/file-source-contract.js'
export { countFileReads } from './files/read-counter.js'
export { fileStore, type FileStore, type FileStoreOptions } from './files/file-store.js'
export { tempTree, type TempTree, type TempTreeOptions, type TreeEntries, type TreeEntry } from './temp-tree.js'
export { withoutRoot } from './without-root.js'
export { executorContract, type ExecutorLack, type MakeExecutor } from './kinds/executor/executor-contract.js'
export { expanderContract, type MakeExpander } from './kinds/expander/expander-contract.js'
export type {
  Bring,
  Brought,
  ExpanderFixture,
  ExpanderLack,
  ExpanderSample,
} from './kinds/expander/expander-fixture.js'
export { formatterContract, type FormatterLack, type MakeFormatter } from './kinds/formatter/formatter-contract.js'
export type { KindContractOptions, KindFixture, KindProvider } from './kinds/kind-fixture.js'
export { permissionContract } from './kinds/permission/permission-contract.js'
export type { PermissionLack } from './kinds/permission/permission-rule.js'
export type { MakePermission, NeutralRule } from './kinds/permission/permission-trial.js'
export { runnerContract } from './kinds/runner/runner-contract.js'
export type { MakeRunner, RunnerFixture, RunnerLack, RunnerScript, RunnerStep } from './kinds/runner/runner-fixture.js'
export { runsContract, type MakeRuns, type RunsFixture, type RunsLack } from './kinds/runs/runs-contract.js'
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
