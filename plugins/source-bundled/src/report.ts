import type { SetupContext } from '@skills/core'

/** Takes what happened, for whoever looks after the program. */
export type Report = SetupContext['report']
