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
  const problems = [...catalog.errors, ...catalog.warnings]
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
    // Those of its file, and those by its name of what lies beside it.
    const isOwn = ({ path: at = '', ...by }: Diagnostic): boolean =>
      at === path ||
      (by.provider === provider &&
        by.name === (command ?? found).name &&
        at.startsWith(path?.replace(/[^/]+$/, '') ?? ''))
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
      shadows: catalog.collisions
        .filter(collision => collision.winner.command === command)
        .map(({ loser }) => refTo(loser)),
      shadowedBy: winner && refTo(winner),
      diagnostics: problems.filter(isOwn),
    })
  }

  const exact = catalog.get(query)
  for (const entry of catalog.entries.filter(isMeant).toSorted((a, b) => Number(b === exact) - Number(a === exact))) {
    const lost = catalog.collisions.find(({ loser }) => loser.command === entry.command)
    const won = catalog.collisions.find(({ winner }) => winner.command === entry.command)
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
  for (const { name = query, path, provider, message } of catalog.errors.filter(error => isAsked(error.name))) {
    if (answers.some(other => other.path === path && (path !== undefined || other.provider === provider))) continue
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
