import type { CommandRef, Diagnostic, Incomplete, Note, Place, Reason, Status } from '@skills/core'
import type { CommandFields } from '@skills/core/fields'
import type { ListedField } from '@skills/core/internal'
import type { EvalReport } from '@skills/evals'
import type { AuditedSkill, Compat } from '@skills/inspect/internal'
import type { FoundRun } from '@skills/runs/internal'
import type { RunAnswer, RunEntry, RunRecord } from '@skills/runs'

// What the server and the page say to each other: the JSON of the commands of the same names, and nothing besides.

/** Fields as JSON has them: null, or an empty list, where there is nothing to say. */
type FieldsJson<Fields> = {
  readonly [Key in keyof Fields]-?: NonNullable<Fields[Key]> extends readonly unknown[]
    ? NonNullable<Fields[Key]>
    : NonNullable<Fields[Key]> | null
}

/** One skill of `skills list --json`. Null where there is nothing to say. */
export interface SkillJson extends FieldsJson<Pick<CommandFields & { readonly description: string }, ListedField>> {
  readonly name: string
  readonly displayName: string
  readonly state: Status
  readonly source: string | null
  readonly path: string | null
  readonly shadowedBy: CommandRef | null
  readonly reason: string | null
  /** Values of fields of the host, by name: only of a skill that sets one. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
}

/** One line of the list, with how many problems its file has. */
export type SkillRow = Pick<SkillJson, 'name' | 'state' | 'source' | 'description' | 'path' | 'reason'> & {
  readonly errors: number
  readonly warnings: number
}

/** One place that has, wanted or had a name, as `skills explain --json` tells it. */
export interface LayerJson extends SkillJson {
  /** Why it stands where it stands: a sentence. */
  readonly reason: string
  readonly shadows: readonly CommandRef[]
  readonly isListed: boolean
  readonly notListedBecause: readonly Reason[]
  readonly diagnostics: readonly Diagnostic[]
}

/** `skills explain NAME --json`. */
export interface ExplanationJson {
  readonly query: string
  /** The one that has the name first, then in order of precedence. */
  readonly answers: readonly LayerJson[]
  readonly notes: readonly Note[]
  readonly suggestions: readonly string[]
  readonly incomplete: readonly Incomplete[]
  readonly distribution: string
  readonly precedence: readonly string[]
  readonly places: readonly Place[]
}

/** One row of the tree of what a skill requires. */
export interface NeedJson {
  readonly wanted: string
  readonly depth: number
  readonly status: 'met' | 'shown' | 'cycle' | 'missing' | 'ambiguous'
  readonly name: string | null
  readonly source: string | null
  readonly path: string | null
  readonly cycle: readonly string[] | null
  readonly hint: string | null
}

export interface NeedsJson {
  readonly rows: readonly NeedJson[]
  readonly more: number
  readonly cycles: readonly (readonly string[])[]
}

/** One skill with all that is known of it. */
export interface SkillPage {
  readonly explanation: ExplanationJson
  /** The layer that is shown, with all its fields, as `skills show --json` has them; null of what did not load. */
  readonly shown: (SkillJson & { readonly body: string | null } & Readonly<Record<string, unknown>>) | null
  /** What `skills lint` says of its file. */
  readonly problems: readonly Diagnostic[]
  /** What the repair of its file changes; null where there is none. */
  readonly repair: { readonly before: string; readonly after: string } | null
  /** What it can do; null of what did not load. */
  readonly audit: AuditedSkill | null
  /** Whether it lies in a place that is shown, so that it can be edited here. */
  readonly isEditable: boolean
  /** In a report: how its body reads, which there is no server to ask for. */
  readonly reading?: Reading | undefined
}

/** Elements that a text of a skill may become. */
export type ReadTag =
  | 'p'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'
  | 'em'
  | 'strong'
  | 'small'
  | 'blockquote'
  | 'ul'
  | 'ol'
  | 'li'
  | 'code'
  | 'pre'
  | 'br'
  | 'hr'
  | 'a'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'

/** A piece of a text that was read as Markdown. */
export type ReadNode =
  | string
  | {
      readonly tag: ReadTag
      readonly children: readonly ReadNode[]
      /** Of a link to the web alone: it begins with http: or https:. */
      readonly href?: string
      /** Of a list whose first number is another than 1. */
      readonly start?: number
    }

/** A text read as Markdown; or why it is shown as it is, and whether it may be read where it may take longer. */
export type Reading =
  | { readonly nodes: readonly ReadNode[] }
  | { readonly problem: string; readonly mayTakeLonger: boolean }

export interface ListingAsked {
  /** As `about` names it. Default: the distribution that is shown. */
  readonly agent?: string | undefined
  /** Tokens. */
  readonly contextWindow?: number | undefined
  /** Names that are tried as pinned, and as switched off. */
  readonly pinned?: readonly string[] | undefined
  readonly off?: readonly string[] | undefined
}

/** `skills listing --json`. */
export interface ListingJson {
  /** To the letter. */
  readonly text: string
  readonly place: string
  readonly contextWindow: number | null
  readonly budgetChars: number | null
  readonly usedChars: number
  readonly entries: readonly {
    readonly name: string
    readonly source: string | null
    readonly shown: 'whole' | 'cut' | 'name'
    readonly chars: number
    readonly text: string
  }[]
  readonly sources: readonly { readonly source: string; readonly chars: number; readonly entries: number }[]
  readonly omitted: readonly LeftOut[]
  readonly truncated: readonly LeftOut[]
  readonly kept: readonly { readonly name: string; readonly source: string; readonly reasons: readonly Reason[] }[]
}

export interface LeftOut {
  readonly name: string
  readonly source: string | null
  readonly cause: 'budget' | 'strategy'
}

/** What is shown, and from where. */
export interface About {
  readonly version: string
  readonly distribution: string
  readonly cwd: string
  readonly home: string
  readonly precedence: readonly string[]
  readonly places: readonly (Place & { readonly provider: string })[]
  readonly incomplete: readonly Incomplete[]
  /** What concerns no file of a skill: sources, servers, plugins, the configuration. */
  readonly problems: readonly Diagnostic[]
  /** Distributions that a listing can be asked of. */
  readonly agents: readonly string[]
}

/** A file as it is, for editing. */
export interface FileJson {
  readonly path: string
  readonly text: string
  /** Of these bytes: given back when it is saved. */
  readonly version: string
}

/** What a text would be, were it saved. */
export interface DraftJson {
  readonly problems: readonly Diagnostic[]
  /** What a model would be told of it: its lines in a listing with room for all; null where it would not load. */
  readonly told: string | null
}

export type Saved = { readonly version: string } | { readonly problem: Diagnostic }

export interface RunPage {
  readonly run: RunRecord
  readonly journal: readonly RunEntry[]
  /** Whether no process works on it, so that it waits for one. */
  readonly isParked: boolean
}

/** The last evaluation with a model; null where there is none, or its file is none. */
export interface EvalsJson {
  readonly report: EvalReport | null
}

/**
 * What a page asks its host: each method is one address of the server. A host of its own implements it; `skills ui`
 * does so with the JSON of its commands. Rejects with a SkillsError for what there is not.
 */
export interface UiAnswers {
  about(asked: Record<string, never>): Promise<About>
  skills(asked: Record<string, never>): Promise<Iterable<SkillRow>>
  /** @param asked.path which of several files of a name; default: the one that has it */
  skill(asked: { readonly name: string; readonly path?: string | undefined }): Promise<SkillPage>
  listing(asked: ListingAsked): Promise<ListingJson>
  compat(asked: Record<string, never>): Promise<Compat>
  audit(asked: Record<string, never>): Promise<Iterable<AuditedSkill>>
  /** Of every skill that requires another. */
  needs(asked: Record<string, never>): Promise<readonly ({ readonly name: string } & NeedsJson)[]>
  evals(asked: Record<string, never>): Promise<EvalsJson>
  runs(asked: Record<string, never>): Promise<readonly FoundRun[]>
  run(asked: { readonly id: string }): Promise<RunPage>
  answer(asked: { readonly id: string; readonly question: string; readonly answer: RunAnswer }): Promise<RunPage>
  file(asked: { readonly path: string }): Promise<FileJson>
  check(asked: { readonly path: string; readonly text: string }): Promise<DraftJson>
  save(asked: { readonly path: string; readonly text: string; readonly version: string }): Promise<Saved>
}

/** All that a page asks: what its host answers, and what the server answers by itself. */
export interface PageAnswers extends UiAnswers {
  reading(asked: { readonly text: string; readonly isLonger?: boolean | undefined }): Promise<Reading>
}

export type Question = keyof PageAnswers
export type PageQuestion<Name extends Question> = Parameters<PageAnswers[Name]>[0]
export type PageAnswer<Name extends Question> = Said<Awaited<ReturnType<PageAnswers[Name]>>>
/** What is sent piece by piece arrives as a list. */
type Said<Value> = Value extends readonly unknown[] ? Value : Value extends Iterable<infer Row> ? readonly Row[] : Value

/** What changed, as the page is told of it: it asks again for what it shows. */
export type Change = 'skills' | 'runs'

/** What stands in a report: the answers to what a page would have asked. */
export interface Report {
  readonly answers: Readonly<Record<string, unknown>>
  /** Why there is no answer, in a sentence: of a skill that cannot be read. */
  readonly unanswered: Readonly<Record<string, string>>
  /** When it was made, as ISO 8601. */
  readonly at: string
}

/** By which an answer is found in a report. */
export function keyOf(question: Question, asked: object = {}): string {
  const said = Object.entries(asked).filter(([, value]) => value !== undefined)
  return said.length === 0 ? question : `${question} ${JSON.stringify(said)}`
}
