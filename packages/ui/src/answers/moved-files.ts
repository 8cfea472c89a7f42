import { isAlmostSkill } from '@skills/files/internal'
import { applyPlaceRepair, mendedTop, placeRepairOf, undoPlaceRepair, type PlaceRepair } from '@skills/inspect/internal'
import type { Catalog, Host } from '@skills/core'
import type { Moved, MovedFile } from '../api.js'

/** Moves files that are nearly skills to where they are skills, as `skills doctor --fix` does, and back. */
export class MovedFiles {
  readonly #moves = new Map<string, PlaceRepair>()

  /** Files that were moved and not moved back, the last one first. */
  get all(): readonly MovedFile[] {
    return [...this.#moves.values()].map(({ from, to }) => ({ from, to })).reverse()
  }

  /**
   * Makes the repair of a file that a catalog calls nearly a skill. Any other path is refused, and so is a file outside
   * the project and the home folder.
   */
  async move(path: string, { errors, warnings }: Catalog, host: Host): Promise<Moved> {
    const problem = [...errors, ...warnings].find(one => one.path === path && isAlmostSkill(one))
    const repair = problem && (await placeRepairOf(problem))
    if (repair === undefined) return { problem: 'This file is not one that can be moved from this page.' }
    const failure = inTop(repair, host, applyPlaceRepair)
    if (failure !== undefined) return { problem: failure }
    this.#moves.set(path, repair)
    return { from: repair.from, to: repair.to }
  }

  /** Moves a file back that {@link move} moved. */
  moveBack(path: string, host: Host): Moved {
    const repair = this.#moves.get(path)
    if (repair === undefined) return { problem: 'This file was not moved from this page.' }
    const failure = inTop(repair, host, undoPlaceRepair)
    if (failure !== undefined) return { problem: failure }
    this.#moves.delete(path)
    return { from: repair.to, to: repair.from }
  }
}

function inTop(
  repair: PlaceRepair,
  host: Host,
  act: (repair: PlaceRepair, top: string) => string | undefined,
): string | undefined {
  const top = mendedTop(repair.to, host, true)
  return top === undefined ? `${repair.to} lies neither in the project nor in your home folder.` : act(repair, top)
}
