import type { CommandRef, Diagnostic, Incomplete, Note, Place, Reason, Status } from '@skills/core'
import type { CommandFields } from '@skills/core/fields'
import type { ListedField } from '@skills/core/internal'
import type { EvalReport } from '@skills/evals'
import type { AuditedSkill, Compat } from '@skills/inspect/internal'
import type { FoundRun } from '@skills/runs/internal'
import type { ToldSkill } from '@skills/invocation/internal'
import type { RunAnswer, RunEntry, RunRecord } from '@skills/runs'

// Messages between the server and the page: the JSON of the commands of the same names, and nothing else.

/** Fields as JSON. A missing value is null, or an empty list. */
type FieldsJson<Fields> = {
  readonly [Key in keyof Fields]-?: NonNullable<Fields[Key]> extends readonly unknown[]
    ? NonNullable<Fields[Key]>
    : NonNullable<Fields[Key]> | null
}

/** One skill of `skills list --json`. Missing values are null. */
export interface SkillJson extends FieldsJson<Pick<CommandFields & { readonly description: string }, ListedField>> {
  readonly name: string
  readonly displayName: string
  readonly state: Status
  readonly source: string | null
  readonly path: string | null
  readonly shadowedBy: CommandRef | null
  readonly reason: string | null
  /** Values of the host's own fields, by name. Only if the skill sets one. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
}

/** Part of a skill that the model is told, with numbers in UTF-16 code units. Missing values are null. */
export interface ToldJson extends Pick<ToldSkill, 'told' | 'chars' | 'of'> {
  readonly cause: NonNullable<ToldSkill['cause']> | null
  readonly because: string | null
  readonly remedy: string | null
  /** File that sets this. */
  readonly path: string | null
}

/** One line of the list, with the number of problems in its file, and what the model is told of it. */
export type SkillRow = Pick<SkillJson, 'name' | 'state' | 'source' | 'description' | 'path' | 'reason'> & {
  readonly told: Pick<ToldJson, 'told' | 'cause' | 'chars' | 'of'>
  readonly errors: number
  readonly warnings: number
}

/** One skill that has a name, lost it to another skill, or had it before, as in `skills explain --json`. */
export interface LayerJson extends SkillJson {
  /** Reason for its state, as a sentence. */
  readonly reason: string
  readonly shadows: readonly CommandRef[]
  readonly isListed: boolean
  readonly notListedBecause: readonly Reason[]
  readonly told: ToldJson
  readonly diagnostics: readonly Diagnostic[]
}

/** Output of `skills explain NAME --json`. */
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

/** One row of the tree of a skill's requirements. */
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

/** Everything known about one skill. */
export interface SkillPage {
  readonly explanation: ExplanationJson
  /** The layer that is shown, with all its fields, as in `skills show --json`. Null if it did not load. */
  readonly shown: (SkillJson & { readonly body: string | null } & Readonly<Record<string, unknown>>) | null
  /** Diagnostics of `skills lint` for its file. */
  readonly problems: readonly Diagnostic[]
  /** Text of its file before and after the repair. Null if there is no repair. */
  readonly repair: { readonly before: string; readonly after: string } | null
  /** Audit of the skill. Null if it did not load. */
  readonly audit: AuditedSkill | null
  /** True if its place is shown, so that it can be edited here. */
  readonly isEditable: boolean
  /** Reading of its body. Only in a report, which has no server to ask. */
  readonly reading?: Reading | undefined
}

/** HTML elements that the text of a skill may become. */
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

/** Part of a text that was parsed as Markdown. */
export type ReadNode =
  | string
  | {
      readonly tag: ReadTag
      readonly children: readonly ReadNode[]
      /** Address of a link to the web. It begins with http: or https:. */
      readonly href?: string
      /** First number of a list, if it is not 1. */
      readonly start?: number
    }

/**
 * Text that was parsed as Markdown, or the reason why the text is shown unformatted and whether a longer time limit may
 * help.
 */
export type Reading =
  | { readonly nodes: readonly ReadNode[] }
  | { readonly problem: string; readonly mayTakeLonger: boolean }

export interface ListingAsked {
  /** Agent, as `about` names it. Default: the distribution that is shown. */
  readonly agent?: string | undefined
  /** Size of the context window in tokens. Default: that of the other answers. */
  readonly contextWindow?: number | undefined
  /** Names to treat as pinned, and as switched off. */
  readonly pinned?: readonly string[] | undefined
  readonly off?: readonly string[] | undefined
}

/** Output of `skills listing --json`. */
export interface ListingJson {
  /** Text exactly as a model gets it. */
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
    /** Characters of description and when-to-use in the text, of how many. */
    readonly toldChars: number
    readonly ofChars: number
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

/** Cost of one listed skill. */
export interface ListedCost {
  readonly name: string
  /** Tokens that it costs in each turn, estimated. */
  readonly tokens: number
}

/** Skill file with a repair that `skills lint --fix` would write. */
export interface Repairable {
  readonly name: string
  readonly path: string
  /** Problems that the repair removes or leaves, a sentence each. */
  readonly problems: readonly string[]
}

/** File that is nearly a skill and is not read. */
export interface AlmostSkill extends Diagnostic {
  /** Path that makes it a skill, as `skills doctor --fix` would move it; null if a person has to decide. */
  readonly to: string | null
}

/** File that this page moved, and can move back. */
export interface MovedFile {
  readonly from: string
  readonly to: string
}

/** State of all skills together: what they cost, what waits for trust, and what to repair. */
export interface Health {
  /** Tokens of the window for which the page says what a model is told. */
  readonly contextWindow: number
  /** Costs of the listed skills, in the order of the listing. */
  readonly costs: readonly ListedCost[]
  /** Names of skills that want more than to be read, and whose folder is not trusted. */
  readonly needsTrust: readonly string[]
  /** Number of skills that were not asked about trust. */
  readonly unasked: number
  readonly almost: readonly AlmostSkill[]
  /** Files that were moved from this page, the last one first. */
  readonly moved: readonly MovedFile[]
  readonly repairs: readonly Repairable[]
  /** Number of files with problems that were not looked at for a repair. */
  readonly unchecked: number
}

/** Most files of a folder that a person gives to the page. A folder with more is not one of skills. */
export const mostGivenFiles = 5_000

/** File of a folder that a person gave to the page. The bytes of files that are no skill files are not sent. */
export interface GivenFile {
  /** Path from the folder, which is its first part. */
  readonly path: string
  /** Bytes in Base64. Absent: only the name is known. */
  readonly bytes?: string | undefined
}

/** Skill that was found in a folder that a person gave, or a file that was meant as one. */
export interface GivenSkill {
  readonly name: string
  /** Path from the folder. */
  readonly path: string
  /** True if a source loads it. */
  readonly isLoaded: boolean
  readonly problems: readonly Diagnostic[]
  /** Skill of this name that the page shows, with the reason why it is or is not told to the model. */
  readonly here:
    | (Pick<LayerJson, 'state' | 'source' | 'path' | 'isListed'> & { readonly why: string; readonly isSame: boolean })
    | null
}

/** Answer to "why does this not show?". Nothing is written. */
export interface GivenJson {
  readonly skills: readonly GivenSkill[]
  /** Files that are nearly skills, and problems of the folder. */
  readonly others: readonly Diagnostic[]
  /** Folders in which the skills would be found, the project's first. */
  readonly places: readonly string[]
}

/** Subject of the page: the distribution, its folders and sources. */
export interface About {
  readonly version: string
  readonly distribution: string
  readonly cwd: string
  readonly home: string
  readonly precedence: readonly string[]
  readonly places: readonly (Place & { readonly provider: string })[]
  readonly incomplete: readonly Incomplete[]
  /** Problems outside of skill files: of sources, servers, plugins, the configuration. */
  readonly problems: readonly Diagnostic[]
  /** Distributions for which a listing can be requested. */
  readonly agents: readonly string[]
}

/** Content of a file, for editing. */
export interface FileJson {
  readonly path: string
  readonly text: string
  /** Version of these bytes. It is sent back with a save, which is refused if the file has changed. */
  readonly version: string
}

/** Result of checking an edited text before it is saved. */
export interface DraftJson {
  readonly problems: readonly Diagnostic[]
  /** Its lines in a listing with room for everything. Null if it would not load. */
  readonly told: string | null
}

export type Saved = { readonly version: string } | { readonly problem: Diagnostic }

/** Result of moving a file; `problem` is the reason why it stays, as a sentence. */
export type Moved = MovedFile | { readonly problem: string }

export interface RunPage {
  readonly run: RunRecord
  readonly journal: readonly RunEntry[]
  /** True if no process works on it, and it waits for one. */
  readonly isParked: boolean
}

/** Last evaluation with a model. Null if there is none, or if its file is not a report. */
export interface EvalsJson {
  readonly report: EvalReport | null
}

/**
 * Answers to the questions of a page. Each method is one address of the server. A host implements these methods;
 * `skills ui` answers with the JSON of its commands. A method rejects with a SkillsError if the skill, run or file does
 * not exist.
 */
export interface UiAnswers {
  about(asked: Record<string, never>): Promise<About>
  skills(asked: Record<string, never>): Promise<Iterable<SkillRow>>
  /** @param asked.path one of several files of a name; default: the one that has the name */
  skill(asked: { readonly name: string; readonly path?: string | undefined }): Promise<SkillPage>
  listing(asked: ListingAsked): Promise<ListingJson>
  health(asked: Record<string, never>): Promise<Health>
  compat(asked: Record<string, never>): Promise<Compat>
  /** Compares the agents for one skill alone. */
  agents(asked: { readonly name: string; readonly path?: string | undefined }): Promise<Compat>
  /** Says why the skills of a folder that is not on this page do or do not show. */
  given(asked: { readonly files: readonly GivenFile[] }): Promise<GivenJson>
  audit(asked: Record<string, never>): Promise<Iterable<AuditedSkill>>
  /** Returns the requirements of every skill that has some. */
  needs(asked: Record<string, never>): Promise<readonly ({ readonly name: string } & NeedsJson)[]>
  evals(asked: Record<string, never>): Promise<EvalsJson>
  runs(asked: Record<string, never>): Promise<readonly FoundRun[]>
  run(asked: { readonly id: string }): Promise<RunPage>
  answer(asked: { readonly id: string; readonly question: string; readonly answer: RunAnswer }): Promise<RunPage>
  file(asked: { readonly path: string }): Promise<FileJson>
  check(asked: { readonly path: string; readonly text: string }): Promise<DraftJson>
  save(asked: { readonly path: string; readonly text: string; readonly version: string }): Promise<Saved>
  /**
   * Moves a file that is nearly a skill to the path that makes it one.
   * @param asked.isBack true to move it back, which is possible for files that were moved from this page
   */
  move(asked: { readonly path: string; readonly isBack?: boolean | undefined }): Promise<Moved>
}

/**
 * Answers to all questions of a page: the questions that the host answers, and those that the server answers itself.
 */
export interface PageAnswers extends UiAnswers {
  reading(asked: { readonly text: string; readonly isLonger?: boolean | undefined }): Promise<Reading>
}

export type Question = keyof PageAnswers
export type PageQuestion<Name extends Question> = Parameters<PageAnswers[Name]>[0]
export type PageAnswer<Name extends Question> = Said<Awaited<ReturnType<PageAnswers[Name]>>>
/** Values sent piece by piece arrive as a list. */
type Said<Value> = Value extends readonly unknown[] ? Value : Value extends Iterable<infer Row> ? readonly Row[] : Value

/** Subject of a change. After a change the page asks again for everything that it shows. */
export type Change = 'skills' | 'runs'

/** Content of a report: the answers to the questions of a page. */
export interface Report {
  readonly answers: Readonly<Record<string, unknown>>
  /** Reasons for missing answers, a sentence each, such as for a skill that cannot be read. */
  readonly unanswered: Readonly<Record<string, string>>
  /** Time at which it was made, in ISO 8601. */
  readonly at: string
}

/** Returns the key of an answer in a report. */
export function keyOf(question: Question, asked: object = {}): string {
  const said = Object.entries(asked).filter(([, value]) => value !== undefined)
  return said.length === 0 ? question : `${question} ${JSON.stringify(said)}`
}
