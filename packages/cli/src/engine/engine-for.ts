import { hasName } from '@skills/files/internal'
import { namesBeside, readsForNames } from '@skills/files/source'
import type { Io } from '../io.js'
import type { QuickEngine } from './engine.js'

/** Most catalogs that are made for one name: another one where it shows that its skills have further names. */
const mostLooks = 2

/** An engine that reads what can have to do with one name, and says of it what the full one does. */
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
        // Nothing of the name: what is close to it is told by all names.
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
