import { messageOf, type Diagnostic, type Note } from '@skills/core'
import { flatSkill, nearlySkillFile, otherName } from '../almost-skills.js'
import { systemCode } from '../problem.js'
import type { SkillTreeState } from '../skill-tree.js'
import { isInside } from '@skills/store'
import { passedOver, reachedIn, type Walked } from './passed-over.js'
import type { SkillCommand } from '@skills/skill-md/internal'
import type { SkillItem } from './skill-entry.js'
import type { SkillRoot } from './layout.js'

interface Looked extends Walked {
  /** Returns the name of the skill in a folder, or undefined if the folder gave none. */
  readonly goesBy: (folder: string) => string | undefined
}

/**
 * Explains a skill that is found only through a link: where the skill really lies, and which allowed folder contains
 * it.
 */
export function explainLink(
  skill: SkillCommand,
  roots: readonly { readonly root: SkillRoot; readonly state: SkillTreeState<SkillItem> }[],
): readonly Note[] {
  const { within } =
    roots.find(({ state }) => state.items.some(item => item === skill || ('command' in item && item.command === skill)))
      ?.root ?? {}
  const { filePath: path, file: { realPath } = {} } = skill
  if (
    within === undefined ||
    path === undefined ||
    realPath === undefined ||
    within.some(folder => isInside(realPath, folder))
  )
    return []
  const folder = within.map(one => one.replace(/\/\*$/, '')).find(one => isInside(realPath, one))
  return folder === undefined
    ? []
    : [{ path, text: `This path is a link to ${realPath}. Links into ${folder} are allowed.` }]
}

/** Explains why a root has no skill of this name. Looks only at the places where such a skill would be. */
export async function explainAbsence(
  root: string,
  name: string,
  looked: Looked,
  signal: AbortSignal,
): Promise<readonly Note[]> {
  const { walk = 'deep', skipped = ['hidden', 'node_modules'], goesBy } = looked
  // A name is one folder; a path would lead the look elsewhere.
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name)) return []
  const notes: Note[] = []
  const note = (path: string, text: string): void => void notes.push({ path, text })
  const folder = `${root}/${name}`
  const isSkipped =
    (name.startsWith('.') && skipped.includes('hidden')) ||
    (name === 'node_modules' && skipped.includes('node_modules'))
  const kind = await reachedIn(looked, folder, signal)
  if (kind === 'folder' && isSkipped)
    note(folder, `${folder} is not searched: hidden folders and node_modules never are.`)
  else if (kind === 'folder') {
    try {
      const { folders = [], files = [], links = [] } = (await looked.store.list(folder, { signal })) ?? {}
      note(folder, lookInto(folder, [...folders, ...files, ...links].sort(), walk, name, goesBy(folder)))
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      note(folder, `The folder ${folder} cannot be listed: ${messageOf(error)}`)
    }
  }
  for (const file of [`${folder}.md`, `${folder}.markdown`]) {
    if ((await reachedIn(looked, file, signal)) === 'file') note(file, textOf(flatSkill(name, file)))
  }
  const others = await passedOver(root, name, looked, signal)
  return [...notes, ...others.filter(({ path }) => path !== folder)]
}

function lookInto(
  folder: string,
  names: readonly string[],
  walk: 'flat' | 'deep',
  asked: string,
  name: string | undefined,
): string {
  if (name !== undefined)
    return `The skill in ${folder} is called ${JSON.stringify(name)}, because its frontmatter gives that name.`
  if (names.includes('SKILL.md'))
    return `${folder} has a SKILL.md that could not be loaded as a skill; look at the errors of that file.`
  const near = nearlySkillFile(names)
  if (near !== undefined) return textOf(otherName(asked, `${folder}/${near}`))
  if (names.length === 0) return `${folder} is empty; a skill needs a SKILL.md in it.`
  return walk === 'deep'
    ? `${folder} has no SKILL.md of its own; only the folders in it are searched for skills.`
    : `${folder} has no SKILL.md.`
}

const textOf = ({ message, hint = '' }: Diagnostic): string => `${message} ${hint}`
