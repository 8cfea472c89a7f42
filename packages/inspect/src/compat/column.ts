import { basename, dirname } from 'node:path/posix'
import { after } from '@skills/store/internal'
import { findEmbeddedCommands } from '@skills/expansion'
import { problemsOf, type AgentLook, type SeenFile } from './agent-look.js'
import { changesFor, skillFile, type LostSkill } from './changes.js'
import { effectsOf, type FieldEffects } from './field-effects.js'
import { FieldUses } from './field-uses.js'
import { placesOf, stageSkills, type AgentPlaces, type StagedFile } from './on-stage.js'
import { folderOf, type Asked, type Row } from './rows.js'
import { readBytes } from './skill-file.js'
import type { AgentCompat, AgentDistribution, Change, CompatAgent, FieldUse } from './compat-types.js'
import type { OneMoment } from './one-moment.js'
import type { Stage } from './stage.js'

/** Agent with its view of the skills in their present places. */
export interface Looked {
  readonly agent: CompatAgent
  readonly look: AgentLook
  readonly shell: AgentDistribution['shell']
}

/** Values that every column of the comparison needs. */
export interface Ground {
  readonly stage: Stage
  readonly reads: OneMoment
  readonly contextWindow: number
  readonly signal: AbortSignal
}

/** Returns the effects of the requested fields with an agent. */
export function effects(
  agent: CompatAgent,
  { project, home }: AgentPlaces,
  asked: Asked,
  { stage, signal }: Ground,
): Promise<FieldEffects> {
  const place = project ?? home ?? '.agents/skills'
  return effectsOf(agent, { ...asked, place, ground: `${stage.path}/fields/${place}`, signal })
}

export interface Compared {
  /** Returns the effects of the fields with the reference. */
  readonly meant: () => Promise<FieldEffects>
  readonly asked: Asked
  readonly reference: Looked
  readonly counts: EmbeddedCounts
  /** True if only skills are compared that lie nowhere yet. Fields whose values tell enough are not tried then. */
  readonly isAlone: boolean
}

/** Returns how one agent treats each of these skills. */
export async function columnOf(
  { agent, look, shell }: Looked,
  rows: readonly Row[],
  { meant, asked, reference, counts, isAlone }: Compared,
  ground: Ground,
): Promise<readonly AgentCompat[]> {
  const places = await placesOf(agent, ground)
  const [commandsIn, meantIn] = [counts.by(shell), counts.by(reference.shell)]
  const lost = rows
    .filter(({ path }) => !look.files.has(path) && !look.shadowed.has(path))
    .map((row): LostSkill => ({
      path: row.path,
      folder: folderOf(row.path),
      // Any other file is a prompt, which is to become a skill in a folder of its own.
      file: /\/skill\.md$/i.test(row.path) ? basename(row.path) : skillFile,
      isOfUser: row.isOfUser,
      description: row.description,
      facts: row.facts,
      read: () => after(readBytes(row.path, ground.reads, ground.signal), bytes => bytes ?? Buffer.alloc(0)),
    }))
  const staged = await stageSkills(agent, places, lost, ground)
  const isTold = isAlone && rows.every(row => tellsItself(row, staged.get(row.path)?.seen))
  const isPlaced = agent.placed !== undefined
  const uses =
    isTold || isPlaced ? undefined : new FieldUses(await meant(), await effects(agent, places, asked, ground))
  const never = lost.filter(({ path }) => {
    const { seen, shadowed, around, problems = [] } = staged.get(path) ?? {}
    // Problems that no change of the file can solve are not tried.
    return seen === undefined && shadowed === undefined && (around === undefined || problems.length > 0)
  })
  const changes = await changesFor(agent, places, never, ground)
  const taken = foldersIn(look, places)
  return rows.map((row): AgentCompat => {
    const stood = standing(row, look, staged.get(row.path), changes.get(row.path), taken)
    const { seen, ...rest } = stood
    const fields = [
      ...Object.entries(row.facts.fields).map(
        ([key, value]) => ownUse(key, row, seen) ?? uses?.field(key, value) ?? { field: key, use: 'used' as const },
      ),
      ...row.facts.features.flatMap(name => uses?.feature(name) ?? []),
    ]
    const commands = commandsIn(row, seen?.shell)
    const meantCommands = meantIn(row, reference.look.files.get(row.path)?.shell)
    if (commands + meantCommands > 0)
      fields.push({
        field: '!`command`',
        use: commands > 0 ? 'used' : 'ignored',
        what:
          commands > 0
            ? 'commands run when it is invoked'
            : 'the model reads the commands as text, without their output',
      })
    return {
      agent: agent.name,
      ...rest,
      fields: seen === undefined || isPlaced ? [] : fields,
      commands: seen === undefined || isPlaced ? 0 : commands,
    }
  })
}

/** Returns how much of a skill the agent lists. */
function toldIn({ told, cause, toldChars, ofChars }: SeenFile): ToldPart {
  return { told, ...(cause !== undefined && { cause }), ...(toldChars !== undefined && { toldChars, ofChars }) }
}

type ToldPart = Pick<AgentCompat, 'told' | 'cause' | 'toldChars' | 'ofChars'>

type Standing = Omit<AgentCompat, 'agent' | 'fields' | 'commands'> & { readonly seen: SeenFile | undefined }

/** Returns where an agent finds a skill, and what it lists of it. */
function standing(
  row: Row,
  look: AgentLook,
  staged: StagedFile | undefined,
  change: Change | undefined,
  taken: ReadonlySet<string>,
): Standing {
  const here = look.files.get(row.path)
  if (here !== undefined) {
    const { name, path, because } = here
    const room = roomFor(here)
    return {
      found: 'here',
      name,
      path,
      ...toldIn(here),
      because,
      problems: problemsOf(look, path),
      seen: here,
      ...(room && { change: room }),
    }
  }
  const because = look.shadowed.get(row.path) ?? staged?.shadowed
  if (because !== undefined)
    return {
      found: 'shadowed',
      told: 'no',
      because,
      problems: staged?.problems ?? problemsOf(look, row.path),
      change: { kind: 'rename', text: 'Rename the skill: another skill already has this name.' },
      seen: undefined,
    }
  const seen = staged?.seen
  const problems = staged?.problems ?? []
  if (seen !== undefined && staged !== undefined) {
    return {
      found: 'elsewhere',
      name: seen.name,
      path: staged.place,
      ...toldIn(seen),
      because: ['The agent does not search the folder of the skill.', seen.told === 'no' ? seen.because : '']
        .join(' ')
        .trim(),
      problems,
      change: placing(row, staged.place, taken),
      seen,
    }
  }
  const [problem] = [...problems].toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
  return {
    found: 'not',
    told: 'no',
    because: (problem ?? staged?.around)?.message ?? 'The agent skips the file without a message.',
    problems,
    ...(change && { change }),
    seen: undefined,
  }
}

/**
 * Returns the folders of skills in the place where the agent would be given others, below a project or the home folder.
 */
function foldersIn({ files }: AgentLook, { project, home }: AgentPlaces): ReadonlySet<string> {
  const found = [project, home].flatMap(place => {
    const mark = `/${place}/`
    return place === undefined
      ? []
      : [...files.keys()].filter(path => path.includes(mark)).map(path => path.slice(path.lastIndexOf(mark) + 1))
  })
  return new Set(found.map(path => dirname(path)))
}

/** Returns the change that brings a skill to the place where an agent looks, without overwriting an existing folder. */
function placing({ path }: Row, place: string, taken: ReadonlySet<string>): Change {
  const folder = dirname(place)
  if (taken.has(folder))
    return { kind: 'rename', text: `Copy its folder to ${dirname(folder)} under another name: ${folder} is taken.` }
  return { kind: 'place', text: `Copy ${/\/skill\.md$/i.test(path) ? `its folder to ${folder}` : `it to ${place}`}.` }
}

/** Returns the change that makes room for a description that is cut. */
function roomFor({ told, cause, toldChars = 0, ofChars = 0 }: SeenFile): Change | undefined {
  if (told === 'cut')
    return { kind: 'room', text: `Shorten its description from ${ofChars} to ${toldChars} characters.` }
  return told === 'name' && cause === 'budget'
    ? {
        kind: 'room',
        text: 'The listing has room only for the name of this skill. Shorten the descriptions of other skills, or pin this skill.',
      }
    : undefined
}

/** Returns the use of `name` and `description`, which can be compared by value. */
function ownUse(field: string, { name, description, facts }: Row, seen: SeenFile | undefined): FieldUse | undefined {
  if (seen === undefined) return undefined
  // A name that equals the folder's adds nothing.
  if (field === 'name' && seen.name === name && facts.fields['name'] === name) return { field, use: 'used' }
  const { description: theirs } = seen
  if (field !== 'description' || theirs === description || plain(theirs) === plain(description)) return undefined
  const shown = JSON.stringify(theirs.length > 80 ? `${theirs.slice(0, 79)}…` : theirs)
  return { field, use: 'other', what: `it is read as ${shown}` }
}

/**
 * True if the values show the use of everything that a skill has: a name that is its own, and a description that the
 * model gets. A skill that the agent does not find has no uses.
 */
function tellsItself(row: Row, seen: SeenFile | undefined): boolean {
  if (seen === undefined) return true
  const isGiven = seen.told === 'whole' || seen.told === 'cut'
  return (
    row.facts.features.length === 0 &&
    Object.keys(row.facts.fields).every(
      key => ownUse(key, row, seen) !== undefined || (key === 'description' && isGiven),
    )
  )
}

function plain(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

/** Counts the commands that a body embeds, once for all agents with the same rules. */
export class EmbeddedCounts {
  readonly #known = new Map<string, Map<string, number>>()

  by(rules: AgentDistribution['shell']): (row: Row, shell: SeenFile['shell'] | undefined) => number {
    if (rules === false) return () => 0
    const key = JSON.stringify(rules)
    const known = this.#known.get(key) ?? new Map<string, number>()
    this.#known.set(key, known)
    return ({ path, facts: { template } }, shell = 'bash') => {
      if (template === undefined) return 0
      const counted = known.get(`${shell} ${path}`) ?? findEmbeddedCommands(template, { ...rules, shell }).length
      known.set(`${shell} ${path}`, counted)
      return counted
    }
  }
}
