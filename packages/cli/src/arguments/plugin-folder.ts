import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { slashes } from '@skills/files/internal'
import { UsageError } from './usage-error.js'
import type { Invocation } from './invocation.js'
import type { Io } from '../io.js'

/** Returns the plugin's folder from the arguments, absolute. */
export function pluginFolder({ args: [given = '.'], cwd }: Invocation, io: Io): string {
  const folder = resolve(io.cwd, cwd ?? '.', given)
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) throw new UsageError(`There is no folder ${folder}.`)
  if (!stats.isDirectory()) throw new UsageError(`${folder} is not a folder.`)
  return slashes(folder)
}
