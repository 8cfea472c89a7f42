import { isAbsolute } from 'node:path'
import {
  nameKey,
  type CatalogEntry,
  systemClock,
  SkillsError,
  type CallContext,
  type Clock,
  type Diagnostic,
} from '@skills/core'
import { escapeContent, formatRule, parseRule, type Behavior } from '@skills/rules'
import {
  knownFileTools,
  type FileTools,
  type Rule,
  type RuleOptions,
  broadProbe,
  strictProbe,
  type Candidate,
  type PathPlace,
  type Probe,
} from '@skills/rules/internal'
import {
  readRule,
  SettingsFiles,
  topOf,
  unreadable,
  withFewProblems,
  type Reading,
  type ReadSettings,
  type SettingsFile,
} from './settings-files.js'
import { sourceNames } from '@skills/files/source'
import type { PermissionRequest } from '@skills/rules'
import type { Change } from './settings.js'

/** Returns the name of a command with its source, as a saved rule names it: `user:deploy`. */
function boundName({ name, command: { source } }: CatalogEntry): string {
  return name.startsWith(`${source}:`) ? name : `${source}:${name}`
}

/**
 * Returns the names by which a rule may allow a command: its canonical name, and the canonical name with its source. A
 * name that looks like that of another source is left out, because a plugin named `user` must not pass for the user.
 */
export function allowedNames(entry: CatalogEntry): readonly Candidate[] {
  const name = nameKey(entry.name)
  const { source, loadedFrom } = entry.command
  const [first, ...rest] = name.split(':')
  const claims = rest.length > 0 && first !== undefined && sourceNames.includes(first) && first !== source
  const isForeign = claims || (name.startsWith('mcp__') && source !== 'mcp' && loadedFrom !== 'mcp')
  const bound = { text: nameKey(boundName(entry)), from: source.length }
  return isForeign ? [bound] : name === bound.text ? [{ ...bound, from: 0 }] : [{ text: name, from: 0 }, bound]
}

/** Returns the names by which a rule may forbid a command: every name of the command, in lower case, and the same behind `skill:`. */
export function forbiddenNames(entry: CatalogEntry): readonly Candidate[] {
  const { name, command } = entry
  const { source, displayName, aliases } = command
  const found = new Map<string, Candidate>()
  const add = (text: string, from: number): void => {
    const key = nameKey(text).toLowerCase()
    if ((found.get(key)?.from ?? 1) > 0) found.set(key, { text: key, from })
  }
  for (const one of [name, command.name, displayName, ...aliases]) add(one, 0)
  for (const one of [boundName(entry), `${source}:${command.name}`]) add(one, source.length)
  // A rule may name the parameter of the tool: Skill(skill:deploy).
  const names = [...found.values()]
  for (const { text } of names) add(`skill:${text}`, 'skill'.length)
  return [...found.values()]
}

/** Rules to add or to remove, in the shape of a suggestion. */
export interface RuleUpdate {
  readonly behavior: Behavior
  /** Rules as they are written, or in two parts. */
  readonly rules: readonly (string | { readonly toolName: string; readonly ruleContent?: string | undefined })[]
  /** `source` of the settings file that `save` writes them to. Default `session`: they end with this object. */
  readonly destination?: string | undefined
}

export type WrittenRule = string | { readonly rule: string; readonly source: string }

export interface GivenRules extends Partial<Readonly<Record<Behavior, readonly WrittenRule[] | undefined>>> {
  readonly files?: readonly SettingsFile[] | undefined
  /**
   * Tools of the host whose rules are about files, such as `{ ReadFile: 'reads', Find: 'searches', Save: 'edits' }`,
   * besides Read, Edit, Write, Glob, Grep and similar ones. Default: none.
   */
  readonly fileTools?: FileTools | undefined
  /**
   * Meaning of `*` in an allow rule for a shell. `end` (default): only `:*` and ` *` at the end are open; `anywhere`:
   * each `*` is any text.
   */
  readonly asterisks?: RuleOptions['asterisks']
  /**
   * Files whose rules the host could not read, each with a clause that says why. While there is one, everything is
   * asked about unless a rule denies it. Default: none.
   */
  readonly unreadable?: readonly { readonly source: string; readonly problem: string }[] | undefined
}

/** Rules of one moment. */
export interface RulesNow {
  /**
   * Rules that count without trust in the project: those of options, session and files, and what the project's own
   * files deny.
   */
  readonly rules: readonly Rule[]
  /** Allow and ask rules of project files, separate for each file. */
  readonly ofProject: readonly { readonly file: SettingsFile; readonly rules: readonly Rule[] }[]
  readonly problems: readonly Omit<Diagnostic, 'provider'>[]
}

const session = 'session'
/** Milliseconds for which one call uses the same rules: it may ask about thousands of skills. */
const momentMs = 100

/**
 * Keeps all rules: rules that the host gives at the start, rules that it adds later, and rules of settings files. See
 * docs/reference/permissions.md, "Permissions".
 */
export class RuleBook {
  readonly #given: Pick<ReadSettings, 'rules' | 'problems'>
  readonly #files: SettingsFiles
  /** Changes that are not in a file yet, by destination, the oldest first. */
  readonly #changes = new Map<string, readonly Change[]>()
  #version = 0
  /** Times when settings files were last checked for a call. */
  readonly #looks = new WeakMap<CallContext, { readonly at: number; readonly version: number }>()
  #now: { readonly version: number; readonly settings: readonly ReadSettings[]; readonly rules: RulesNow } | undefined
  clock: Clock = systemClock

  readonly #reading: Reading

  constructor({ files = [], unreadable: closed = [], fileTools, asterisks, ...given }: GivenRules) {
    checkFiles(files)
    this.#reading = { fileTools, asterisks }
    this.#files = new SettingsFiles(files, this.#reading)
    const all = (['deny', 'ask', 'allow'] as const).flatMap(behavior =>
      listOf(given[behavior], behavior).map(written => {
        const { rule, source } = typeof written === 'string' ? { rule: written, source: 'options' } : written
        return readRule(rule, behavior, source, this.#reading)
      }),
    )
    const { rules, problems } = withFewProblems(all)
    this.#given = { rules: [...closed.map(({ source, problem }) => unreadable(source, problem)), ...rules], problems }
  }

  /**
   * Adds rules from now on. If one is refused, none is added.
   * @param bind command that the rules were accepted for: rules that allow are bound to its source, `Skill(deploy)`
   * becoming `Skill(user:deploy)`
   * @throws SkillsError `E_INVALID_OPTION` for an invalid rule, or a destination that no settings file has
   */
  addRules(update: RuleUpdate, bind?: CatalogEntry): void {
    this.#change(update, 'add', rule =>
      bind === undefined || update.behavior !== 'allow' ? rule : boundTo(bind, rule),
    )
  }

  /**
   * Removes rules that were added or that the destination has. Accepts invalid rules.
   * @throws SkillsError `E_INVALID_OPTION` for a destination that no settings file has
   */
  removeRules(update: RuleUpdate): void {
    this.#change(update, 'remove', rule => rule)
  }

  /** Returns all rules. Settings files are read again if they changed. */
  async listRules(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<readonly Rule[]> {
    const { rules, ofProject } = await this.current(undefined, options.signal)
    return [...rules, ...ofProject.flatMap(one => one.rules)]
  }

  /**
   * Writes the changes for a destination to its settings file, and keeps everything else in it, even text that was
   * written meanwhile.
   * @throws SkillsError `E_STATE` if the file cannot be read, parsed or written; the changes still hold, and can be
   * saved again. `E_INVALID_OPTION` for a destination that no settings file has
   */
  async save(destination: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    const file = this.#fileOf(destination)
    const changes = this.#changes.get(destination) ?? []
    if (changes.length === 0) return
    const { saveRules } = await import('./save-rules.js')
    await saveRules(file, changes, { clock: this.clock, signal })
    // Changes that came meanwhile are saved later.
    this.#changes.set(
      destination,
      (this.#changes.get(destination) ?? []).filter(change => !changes.includes(change)),
    )
    this.#files.forget(destination)
    this.#version++
  }

  /**
   * Returns the rules of now; the same object as before while nothing changed.
   * @param call questions of one call within a tenth of a second check the files once
   */
  async current(call?: CallContext, signal = call?.signal): Promise<RulesNow> {
    const version = this.#version
    const at = this.clock.now()
    const look = call && this.#looks.get(call)
    if (this.#now !== undefined && look?.version === version && at >= look.at && at - look.at < momentMs)
      return this.#now.rules
    const settings = this.#files.current(this.clock, signal)
    if (call !== undefined) this.#looks.set(call, { at, version })
    if (this.#now?.version === version && this.#now.settings === settings) return this.#now.rules
    const rules = this.#gather(settings)
    this.#now = { version, settings, rules }
    return rules
  }

  #gather(settings: readonly ReadSettings[]): RulesNow {
    const added = [...this.#changes].flatMap(([source, changes]) =>
      changes.flatMap(({ does, behavior, text }, at) =>
        does === 'add' && !changes.slice(at).some(later => undoes(later, behavior, text))
          ? readRule(text, behavior, source, { ...this.#reading, top: this.#topOf(source) }).rules
          : [],
      ),
    )
    const isKept = ({ source, behavior, text }: Rule): boolean =>
      !(this.#changes.get(source) ?? []).some(change => undoes(change, behavior, text))
    const read = settings.map(({ file, rules }) => ({
      file,
      rules: rules.filter(rule => isKept(rule) && !(file.onlyRestricts === true && rule.behavior === 'allow')),
    }))
    // A project's rule that denies always counts, even an invalid one.
    const isOpen = (file: SettingsFile, { behavior, broken }: Rule): boolean =>
      file.isProject !== true ||
      behavior === 'deny' ||
      (behavior === 'ask' && file.asks === true) ||
      broken !== undefined
    return {
      rules: [
        ...added,
        ...this.#given.rules,
        ...read.flatMap(({ file, rules }) => rules.filter(rule => isOpen(file, rule))),
      ],
      ofProject: read
        .map(({ file, rules }) => ({ file, rules: rules.filter(rule => !isOpen(file, rule)) }))
        .filter(({ rules }) => rules.length > 0),
      problems: [...this.#given.problems, ...settings.flatMap(({ problems }) => problems)],
    }
  }

  #change(
    { behavior, rules, destination = session }: RuleUpdate,
    does: Change['does'],
    finish: (rule: string) => string,
  ): void {
    if (destination !== session) this.#fileOf(destination)
    const changes = rules.map((rule): Change => ({
      does,
      behavior,
      text: finish(typeof rule === 'string' ? rule : formatRule(rule)),
    }))
    for (const { text } of does === 'add' ? changes : []) {
      const parsed = parseRule(text, behavior, {
        ...this.#reading,
        fileTools: { ...knownFileTools, ...this.#reading.fileTools },
      })
      if ('problem' in parsed) {
        throw new SkillsError(
          'E_INVALID_OPTION',
          `The ${behavior} rule ${JSON.stringify(text)} ${parsed.problem} (character ${parsed.at}).`,
          { hint: 'Write the rule as Skill(name), Skill(namespace:*) or Bash(git log *).' },
        )
      }
    }
    const before = this.#changes.get(destination) ?? []
    // A rule that the session added and removed leaves no trace, unless a file may have it.
    const kept =
      destination === session && does === 'remove'
        ? before.filter(one => !changes.some(({ text }) => one.behavior === behavior && one.text === text))
        : [...before, ...changes]
    this.#changes.set(destination, kept)
    this.#version++
  }

  /** Returns the folder of `/x`, so that a rule which is to be saved in a file has the same meaning there. */
  #topOf(source: string): string | undefined {
    const file = this.#files.files.find(one => one.source === source)
    return file && (file.top ?? topOf(file))
  }

  #fileOf(destination: string): SettingsFile {
    const { files } = this.#files
    const file = files.find(({ source }) => source === destination)
    if (file !== undefined) return file
    throw new SkillsError('E_INVALID_OPTION', `There is no settings file "${destination}".`, {
      hint:
        files.length === 0
          ? 'Name it in the option "files".'
          : `The settings files are ${files.map(({ source }) => `"${source}"`).join(', ')}.`,
    })
  }
}

function undoes(change: Change, behavior: Behavior, text: string): boolean {
  return change.does === 'remove' && change.behavior === behavior && change.text === text
}

function listOf(given: GivenRules[Behavior], behavior: Behavior): readonly WrittenRule[] {
  if (given === undefined || Array.isArray(given)) return given ?? []
  throw new SkillsError(
    'E_INVALID_OPTION',
    `The option ${behavior} of permissionRules() has to be a list, and is ${JSON.stringify(given)}.`,
    { hint: 'Give a list of rules.' },
  )
}

function checkFiles(files: readonly SettingsFile[]): void {
  const sources = files.map(({ source }) => source)
  const twice = sources.find((source, at) => source === session || sources.indexOf(source) !== at)
  if (twice !== undefined)
    throw new SkillsError(
      'E_INVALID_OPTION',
      `A settings file cannot be called "${twice}": something else has that name.`,
      { hint: 'Give each file a name of its own.' },
    )
  const relative = files.find(({ path }) => !isAbsolute(path))
  if (relative !== undefined)
    throw new SkillsError('E_INVALID_OPTION', `The path of "${relative.source}", ${relative.path}, is not absolute.`, {
      hint: 'Give the absolute path of the file.',
    })
}

/** Binds a rule about a skill's name to its source; any other rule stays as it is. */
function boundTo(entry: CatalogEntry, rule: string): string {
  const name = escapeContent(entry.name)
  const bound = escapeContent(boundName(entry))
  return (
    ['', ':*', ' *']
      .map(end => [`Skill(${name}${end})`, `Skill(${bound}${end})`] as const)
      .find(([plain]) => plain === rule)?.[1] ?? rule
  )
}

/** Context that rules about files need. */
export interface FileGround {
  readonly place?: PathPlace | undefined
  readonly fileTools?: FileTools | undefined
}

/** Makes the probe of a request that may be allowed, from the facts that are certain about the request. */
export function strictProbeOf(request: PermissionRequest, ground: FileGround): Probe {
  return request.tool === 'Skill'
    ? namesProbe('Skill', allowedNames(request.entry))
    : strictProbe({ ...request, ...ground })
}

/** Makes the probe of a request that may be forbidden, from everything that the request might mean. */
export function broadProbeOf(request: PermissionRequest, ground: FileGround): Probe | Promise<Probe> {
  return request.tool === 'Skill'
    ? namesProbe('skill', forbiddenNames(request.entry))
    : broadProbe({ ...request, ...ground })
}

/** Returns the probe of a skill without the names that begin with its source. */
export function withoutSources(probe: Probe): Probe {
  const { tools } = probe
  const [whole, open] = [probe.whole, probe.open].map(names => names.filter(({ from }) => from === 0))
  return tools[0] === 'Skill' && whole !== undefined && open !== undefined ? { ...probe, whole, open } : probe
}

function namesProbe(tool: string, names: readonly Candidate[]): Probe {
  const ofServers = names.flatMap(({ text }) => (text.startsWith('mcp__') ? [text] : []))
  return { tools: [tool, ...ofServers], whole: names, open: names }
}
