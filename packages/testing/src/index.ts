export { ContractError, runContract, type ContractCase, type ContractOutcome } from './contract/contract-case.js'
export type {
  BrokenPlace, EndlessEntry, Lack, MakeFixture, ReadCounter, SampleSkill, SkillStore, SourceContractOptions, SourceFixture, StoreAbility,
} from './contract/fixture.js'
export { sourceContract } from './contract/source-contract.js'
export { fakeClock, type FakeClock } from './fake-clock.js'
export { fakeHost } from './fake-host.js'
export { fileSourceContract, type FileSourceContractOptions } from './files/file-source-contract.js'
export { fileStore, type FileStore, type FileStoreOptions } from './files/file-store.js'
export { tempTree, type TempTree, type TempTreeOptions, type TreeEntries, type TreeEntry } from './temp-tree.js'
export { withoutRoot } from './without-root.js'
