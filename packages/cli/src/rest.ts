// Everything but the shortest path to a list: a file of its own in what is published, read when it is needed.
export { explain } from './commands/explain.js'
export { help } from './commands/help.js'
export { lint } from './commands/lint.js'
export { overview } from './commands/overview.js'
export { printable, printableJson } from './printable.js'
export { printList } from './list-text.js'
export { printSummary } from './list-summary.js'
export { showProgress } from './progress.js'
