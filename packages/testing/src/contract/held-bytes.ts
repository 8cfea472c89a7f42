import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { letOthersGoOn } from './reading.js'

/** Bytes of memory that this thread still needs. */
export async function heldBytes(): Promise<number> {
  await letOthersGoOn()
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new TypeError('This runtime collects no garbage on demand.')
  // Buffers that the first time found to be garbage are freed at the second.
  for (let time = 0; time < 2; time++) collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
