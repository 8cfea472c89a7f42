import { printableLine } from './printable.js'
import { styleOf } from './style.js'
import type { Catalog } from '@skills/core'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/** Prints that not every skill was found, and why. */
export function printIncomplete(
  incomplete: Catalog['incomplete'],
  { isColorless }: Invocation,
  { stderr, env }: Io,
): void {
  const style = styleOf(stderr, env, isColorless)
  for (const { reason } of incomplete)
    stderr.write(style.red(`skills: Not every skill was found: ${printableLine(reason)}\n`))
  stderr.write('Try again. Where sources need more time, as on a slow disk, give them some: --source-limit 60.\n')
}
