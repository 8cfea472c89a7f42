import type { SetupContext } from '@skills/core'

/** Takes what happened, for the program's log. */
export type Report = SetupContext['report']
