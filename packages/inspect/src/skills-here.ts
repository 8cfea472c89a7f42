import { findProjectFolders } from '@skills/files'
import { isInside } from '@skills/files/internal'
import { recognizeFolder, type RecognizedFolder } from './recognize-folder.js'
import type { Catalog, Host } from '@skills/core'

/**
 * Recognizes the nearest of the project's folders that has skills in any form. Returns its kinds, without what the
 * catalog has already.
 */
export function skillsHere(
  host: Pick<Host, 'cwd' | 'home' | 'uid'>,
  catalog: Pick<Catalog, 'places'>,
): readonly RecognizedFolder[] {
  const loaded = catalog.places.filter(({ found, state }) => state === 'read' && found > 0).map(({ path }) => path)
  return nearest(host).filter(({ path }) => !loaded.some(place => isInside(path, place)))
}

/** Returns the paths of recognized folders whose files can be checked, each once. */
export function pathsHere(here: readonly RecognizedFolder[]): readonly string[] {
  return [...new Set(here.map(({ path }) => path))]
}

function nearest(host: Pick<Host, 'cwd' | 'home' | 'uid'>): readonly RecognizedFolder[] {
  for (const folder of findProjectFolders(host).folders) {
    const found = recognizeFolder(folder)
    if (found.length > 0) return found
  }
  return []
}
