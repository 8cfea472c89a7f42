// What a list prints beyond plain JSON, and how errors are shown: a small file of its own in what is published, read when
// there is something to print that way.
export { printable, printableJson } from './printable.js'
export { foldedOutput } from './folded.js'
export { printChanged } from './changed-skills.js'
export { printIncomplete } from './incomplete-text.js'
export { printList } from './list-text.js'
export { printSummary } from './list-summary.js'
export { printUnagreed } from './unagreed-line.js'
export { showProgress } from './progress.js'
