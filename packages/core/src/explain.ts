import { foldedName } from './name.js'
import { pathOf, type Catalog } from './catalog.js'
import {
  reasonsOf,
  type CommandRef,
  type ExplainAnswer,
  type Explanation,
  type Reason,
  type Status,
} from './explanation.js'
import type { CatalogEntry, Collision, Command } from './command.js'
import type { Diagnostic } from './diagnostic.js'
import type { Kernel } from './kernel.js'
import type { Loader } from './loader.js'
import type { Note, Source } from './source.js'

type Found = CommandRef & Pick<ExplainAnswer, 'command'>
type Known = Pick<Loader, 'gone'> & { readonly catalog: Catalog }

/** What the catalog says of a name, and what the providers of every kind add to it. */
export async function explain(
  query: string,
  known: Known,
  kernel: Kernel,
  signal: AbortSignal | undefined,
): Promise<Explanation> {
  const { incomplete } = known.catalog
  const answers = answersFor(query, known)
  const command = answers.find(answer => answer.command !== undefined)?.command
  const answered = await Promise.all(
    kernel.kinds.map(kind =>
      kernel.ask(
        kind,
        async (provider, call): Promise<readonly Note[]> => {
          const notes = isExplainer(provider) ? await provider.explain(query, command, call) : []
          if (Array.isArray(notes)) return notes
          throw new TypeError('explain() gave no list of notes.')
          // What did not finish says so already, and would be waited for once more.
        },
        {
          signal,
          only:
            kind === 'source'
              ? kernel.ids(kind).filter(id => !incomplete.some(({ provider }) => provider === id))
              : undefined,
          instead: failure => [{ text: failure.message }],
        },
      ),
    ),
  )
  const notes = answered.flat().flatMap(({ id, value }) => value.map(note => ({ ...note, provider: id })))
  return { query, answers, notes, suggestions: answers.length > 0 ? [] : known.catalog.suggest(query), incomplete }
}

/** Any provider of any kind may have `explain`. */
const isExplainer = (provider: unknown): provider is Required<Pick<Source, 'explain'>> =>
  typeof (provider as Partial<Source> | null | undefined)?.explain === 'function'

function answersFor(query: string, { catalog, gone }: Known): readonly ExplainAnswer[] {
  const key = foldedName(query)
  const isAsked = (name: string | undefined): boolean => name !== undefined && foldedName(name) === key
  const isMeant = ({ name, command }: { readonly name: string; readonly command: Command }): boolean =>
    [name, command.name, command.displayName, ...command.aliases].some(isAsked)
  const problems = new OwnProblems([...catalog.errors, ...catalog.warnings])
  const losses = new Map<Command, Collision>()
  const wins = new Map<Command, Collision[]>()
  for (const collision of catalog.collisions) {
    const { loser, winner } = collision
    if (!losses.has(loser.command)) losses.set(loser.command, collision)
    const won = wins.get(winner.command)
    if (won === undefined) wins.set(winner.command, [collision])
    else won.push(collision)
  }
  const answers: ExplainAnswer[] = []
  const add = (
    status: Status,
    found: Found,
    chosenBy: string,
    reasons: readonly Reason[],
    winner?: CatalogEntry,
  ): void => {
    const { name, command, provider } = found
    const path = command === undefined ? found.path : pathOf(command).path
    answers.push({
      status,
      name,
      source: command?.source,
      provider,
      path,
      command,
      chosenBy,
      isListed: reasons.length === 0,
      notListedBecause: reasons,
      shadows: command === undefined ? [] : (wins.get(command) ?? []).map(({ loser }) => refTo(loser)),
      shadowedBy: winner && refTo(winner),
      diagnostics: problems.of(path, provider, (command ?? found).name),
    })
  }

  const exact = catalog.get(query)
  for (const entry of catalog.entries.filter(isMeant).toSorted((a, b) => Number(b === exact) - Number(a === exact))) {
    const lost = losses.get(entry.command)
    const won = wins.get(entry.command)?.[0]
    const rule =
      (lost ?? won)?.reason ?? (entry.isQualified ? 'Its plain name is reserved.' : 'No other command has this name.')
    add(entry.isQualified ? 'qualified' : 'active', entry, rule, reasonsOf(entry), lost?.winner)
  }
  for (const { loser, winner, name, rule, reason, reachableAs } of catalog.collisions) {
    if (reachableAs !== undefined || !isMeant({ ...loser, name })) continue
    const text = `${sameness[rule]} "${winner.name}" of ${winner.command.source}.`
    add(
      rule === 'precedence' ? 'shadowed' : 'duplicate',
      { ...loser, name },
      reason,
      [{ cause: 'shadowed', text }],
      winner,
    )
  }
  for (const entry of catalog.disabled.filter(isMeant)) {
    const [cause, text] =
      entry.barred !== undefined
        ? (['gate', entry.barred] as const)
        : entry.override === 'off'
          ? (['override', `The configuration switches "${entry.name}" off.`] as const)
          : (['disabled', `"${entry.name}" or its source says that it is not enabled.`] as const)
    add('disabled', entry, text, [{ cause, text }])
  }
  const fileOf = ({ path, provider }: Pick<CommandRef, 'path' | 'provider'>): string => path ?? `\0${provider}`
  const answered = new Set(answers.map(fileOf))
  for (const { name = query, path, provider, message } of catalog.errors.filter(error => isAsked(error.name))) {
    if (answered.size === answered.add(fileOf({ path, provider })).size) continue
    add('failed', { name, path, provider }, 'It did not load.', [{ cause: 'error', text: message }])
  }
  // A file that has another answer now, such as that it no longer parses, is not gone.
  const placeOf = ({ provider, path, name }: CommandRef): string => `${provider}:${path ?? name}`
  const told = new Set(answers.map(placeOf))
  for (const entry of gone.values()) {
    if (!isMeant(entry) || told.has(placeOf({ ...entry, ...pathOf(entry.command) }))) continue
    const text = `It was there until a reload at ${new Date(entry.since).toISOString()} no longer found it.`
    add('gone', entry, text, [{ cause: 'removed', text }])
  }
  return answers
}

/** The problems of a catalog by what they belong to, so that each of many answers finds its own at once. */
class OwnProblems {
  readonly #all: readonly Diagnostic[]
  readonly #byPath = new Map<string, number[]>()
  readonly #byName = new Map<string, number[]>()
  /** Of each name that was asked for, by the folders that the problems lie in. */
  readonly #byFolder = new Map<string, Map<string, number[]>>()

  constructor(all: readonly Diagnostic[]) {
    this.#all = all
    for (const [at, { path, provider, name }] of all.entries()) {
      if (path !== undefined) put(this.#byPath, path, at)
      if (name !== undefined) put(this.#byName, `${provider}\0${name}`, at)
    }
  }

  /** Those of its file, and those by its name of what lies beside it. */
  of(path: string | undefined, provider: string | undefined, name: string): readonly Diagnostic[] {
    const ofFile = path === undefined ? [] : (this.#byPath.get(path) ?? [])
    const beside = this.#foldersOf(`${provider}\0${name}`).get(path?.replace(/[^/]+$/, '') ?? '') ?? []
    return [...new Set([...ofFile, ...beside])].sort((a, b) => a - b).flatMap(at => this.#all[at] ?? [])
  }

  #foldersOf(key: string): ReadonlyMap<string, readonly number[]> {
    const known = this.#byFolder.get(key)
    if (known !== undefined) return known
    const folders = new Map<string, number[]>()
    for (const at of this.#byName.get(key) ?? [])
      for (const folder of foldersOf(this.#all[at]?.path ?? '')) put(folders, folder, at)
    this.#byFolder.set(key, folders)
    return folders
  }
}

/** The folders that a path lies in, each with its `/` at the end, and what stands for any place. */
function foldersOf(path: string): readonly string[] {
  const folders = ['']
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) folders.push(path.slice(0, end + 1))
  return folders
}

function put(places: Map<string, number[]>, key: string, at: number): void {
  const known = places.get(key)
  if (known === undefined) places.set(key, [at])
  else known.push(at)
}

const sameness = {
  'same-file': 'It counts as the same file as',
  'same-text': 'It has the same text as',
  precedence: 'Its name belongs to',
}

const refTo = ({ command, provider }: Collision['loser']): CommandRef => ({
  name: command.name,
  source: command.source,
  provider,
  ...pathOf(command),
})
