import { readdirSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import { findProjectFolders } from '@skills/files'
import { mainCheckoutOf, skillFoldersIn, slashes, statOf, unlessRefused } from '@skills/files/internal'
import { agentFoldersIn } from './recognize-folder.js'
import type { Catalog, Diagnostic, Host, MaybePromise } from '@skills/core'

/** Folder with skills that this distribution does not search. */
export interface FolderElsewhere {
  /** Absolute, with forward slashes. */
  readonly path: string
  /**
   * `agents`: other agents read it. `misnamed`: it has nearly the name of a folder that agents read. `unread`: no known
   * agent reads it. `main`: it lies in the main checkout of this git worktree, where git ignores it. `text`: it is a file,
   * because git checked out a link to a folder as text.
   */
  readonly kind: 'agents' | 'misnamed' | 'unread' | 'main' | 'text'
  /** Names of the agents that read it. */
  readonly agents: readonly string[]
  /** Folder that it should be, absolute: under its right name, in this worktree, or where the link leads. */
  readonly meant?: string | undefined
  readonly skills: readonly SkillElsewhere[]
}

export interface SkillElsewhere {
  /** Name of the skill's folder. */
  readonly name: string
  /** Absolute path of its SKILL.md. */
  readonly path: string
}

export interface ElsewhereSearch {
  /** Returns the agents that read a folder of a project, such as `.cursor/skills`. Called only for folders of skills. */
  readonly agentsReading: (folder: string) => MaybePromise<readonly string[]>
  /** Name of the distribution, for the messages. */
  readonly distribution: string
  /** Folder in which the commands of the hints are typed. */
  readonly cwd: string
  /** Returns a command of this program as it is typed. */
  readonly commandLine: (words: string) => string
}

/**
 * Finds folders of skills in a project that the engine does not search: those of other agents, those under a wrong name,
 * and those that only the main checkout of a git worktree has. Reads the names in these folders and nothing else.
 */
export async function skillsElsewhere(
  host: Pick<Host, 'cwd' | 'home' | 'uid'>,
  { places, entries }: Pick<Catalog, 'places' | 'entries'>,
  { agentsReading }: Pick<ElsewhereSearch, 'agentsReading'>,
): Promise<readonly FolderElsewhere[]> {
  const { folders, top } = findProjectFolders(host)
  const read = new Set(places.filter(({ state }) => state === 'read').flatMap(({ path }) => identityAt(path) ?? []))
  // A copy of a skill that is found is as good as that skill.
  const names = new Set(entries.map(({ name }) => name))
  const missed: FolderElsewhere[] = []
  for (const base of folders) {
    for (const path of agentFoldersIn(base, folder => read.has(identityAt(folder) ?? ''))) {
      const all = skillsIn(path)
      if (all.length === 0) continue
      const role = await roleOf(base, path, agentsReading)
      const skills = role.kind === 'misnamed' ? all : all.filter(({ name }) => !names.has(name))
      if (skills.length > 0) missed.push({ path, skills, ...role })
    }
  }
  for (const path of folders.flatMap(base => ['.claude', '.agents'].map(name => `${base}/${name}`))) {
    if (statOf(path)?.isFile() !== true) continue
    const meant = (await import('./text-link.js')).folderInText(path)
    if (meant !== undefined) missed.push({ path, kind: 'text', meant, agents: [], skills: [] })
  }
  const main = mainCheckoutOf(top)
  if (main === undefined) return missed
  const { foldersOnlyIn } = await import('./main-checkout-folders.js')
  const onlyInMain = foldersOnlyIn(main, top).map((one): FolderElsewhere => ({
    ...one,
    kind: 'main',
    agents: [],
    skills: skillsIn(one.path),
  }))
  return [...missed, ...onlyInMain]
}

async function roleOf(
  base: string,
  path: string,
  agentsReading: ElsewhereSearch['agentsReading'],
): Promise<Pick<FolderElsewhere, 'kind' | 'agents' | 'meant'>> {
  const folder = path.slice(base.length + 1)
  const agents = await agentsReading(folder)
  const usual = folder
    .toLowerCase()
    .replace(/^\.agent\//, '.agents/')
    .replace(/\/skill$/, '/skills')
  const isNear = usual !== folder && (usual === '.agents/skills' || (await agentsReading(usual)).length > 0)
  if (agents.length > 0) return { kind: 'agents', agents }
  return isNear ? { kind: 'misnamed', agents, meant: `${base}/${usual}` } : { kind: 'unread', agents }
}

function skillsIn(folder: string): readonly SkillElsewhere[] {
  return skillFoldersIn(folder, { isDeep: false }).flatMap(holder =>
    unlessRefused(() => readdirSync(holder), [] as string[])
      .sort()
      .map(name => ({ name, path: `${holder}/${name}/SKILL.md` }))
      .filter(({ path }) => statOf(path)?.isFile() === true),
  )
}

function identityAt(path: string): string | undefined {
  const stats = statOf(path.replace(/\/\*$/, ''))
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
}

/** Most names of skills in a message. */
const mostNames = 5

/**
 * Returns the finding for a folder of skills that is not searched, with what to do.
 * @param only name of the one skill that is asked for
 */
export function elsewhereProblem(
  { path, kind, agents, meant = '', skills }: FolderElsewhere,
  { distribution, cwd, commandLine }: Omit<ElsewhereSearch, 'agentsReading'>,
  only?: string,
): Diagnostic {
  const names = only === undefined ? skills.slice(0, mostNames).map(({ name }) => name) : [only]
  const more = only === undefined ? skills.length - names.length : 0
  const many =
    only !== undefined
      ? `the skill "${only}"`
      : `${skills.length === 1 ? '1 skill' : `${skills.length} skills`} (${names.join(', ')}${more > 0 ? `, and ${more} more` : ''})`
  const here = `${distribution} does not search it`
  const them = only === undefined && skills.length > 1 ? 'them' : 'it'
  const which = only === undefined ? '--all' : `--skill ${quotedWord(only)}`
  const forAgent = distribution === 'standard' ? '' : ` --agent ${quotedWord(distribution)}`
  const add = commandLine(`add ${quotedPath(path, cwd)} ${which}${forAgent}`)
  const said = {
    agents: [`${path} has ${many} for ${listOf(agents)}; ${here}.`, `To have ${them} here too: ${add}`],
    misnamed: [
      `${path} has ${many}, but no known agent reads a folder of this name.`,
      `Rename the folder to ${meant}.`,
    ],
    unread: [`${path} has ${many}, but no known agent reads it.`, `To have ${them} here: ${add}`],
    main: [
      `${path} has ${many}; it is in the main checkout, where git ignores it, so this worktree does not have ${them}.`,
      `To link the folder here: ${commandLine('doctor --fix')}`,
    ],
    text: [
      `${path} is a link to ${meant} that git checked out as text, so no agent finds a folder there.`,
      `Run "git config core.symlinks true", delete the file, and check it out again: git checkout -- ${quotedPath(path, cwd)} (Windows needs its Developer Mode for links).`,
    ],
  }[kind]
  return {
    severity: kind === 'agents' ? 'info' : 'warning',
    type: 'validation',
    code: {
      agents: 'other-agents-folder',
      misnamed: 'misnamed-folder',
      unread: 'unread-folder',
      main: 'main-checkout',
      text: 'text-link-folder',
    }[kind],
    path,
    message: said[0] ?? '',
    hint: said[1] ?? '',
  }
}

/** Returns a path as a source of `skills add`, relative to the working folder. */
function quotedPath(path: string, cwd: string): string {
  const short = slashes(relative(cwd, path))
  const typed = isAbsolute(short) || short.startsWith('../') ? short : `./${short}`
  return quotedWord(typed)
}

function quotedWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function listOf(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}
