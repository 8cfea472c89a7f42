import type { toldOfList as ToldOfList } from '../commands/list/told.js'

// Functions that a list needs only for special output. The build puts them into a small file that is read on use.
export { guardedOutput, printableJson, safeText } from './printable.js'
export { foldedOutput } from './folded.js'
export { printIncomplete } from './incomplete-text.js'
export const toldOfList = async (...call: Parameters<typeof ToldOfList>): ReturnType<typeof ToldOfList> =>
  (await import('../commands/list/told.js')).toldOfList(...call)
export { printList } from '../commands/list/text.js'
export { printSummary } from '../commands/list/summary.js'
export { sayChanged } from './say-changed.js'
export { printUnagreed } from './unagreed-line.js'
export { showProgress } from './progress.js'
