import type { SetupContext } from '@skills/core'

/** Receives diagnostics for the program's log. */
export type Report = SetupContext['report']
