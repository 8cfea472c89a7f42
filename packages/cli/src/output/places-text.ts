import type { Catalog } from '@skills/core'
import { counted } from './problems.js'
import { printableLine } from './printable.js'
import { pad, widthOf } from './width.js'
import { shownPath } from './shown-path.js'
import type { Style } from './style.js'

/**
 * Returns a line for each place that was searched: how many skills it has, or why none. Places that do not exist share
 * one line.
 */
export function placeLines({ places }: Pick<Catalog, 'places'>, cwd: string, style: Style): readonly string[] {
  const rows = places
    .filter(({ state }) => state !== 'missing')
    .map(({ path, state, found, note, provider }) => {
      const why = note === undefined ? state : `${state}: ${printableLine(note)}`
      // A source that was not asked has no path.
      return {
        path: path === provider ? '–' : shownPath(path, cwd),
        provider,
        what: state === 'read' ? counted(found, 'skill') : style.yellow(why),
      }
    })
  const pathCells = Math.max(0, ...rows.map(({ path }) => widthOf(path)))
  const providerCells = Math.max(0, ...rows.map(({ provider }) => widthOf(provider)))
  // If the project is the home folder, two sources search the same folder.
  const missing = [
    ...new Set(places.filter(({ state }) => state === 'missing').map(({ path }) => shownPath(path, cwd))),
  ]
  return [
    ...rows.map(
      ({ path, provider, what }) => `  ${pad(path, pathCells)}  ${style.dim(pad(provider, providerCells))}  ${what}`,
    ),
    ...(missing.length === 0 ? [] : [style.dim(`  not there: ${missing.join(', ')}`)]),
  ]
}
