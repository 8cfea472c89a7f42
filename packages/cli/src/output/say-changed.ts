import { existsSync } from 'node:fs'
import { stateFolderOf } from '@skills/state'
import type { printChanged } from './changed-skills.js'

/**
 * Prints which skills have changed since their folder was trusted. If no folder was ever trusted, it only checks
 * whether one file exists.
 */
export async function sayChanged(...[catalog, engine, invocation, io]: Parameters<typeof printChanged>): Promise<void> {
  let file: string
  try {
    file = `${stateFolderOf(engine.skills.host)}/trust.json`
  } catch {
    // Without a home folder no trust is recorded.
    return
  }
  if (existsSync(file)) await (await import('./changed-skills.js')).printChanged(catalog, engine, invocation, io)
}
