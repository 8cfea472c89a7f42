import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isInside } from '@skills/files/internal'
import { recognizeFolder, type RecognizedFolder } from './recognize-folder.js'
import type { Catalog } from '@skills/core'

/**
 * Recognizes the nearest folder at or above `cwd`, up to the repository's root, that has skills in any form. Returns
 * its kinds, without what the catalog has already.
 */
export function skillsHere(cwd: string, catalog: Pick<Catalog, 'places'>): readonly RecognizedFolder[] {
  const loaded = catalog.places.filter(({ found, state }) => state === 'read' && found > 0).map(({ path }) => path)
  return nearest(cwd).filter(({ path }) => !loaded.some(place => isInside(path, place)))
}

/** Returns the paths of recognized folders whose files can be checked, each once. */
export function pathsHere(here: readonly RecognizedFolder[]): readonly string[] {
  return [...new Set(here.map(({ path }) => path))]
}

function nearest(cwd: string): readonly RecognizedFolder[] {
  for (let at = cwd; ; at = dirname(at)) {
    const found = recognizeFolder(at)
    if (found.length > 0 || existsSync(`${at}/.git`) || dirname(at) === at) return found
  }
}
