import { isAbsolute } from 'node:path'
import { ToldSkills, untoldCommand, type ToldCall, type ToldEngine, type ToldSkill } from '@skills/invocation/internal'
import type { CatalogEntry, Command, ExplainAnswer, Explanation, Reason, Status } from '@skills/core'

/** Answer of an explanation, and what the model is told of its skill. */
export interface ToldAnswer extends ExplainAnswer {
  readonly told: ToldSkill
}

/** Explanation whose answers say what the model is told of each skill. */
export interface ToldExplanation extends Omit<Explanation, 'answers'> {
  readonly answers: readonly ToldAnswer[]
}

/** Returns an explanation whose answers say what this distribution's listing tells a model of each command. */
export async function explainedUnder(
  engine: ToldEngine,
  explanation: Explanation,
  call: ToldCall,
): Promise<ToldExplanation> {
  const catalog = await engine.skills.catalog({ signal: call.signal })
  const entryOf = ({ name, command }: ExplainAnswer) =>
    [catalog.get(name), ...catalog.disabled].find(entry => entry !== undefined && entry.command === command)
  let told: ToldSkills | undefined
  const answers: ToldAnswer[] = []
  for (const answer of explanation.answers) {
    const entry = answer.command && entryOf(answer)
    if (entry === undefined) {
      const { remedy, ...found } = untoldCommand(answer.command, answer.notListedBecause)
      answers.push({
        ...answer,
        told: {
          ...found,
          // Two names for one file need no change.
          ...(remedy !== undefined && answer.status !== 'duplicate' && { remedy }),
          path: found.cause === 'error' ? answer.path : answer.shadowedBy?.path,
        },
      })
      continue
    }
    // An unknown name needs no listing.
    told ??= await ToldSkills.of(engine, call)
    const found = await withPath(await told.told(entry), answer, explanation.notes, engine)
    answers.push({ ...answer, isListed: found.reasons.length === 0, notListedBecause: found.reasons, told: found })
  }
  return { ...explanation, answers }
}

/** Adds the file that sets what the model is told. */
async function withPath(
  told: ToldSkill,
  { path }: ExplainAnswer,
  notes: Explanation['notes'],
  { skills }: ToldEngine,
): Promise<ToldSkill> {
  const { cause, told: part, reasons } = told
  if (part === 'later' || cause === 'flag') return { ...told, path }
  if (cause === 'permission') {
    const [source] = reasons.flatMap(reason => (reason.cause === 'permission' ? (reason.source ?? []) : []))
    const { settingsFiles } = await import('@skills/distributions/permissions')
    // The source of a rule in a configuration is its file.
    const file = settingsFiles(skills.host).find(one => one.source === source)?.path ?? source
    return { ...told, ...(file !== undefined && isAbsolute(file) && { path: file }) }
  }
  if (cause !== 'override' && cause !== 'gate' && cause !== 'disabled') return told
  const gates = skills.use('gate').ids
  return { ...told, path: notes.find(note => note.path !== undefined && gates.includes(note.provider ?? ''))?.path }
}

/** Row of a list of skills. */
interface ListedRow {
  readonly state: Status
  readonly command?: Command | undefined
  readonly reason?: string | undefined
}

const causes: Readonly<Record<Status, Reason['cause']>> = {
  active: 'flag',
  qualified: 'flag',
  duplicate: 'shadowed',
  shadowed: 'shadowed',
  disabled: 'disabled',
  failed: 'error',
  gone: 'removed',
}

/** Returns a function that returns what the model is told of a row of a list, from one listing. */
export async function toldRows(engine: ToldEngine, call: ToldCall): Promise<(row: ListedRow) => ToldSkill> {
  const told = await ToldSkills.of(engine, call)
  const { entries, disabled } = await engine.skills.catalog({ signal: call.signal })
  // Sentences are made for the rows that are asked about; there may be a hundred thousand.
  const known = new Map<Command, CatalogEntry | ToldSkill>()
  for (const entry of entries) known.set(entry.command, told.isCandidate(entry) ? entry : await told.told(entry))
  for (const entry of disabled) known.set(entry.command, entry)
  const of = (one: CatalogEntry | ToldSkill | undefined): ToldSkill | undefined =>
    one === undefined || 'told' in one ? one : told.known(one)
  return ({ state, command, reason = '' }) =>
    of(command && known.get(command)) ?? untoldCommand(command, [{ cause: causes[state], text: reason }])
}
