/** Entries that are worked on without a turn for the rest of the process: a few milliseconds' worth. */
const batch = 1000

/** Whether the rest of the process should have a turn after so many entries. */
export const isTurnDue = (done: number): boolean => done > 0 && done % batch === 0

/** Lets everything else of the process run. */
export { setImmediate as turn } from 'node:timers/promises'
