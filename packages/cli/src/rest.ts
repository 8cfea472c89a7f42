// Every command but the list: a file of its own in what is published, read when one of them is asked for.
export { explain } from './commands/explain.js'
export { help } from './commands/help.js'
export { lint } from './commands/lint.js'
export { newSkill } from './commands/new.js'
export { overview } from './commands/overview.js'
export { show } from './commands/show.js'
