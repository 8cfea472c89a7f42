import { add } from './commands/add.js'
import { ci } from './commands/ci.js'
import { outdated } from './commands/outdated.js'
import { remove } from './commands/remove.js'
import { sync } from './commands/sync.js'
import { update } from './commands/update.js'
import { verify } from './commands/verify.js'
import { why } from './commands/why.js'

// A file of its own in what is published.
export const installCommands = { add, remove, update, outdated, ci, verify, why, sync }

export type InstallCommand = keyof typeof installCommands
