import { elsewhereProblem, skillsElsewhere, type FolderElsewhere } from '@skills/inspect/internal'
import { again } from './again.js'
import type { Diagnostic, Explanation } from '@skills/core'
import type { Engine } from './engine-parts.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/** Returns a finding for each folder of skills in the project that the engine does not search. */
export async function elsewhere(
  engine: Pick<Engine, 'skills' | 'distribution'>,
  invocation: Invocation,
  io: Io,
): Promise<readonly Diagnostic[]> {
  return (await foldersElsewhere(engine, io)).map(one => elsewhereText(one, engine, invocation, io))
}

/** Returns the folders of skills in the project that the engine does not search. */
export async function foldersElsewhere(
  { skills }: Pick<Engine, 'skills'>,
  { signal }: Io,
): Promise<readonly FolderElsewhere[]> {
  return skillsElsewhere(skills.host, await skills.catalog({ signal }), {
    agentsReading: async folder => (await import('./agents-reading.js')).agentsReading(folder),
  })
}

export function elsewhereText(
  folder: FolderElsewhere,
  { distribution: { name: distribution } }: Pick<Engine, 'distribution'>,
  invocation: Invocation,
  io: Io,
  only?: string,
): Diagnostic {
  // The path that the command names is relative to the working folder.
  const commandLine = (words: string): string => againInstalling(words, { ...invocation, cwd: undefined }, io)
  return elsewhereProblem(folder, { distribution, cwd: io.cwd, commandLine }, only)
}

/** Returns a follow-up command line of a command that installs, which takes no options for searching. */
export function againInstalling(words: string, { home, cwd }: Pick<Invocation, 'home' | 'cwd'>, io: Io): string {
  return again(words, { home, cwd, distribution: undefined, addDirs: [], pluginDirs: [], marketplaces: [] }, io)
}

/** Returns notes that say where else in the project a skill of this name lies. */
export async function elsewhereNotes(
  name: string,
  engine: Pick<Engine, 'skills' | 'distribution'>,
  invocation: Invocation,
  io: Io,
): Promise<Explanation['notes']> {
  const has = ({ skills }: FolderElsewhere): string | undefined => skills.find(one => one.name === name)?.name
  return (await foldersElsewhere(engine, io)).flatMap(folder => {
    const only = has(folder)
    if (only === undefined) return []
    const { path, message, hint = '' } = elsewhereText(folder, engine, invocation, io, only)
    return [{ text: `${message} ${hint}`, provider: 'elsewhere', ...(path !== undefined && { path }) }]
  })
}

/** Returns the folders of the project whose skills the engine does not search, without those of another checkout. */
export async function pathsElsewhere(engine: Pick<Engine, 'skills'>, io: Io): Promise<readonly string[]> {
  return (await foldersElsewhere(engine, io)).flatMap(({ kind, path }) =>
    kind === 'main' || kind === 'text' ? [] : [path],
  )
}
