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
import type { AnyProvider } from './provider.js'
import type { Note, Source } from './source.js'

type Found = CommandRef & Pick<ExplainAnswer, 'command'>
type Answer = Omit<ExplainAnswer, 'diagnostics'>
type Known = Pick<Loader, 'gone' | 'large'> & { readonly catalog: Catalog }

/** Collects the entries of a name in the catalog, and the notes about it from the providers of every kind. */
export async function explain(
  query: string,
  known: Known,
  kernel: Kernel,
  signal: AbortSignal | undefined,
): Promise<Explanation> {
  const { incomplete } = known.catalog
  const counts = (await known.large?.count({ signal })) ?? []
  // An incomplete source is reported already, and asking it would mean waiting again.
  const mayAnswer = ({ kind, id, explains }: AnyProvider): boolean =>
    explains !== false && (kind !== 'source' || !incomplete.some(({ provider }) => provider === id))
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
        },
        { signal, only: kernel.ids(kind, mayAnswer), instead: failure => [{ text: failure.message }] },
      ),
    ),
  )
  const notes = [
    ...answered.flat().flatMap(({ id, value }) => value.map(note => ({ ...note, provider: id }))),
    ...counts.map(({ id, value }) => ({
      text: `It has ${value} commands, and only those that are pinned or asked for are loaded.`,
      provider: id,
    })),
  ]
  return { query, answers, notes, suggestions: answers.length > 0 ? [] : known.catalog.suggest(query), incomplete }
}

/** True for a provider, of any kind, that has `explain`. */
const isExplainer = (provider: unknown): provider is Required<Pick<Source, 'explain'>> =>
  typeof (provider as Partial<Source> | null | undefined)?.explain === 'function'

function answersFor(query: string, { catalog, gone }: Known): readonly ExplainAnswer[] {
  const key = foldedName(query)
  const isAsked = (name: string | undefined): boolean => name !== undefined && foldedName(name) === key
  const isMeant = ({ name, command }: { readonly name: string; readonly command: Command }): boolean =>
    [name, command.name, command.displayName, ...command.aliases].some(isAsked)
  // The first collision of each command counts.
  const losses = new Map(catalog.collisions.toReversed().map(collision => [collision.loser.command, collision]))
  const wins = new Map<Command | undefined, Collision[]>()
  for (const collision of catalog.collisions) put(wins, collision.winner.command, collision)
  const answers: Answer[] = []
  const add = (status: Status, found: Found, rule: string, reasons: readonly Reason[], winner?: CatalogEntry): void => {
    const { name, command, provider } = found
    answers.push({
      status,
      name,
      source: command?.source,
      provider,
      path: command === undefined ? found.path : pathOf(command).path,
      command,
      chosenBy: rule,
      isListed: reasons.length === 0,
      notListedBecause: reasons,
      shadows: (wins.get(command) ?? []).map(({ loser }) => refTo(loser)),
      shadowedBy: winner && refTo(winner),
    })
  }

  const exact = catalog.get(query)
  for (const entry of [...catalog.entries, ...catalog.found]
    .filter(isMeant)
    .toSorted((a, b) => Number(b === exact) - Number(a === exact))) {
    const lost = losses.get(entry.command)
    const won = wins.get(entry.command)?.[0]
    const rule =
      (lost ?? won)?.reason ??
      (entry.isQualified
        ? 'Its plain name is reserved.'
        : entry.isFound === true
          ? `No listed command has this name, so "${entry.provider}" was asked for it.`
          : 'No other command has this name.')
    add(entry.isQualified ? 'qualified' : 'active', entry, rule, reasonsOf(entry), lost?.winner)
  }
  for (const { loser, winner, name, rule, reason, reachableAs } of catalog.collisions) {
    if (reachableAs !== undefined || !isMeant({ ...loser, name })) continue
    const text = `${sameness[rule]} "${winner.name}" of ${winner.command.source}.`
    const status = rule === 'precedence' ? 'shadowed' : 'duplicate'
    add(status, { ...loser, name }, reason, [{ cause: 'shadowed', text }], winner)
  }
  for (const entry of catalog.disabled.filter(isMeant)) {
    const [cause, text] =
      entry.barred !== undefined
        ? (['gate', entry.barred] as const)
        : entry.override === 'off'
          ? (['override', `The configuration switches "${entry.name}" off.`] as const)
          : (['disabled', `"${entry.name}" is switched off in its own file or by its source.`] as const)
    add('disabled', entry, text, [{ cause, text }])
  }
  const fileOf = ({ path, provider }: Pick<CommandRef, 'path' | 'provider'>): string => path ?? `\0${provider}`
  const answered = new Set(answers.map(fileOf))
  for (const { name = query, path, provider, message } of catalog.errors.filter(error => isAsked(error.name))) {
    if (answered.size === answered.add(fileOf({ path, provider })).size) continue
    add('failed', { name, path, provider }, 'It did not load.', [{ cause: 'error', text: message }])
  }
  // A file that has another answer now, such as a parse error, is not gone.
  const placeOf = ({ provider, path, name }: CommandRef): string => `${provider}:${path ?? name}`
  const told = new Set(answers.map(placeOf))
  for (const entry of gone.values()) {
    if (!isMeant(entry) || told.has(placeOf({ ...entry, ...pathOf(entry.command) }))) continue
    const text = `A reload at ${new Date(entry.since).toISOString()} no longer found this command.`
    add('gone', entry, text, [{ cause: 'removed', text }])
  }
  return withProblems(answers, [...catalog.errors, ...catalog.warnings])
}

/** Adds to each answer the problems of its file, and those with its name from the same folder. */
function withProblems(answers: readonly Answer[], problems: readonly Diagnostic[]): readonly ExplainAnswer[] {
  const nameOf = ({ name, command }: Answer): string => (command ?? { name }).name
  const names = new Set(answers.map(nameOf))
  const placed = new Map<string, Diagnostic[]>()
  for (const problem of problems) {
    const { path = '', provider, name = '' } = problem
    put(placed, path, problem)
    // A folder ends with `/`; the empty one stands for any place.
    if (names.has(name))
      for (const { index } of path.matchAll(/^|(?<=\/)/g))
        put(placed, `${provider}\0${name}\0${path.slice(0, index)}`, problem)
  }
  return answers.map(answer => {
    const { path = '\0', provider } = answer
    const beside = `${provider}\0${nameOf(answer)}\0${path.replace(/[^/]+$/, '')}`
    return { ...answer, diagnostics: [...new Set([path, beside].flatMap(key => placed.get(key) ?? []))] }
  })
}

function put<Key, Value>(placed: Map<Key, Value[]>, key: Key, value: Value): void {
  if (placed.get(key)?.push(value) === undefined) placed.set(key, [value])
}

const sameness = {
  'same-file': 'It is the same file as',
  'same-text': 'It has the same text as',
  precedence: 'Its name belongs to',
}

function refTo({ command, provider }: Collision['loser']): CommandRef {
  const { name, source } = command
  return { name, source, provider, ...pathOf(command) }
}
