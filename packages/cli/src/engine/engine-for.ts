import { hasName } from '@skills/files/internal'
import { namesBeside, readsForNames } from '@skills/files/source'
import type { Io } from '../io.js'
import type { QuickEngine } from './engine.js'

/** Most catalogs that are read for one name. The second one adds the other names of the skills found by the first. */
const mostLooks = 2

/**
 * Returns an engine that reads only files that can affect one name. Its answers for that name equal those of the full
 * engine.
 */
export function engineFor(name: string, { signal }: Io): QuickEngine {
  return async make => {
    let names = [name]
    for (let look = 0; look < mostLooks; look++) {
      const reads = readsForNames(names)
      if (reads === undefined) return undefined
      const made = await make(reads)
      let others: readonly string[] | undefined
      try {
        const catalog = await made.skills.catalog({ signal })
        // If no entry has the name, only the full engine can suggest close names.
        if (catalog.entries.some(one => one.name === name || hasName(one.command, name)))
          others = namesBeside(catalog, [name])
        const known = names
        if (others?.every(other => known.includes(other)) === true) return made
      } catch (error) {
        await made.skills.close()
        throw error
      }
      await made.skills.close()
      if (others === undefined) return undefined
      names = [name, ...others]
    }
    return undefined
  }
}
