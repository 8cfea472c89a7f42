/** Entries that are processed before the rest of the process gets a turn: a few milliseconds' worth. */
const batch = 1000

/** True if the rest of the process should have a turn after that many entries. */
export const isTurnDue = (done: number): boolean => done > 0 && done % batch === 0

/** Lets everything else of the process run. */
export { setImmediate as turn } from 'node:timers/promises'
