// What a list prints beyond plain JSON: a small file of its own in what is published, read when there is something to
// print that way.
export { guardedOutput, printableJson, safeText } from './printable.js'
export { foldedOutput } from './folded.js'
export { printIncomplete } from './incomplete-text.js'
export { printList } from '../commands/list/text.js'
export { printSummary } from '../commands/list/summary.js'
export { sayChanged } from './say-changed.js'
export { printUnagreed } from './unagreed-line.js'
export { showProgress } from './progress.js'
