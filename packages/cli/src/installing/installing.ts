import { add } from '../commands/add/run.js'
import { ci } from '../commands/ci/run.js'
import { outdated } from '../commands/outdated/run.js'
import { remove } from '../commands/remove/run.js'
import { sync } from '../commands/sync/run.js'
import { update } from '../commands/update/run.js'
import { verify } from '../commands/verify/run.js'
import { why } from '../commands/why/run.js'

// A file of its own in what is published.
export const installCommands = { add, remove, update, outdated, ci, verify, why, sync }

export type InstallCommand = keyof typeof installCommands
