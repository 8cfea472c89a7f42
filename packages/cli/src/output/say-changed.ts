import { existsSync } from 'node:fs'
import { stateFolderOf } from '@skills/state'
import type { printChanged } from './changed-skills.js'

/**
 * Says which skills changed since their folder was trusted. Where no folder was ever trusted, as for most lists, this
 * is a look at one file.
 */
export async function sayChanged(...[catalog, engine, invocation, io]: Parameters<typeof printChanged>): Promise<void> {
  let file: string
  try {
    file = `${stateFolderOf(engine.skills.host)}/trust.json`
  } catch {
    // Without a home folder nothing is remembered.
    return
  }
  if (existsSync(file)) await (await import('./changed-skills.js')).printChanged(catalog, engine, invocation, io)
}
