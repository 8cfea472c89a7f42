import { dirname } from 'node:path'
import { SkillsError, type Diagnostic } from '@skills/core'
import { isInside, lstatOf, realPathOf, systemCode } from '@skills/files/internal'
import { parseHead } from '@skills/skill-md'
import { readWholeFile } from '@skills/files'
import { Root } from '@skills/state/writer'
import type { FolderElsewhere } from './skills-elsewhere.js'

/** Change of a place that makes a skill load. Paths are absolute, with forward slashes. */
export interface PlaceRepair {
  /** `move`: a file or a folder gets another path. `link`: a link to it is made. */
  readonly how: 'move' | 'link'
  readonly from: string
  readonly to: string
}

/** Returns the move that repairs a problem of a place, or undefined if a person has to decide. */
export async function placeRepairOf({ code, path }: Diagnostic): Promise<PlaceRepair | undefined> {
  if (path === undefined) return undefined
  const folder = path.slice(0, path.lastIndexOf('/'))
  const file = path.slice(folder.length + 1)
  const move = (to: string): PlaceRepair => ({ how: 'move', from: path, to })
  switch (code) {
    case 'other-case':
      return move(`${folder}/SKILL.md`)
    case 'near-miss':
      return move(/\.md$/i.test(file) && !file.endsWith('.md') ? `${path.slice(0, -3)}.md` : `${folder}/SKILL.md`)
    case 'flat-skill':
      return move(`${folder}/${file.replace(/\.md$/i, '')}/SKILL.md`)
    case 'skill-at-root': {
      const name = await nameIn(path)
      return name === undefined ? undefined : move(`${folder}/${name}/SKILL.md`)
    }
    default:
      return undefined
  }
}

/** Returns the repair for a folder of skills that is not searched, or undefined if a person has to decide. */
export function folderRepairOf({ kind, path, meant }: FolderElsewhere): PlaceRepair | undefined {
  if (meant === undefined || kind === 'text') return undefined
  return { how: kind === 'main' ? 'link' : 'move', from: path, to: meant }
}

/** Returns the name in a skill's frontmatter if it can be the name of a folder. */
async function nameIn(path: string): Promise<string | undefined> {
  const file = await readWholeFile(path)
  if (file === undefined || 'problem' in file) return undefined
  const parsed = await parseHead(file.bytes, { whole: true })
  const name = 'ok' in parsed && parsed.ok ? parsed.data['name'] : undefined
  return typeof name === 'string' && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ? name : undefined
}

/**
 * Moves or links what a repair names, inside one folder. Follows no link out of it and replaces nothing. Returns the
 * reason if nothing was done.
 * @param top folder in which all changes lie, absolute: the project, or the home folder
 */
export function applyPlaceRepair({ how, from, to }: PlaceRepair, top: string): string | undefined {
  const within = realPathOf(top) ?? top
  const [source, target] = [how === 'link' ? from : realEntry(from), realEntry(to)]
  if (how === 'move' && !isInside(source, within)) return `${from} really lies outside ${top}.`
  if (!isInside(target, within)) return `${to} really lies outside ${top}.`
  const below = (path: string): string => path.slice(within.length + 1)
  const places = [how === 'link' ? target : source, target].map(path => below(dirname(path)))
  const root = new Root(within, { kind: 'project', places })
  try {
    if (how === 'link') {
      if (lstatOf(target) !== undefined) return `${to} already exists.`
      root.makeFolder(below(dirname(target)))
      root.link(below(target), source)
      return undefined
    }
    if (root.move(below(source), below(target))) return undefined
    // A file system that ignores letter case has the new name already: it is the same entry.
    const [one, other] = [lstatOf(source), lstatOf(target)]
    if (one === undefined || one.ino !== other?.ino || one.dev !== other.dev)
      return `${from} stays: ${to} already exists. Move the content there by hand.`
    const between = `${below(target)}.renamed`
    return root.move(below(source), between) && root.move(between, below(target))
      ? undefined
      : `${to} could not be renamed.`
  } catch (error) {
    if (SkillsError.is(error)) return error.message
    const code = systemCode(error)
    if (code === undefined) throw error
    return `${to} could not be written (${code}).`
  }
}

/**
 * Takes back a move that {@link applyPlaceRepair} made, and removes the folder that was made for it. Returns the reason
 * if nothing was done.
 */
export function undoPlaceRepair({ from, to }: PlaceRepair, top: string): string | undefined {
  const failure = applyPlaceRepair({ how: 'move', from: to, to: from }, top)
  const left = dirname(to)
  if (failure !== undefined || left === dirname(from)) return failure
  const within = realPathOf(top) ?? top
  const folder = realEntry(left).slice(within.length + 1)
  try {
    new Root(within, { kind: 'project', places: [dirname(folder)] }).removeEmpty(folder)
  } catch (error) {
    // The file is back; an empty folder that stays harms nothing.
    if (!SkillsError.is(error) && systemCode(error) === undefined) throw error
  }
  return undefined
}

/** Resolves the links on the way to an entry, but not the entry itself. Folders that are missing stay as written. */
function realEntry(path: string): string {
  for (let at = dirname(path); ; at = dirname(at)) {
    const real = realPathOf(at)
    if (real !== undefined) return `${real === '/' ? '' : real}${path.slice(at === '/' ? 0 : at.length)}`
    if (at === dirname(at)) return path
  }
}
