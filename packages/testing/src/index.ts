export { fakeClock, type FakeClock } from './fake-clock.js'
export { fakeHost } from './fake-host.js'
export { tempTree, type TempTree, type TreeEntries, type TreeEntry } from './temp-tree.js'
