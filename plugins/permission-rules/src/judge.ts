import { dirname } from 'node:path'
import { slashes } from '@skills/files/internal'
import {
  isAbortError,
  messageOf,
  nameKey,
  promptCommand,
  type CatalogEntry,
  type PromptCommand,
  type SetupContext,
} from '@skills/core'
import { doesMore, firstGrantingField } from '@skills/invocation/internal'
import { isOwnTool } from '@skills/invocation'
import {
  broadForm,
  filesInScript,
  findEach,
  namedFilesProbe,
  RuleSet,
  type FileProbe,
  type FileTools,
  type Probe,
  type Rule,
  type RuleOptions,
  type RuleSetOptions,
} from '@skills/rules/internal'
import {
  isShell,
  splitAlternatives,
  type Behavior,
  type Permission,
  type PermissionDecision,
  type PermissionRequest,
} from '@skills/rules'
import { broadProbeOf, strictProbeOf, withoutSources, type FileGround } from './rule-book.js'
import { claimOf } from './project-claims.js'
import { readRule, type SettingsFile } from './settings-files.js'
import { suggestionsFor, type SuggestionOptions } from './suggestions.js'
import type { RuleBook, RulesNow } from './rule-book.js'
import type { WildcardRules } from './wildcard-rules.js'

// One import loads everything that decides.
export { explainDecision } from './explain-decision.js'
export { WildcardRules } from './wildcard-rules.js'

export interface JudgeOptions {
  readonly book: RuleBook
  readonly wildcards: WildcardRules
  readonly prefix: RuleSetOptions['prefix']
  /**
   * True if a skill that sets only harmless fields and embeds no command needs no rule. `unless-granting`: the same for
   * every trusted skill that sets no field which allows or denies tools or adds hooks; its commands are still asked
   * about.
   */
  readonly safe: boolean | 'unless-granting'
  readonly suggestions: SuggestionOptions
  /** Tools of the host whose rules are about files. */
  readonly fileTools?: FileTools | undefined
  /** Places where a `*` in a rule for a shell is a wildcard. */
  readonly asterisks?: RuleOptions['asterisks']
  /** Settings files whose allow rules cannot name the source of a skill. Default: none. */
  readonly plainIn?: ReadonlySet<string> | undefined
  /** True if several commands may share one pair of parentheses in a skill's allowed-tools. */
  readonly alternatives: boolean
  /** Decides whether the allow rules of a project's file count. Default: the trust provider is asked about the file. */
  readonly projectAllows?: ((file: SettingsFile) => boolean | PromiseLike<boolean>) | undefined
}

type Sets = Readonly<Record<Behavior, RuleSet>>
type Call = Parameters<Permission['check']>[1]

interface ProjectFile {
  readonly file: SettingsFile
  readonly rules: readonly Rule[]
  readonly sets: Sets
}

interface Compiled {
  readonly from: RulesNow
  /** Answers whether a skill is denied, as far as that was asked. */
  readonly denied: WeakMap<CatalogEntry, boolean>
  readonly own: Sets
  /** Rules of `own` that may name the source of a skill. */
  readonly naming: RuleSet
  readonly ofProject: readonly ProjectFile[]
}

/** Decides in the order deny, ask, allow, harmless, ask. See docs/reference/permissions.md, "Permissions". */
export class Judge implements Permission {
  #told: ReadonlySet<string> = new Set()
  readonly #granted = new WeakMap<readonly string[], RuleSet>()
  #compiled: Compiled | undefined

  readonly #ground: FileGround

  constructor(
    private readonly options: JudgeOptions,
    private readonly context: Pick<SetupContext<'trust' | 'executor'>, 'use' | 'report' | 'host'>,
  ) {
    this.#ground = { place: context.host, fileTools: options.fileTools }
    for (const { broken } of options.wildcards.rules) {
      if (broken === undefined) continue
      context.report({
        severity: 'error',
        type: 'validation',
        code: 'invalid-rule',
        message: `${broken.replace('the', 'The')}.`,
        hint: 'Until the rule is corrected, you are asked about every use that it may cover.',
      })
    }
  }

  async check(request: PermissionRequest, call: Call): Promise<PermissionDecision> {
    const { own, naming, ofProject: files } = await this.#rules(call)
    const { signal } = call
    const broad = await broadProbeOf(request, this.#ground)
    const wildcard = this.options.wildcards.find(request, broad, this.#ground)
    const said = (behavior: Behavior): Rule | undefined => (wildcard?.behavior === behavior ? wildcard : undefined)

    const denied = own.deny.find(broad)?.rule ?? said('deny')
    if (denied !== undefined) return ruled('deny', `${nameOf(denied)} denies ${whatOf(request)}.`, denied)
    if (request.tool !== 'Skill' && request.trust !== 'trusted' && request.isFree !== true) return neverRuns(request)

    const asked = own.ask.find(broad)?.rule ?? said('ask')
    if (asked !== undefined) return askedBy(request, asked)
    // Asked only when the decision depends on it, and then once.
    const trusted: ProjectFile[] = []
    for (const one of files) if (await this.#mayAllow(one.file, signal)) trusted.push(one)
    for (const { sets } of trusted) {
      const found = sets.ask.find(broad)?.rule
      if (found !== undefined) return askedBy(request, found)
    }

    const open = await this.#openFiles(request, broad.files, [own, ...trusted.map(one => one.sets)])
    if (open !== undefined) return open

    const strict = strictProbeOf(request, this.#ground)
    const agreed: RuleSet[] = []
    for (const one of trusted) agreed.push(await this.#agreedOf(one, signal))
    const covering = (probe: Probe): Rule | undefined => {
      const plain = this.options.plainIn === undefined ? probe : withoutSources(probe)
      return (
        own.allow.find(plain)?.rule ??
        naming.find(probe)?.rule ??
        this.#grantedRule(request, probe) ??
        agreed.map(set => set.find(plain)?.rule).find(rule => rule !== undefined)
      )
    }
    const mapped = said('allow')
    const each = mapped === undefined ? findEach(strict, covering) : { found: [mapped] }
    const allowing = 'found' in each ? each.found[0] : undefined

    // An allow rule about a whole tool does not cover unseen parts. A rule that names a command has to name what that
    // runs.
    const hidden =
      broad.unseen === undefined || allowing?.content.kind !== 'any'
        ? undefined
        : (own.deny.partial(broad)?.rule ??
          own.ask.partial(broad)?.rule ??
          this.options.wildcards.partial(request, broad) ??
          trusted.map(({ sets }) => sets.ask.partial(broad)?.rule).find(rule => rule !== undefined))
    if (hidden !== undefined) {
      return ruled(
        'ask',
        `${questionOf(request)} (the command that ${quoted(broad.unseen)} runs is not known beforehand, and ${nameOf(hidden, 'the')} may cover it)`,
        hidden,
      )
    }
    const doubt = allowing === undefined ? undefined : await this.#doubtAbout(request, signal)
    if (allowing !== undefined && doubt === undefined)
      return ruled('allow', `${nameOf(allowing)} allows ${whatOf(request)}.`, allowing)

    const harm = await this.#harmOf(request, signal)
    if (harm === undefined) {
      return {
        behavior: 'allow',
        message: `${whatOf(request)} needs no permission: it sets no field that needs permission, and embeds no command.`,
        decisionReason: { type: 'safe' },
      }
    }
    if (allowing !== undefined && doubt !== undefined) {
      return undecided(
        `${questionOf(request)} (${nameOf(allowing, 'the')} does not count: ${doubt})`,
        allowing,
        request.trust !== 'untrusted',
      )
    }
    // A rule that would allow it, but that the user has not agreed to.
    const unagreed =
      'lacking' in each
        ? trusted.map(({ sets }) => sets.allow.find(each.lacking)?.rule).find(rule => rule !== undefined)
        : undefined
    if (unagreed !== undefined)
      return undecided(
        `${questionOf(request)} (${nameOf(unagreed, 'the')} does not count: the rule is new or changed since the folder was trusted)`,
        unagreed,
      )
    const suggestions =
      request.trust === 'untrusted'
        ? []
        : suggestionsFor(request, { ...this.options.suggestions, files: strict.files?.files })
    const lacking = 'lacking' in each ? each.lacking.text : undefined
    const why = [
      ...(harm === '' ? [] : [harm]),
      ...(lacking === undefined ? [] : [`no rule covers the part ${quoted(lacking)}`]),
    ]
    const note = why.length === 0 ? '' : ` (${why.join('; ')})`
    return {
      behavior: 'ask',
      message: `${questionOf(request)}${note}`,
      decisionReason: { type: 'default' },
      ...(suggestions.length > 0 && { suggestions }),
    }
  }

  /**
   * Decides as the first question of {@link check}. Answers about entries are kept as long as the rules are the same.
   */
  async denied(entries: readonly CatalogEntry[], call: Call): Promise<ReadonlySet<CatalogEntry>> {
    const { own, from, denied } = await this.#rules(call)
    const { wildcards } = this.options
    if (wildcards.rules.length === 0 && !from.rules.some(({ behavior }) => behavior === 'deny')) return new Set()
    const isDenied = async (entry: CatalogEntry): Promise<boolean> => {
      const request: PermissionRequest = {
        tool: 'Skill',
        content: entry.name,
        entry,
        trust: 'trusted',
        caller: 'model',
        args: '',
      }
      const broad = await broadProbeOf(request, {})
      return own.deny.find(broad) !== undefined || wildcards.find(request, broad, {})?.behavior === 'deny'
    }
    for (const entry of entries) if (!denied.has(entry)) denied.set(entry, await isDenied(entry))
    return new Set(entries.filter(entry => denied.get(entry)))
  }

  /**
   * Returns the question about forbidden files that a call may reach in another way than by its path: a search through
   * the folder around them, a script that names them, a path that cannot be resolved.
   */
  async #openFiles(
    request: PermissionRequest,
    files: FileProbe | undefined,
    sets: readonly Sets[],
  ): Promise<PermissionDecision | undefined> {
    const forbidding = sets.flatMap(({ deny, ask }) => [deny, ask])
    const first = <T>(find: (set: RuleSet) => T | undefined): T | undefined => {
      for (const set of forbidding) {
        const found = find(set)
        if (found !== undefined) return found
      }
      return undefined
    }
    if (files !== undefined) {
      const partial = first(set => set.partialFiles(files))
      if (partial === undefined) return undefined
      if (files.unseen !== undefined)
        return askedBy(
          request,
          partial.rule,
          `the path of this call ${files.unseen}, and ${nameOf(partial.rule, 'the')} may cover it`,
        )
      const inside = files.isWhole ? first(set => set.findWithin(files)) : undefined
      return (
        inside &&
        askedBy(
          request,
          inside.rule,
          `it also searches ${quoted(inside.path)}, which ${nameOf(inside.rule, 'the')} covers`,
        )
      )
    }
    const { place } = this.#ground
    if (place === undefined || !isShell(request.tool) || !sets.some(({ deny, ask }) => deny.hasFiles || ask.hasFiles))
      return undefined
    const named = namedFilesProbe(await filesInScript(request.tool, request.content, request.values), place)
    const found = first(set => set.findFiles(named))
    return found && askedBy(request, found.rule, `it names a file that ${nameOf(found.rule, 'the')} covers`)
  }

  async #rules(call: Call): Promise<Compiled> {
    const from = await this.options.book.current(call)
    if (this.#compiled?.from === from) return this.#compiled
    // A problem that stays is reported once, and one that comes back is reported again.
    const told = this.#told
    this.#told = new Set(from.problems.map(problem => JSON.stringify(problem)))
    for (const problem of from.problems) if (!told.has(JSON.stringify(problem))) this.context.report(problem)
    const compiled: Compiled = {
      from,
      denied: new WeakMap(),
      own: this.#sets(from.rules),
      naming: this.#sets(from.rules.filter(({ source }) => this.options.plainIn?.has(source) !== true)).allow,
      ofProject: from.ofProject.map(({ file, rules }) => ({ file, rules, sets: this.#sets(rules) })),
    }
    this.#compiled = compiled
    return compiled
  }

  #sets(rules: readonly Rule[]): Sets {
    const { prefix } = this.options
    const set = (keep: (rule: Rule) => boolean, form: RuleSetOptions['form']): RuleSet =>
      new RuleSet(rules.filter(keep), { prefix, wins: 'first', form })
    return {
      deny: set(({ behavior, broken }) => behavior === 'deny' && broken === undefined, broadForm),
      // An invalid rule must not let anything pass unasked.
      ask: set(({ behavior, broken }) => behavior === 'ask' || broken !== undefined, broadForm),
      allow: set(({ behavior, broken }) => behavior === 'allow' && broken === undefined, nameKey),
    }
  }

  /**
   * Returns the rule of the skill's allowed-tools that permits an action. They never permit invoking the skill itself.
   */
  #grantedRule(request: PermissionRequest, probe: Probe): Rule | undefined {
    const { granted, tool, trust, entry } = request
    if (granted === undefined || tool === 'Skill' || trust !== 'trusted') return undefined
    let set = this.#granted.get(granted)
    if (set === undefined) {
      const { command, name } = entry
      const place = {
        name,
        ...(command.type === 'prompt' && command.filePath !== undefined && { path: command.filePath }),
      }
      const source = `allowed-tools of ${isOwnTool(request) ? 'the skills at work' : name}`
      const { fileTools, asterisks, alternatives } = this.options
      const texts = alternatives ? granted.flatMap(splitAlternatives) : granted
      const read = texts.map(one => readRule(one, 'allow', source, { fileTools, asterisks }))
      for (const { problems } of read)
        for (const problem of problems) this.context.report({ ...problem, ...place, field: 'allowed-tools' })
      set = new RuleSet(
        read.flatMap(({ rules }) => rules),
        { prefix: this.options.prefix, wins: 'first', form: nameKey },
      )
      this.#granted.set(granted, set)
    }
    return set.find(probe)?.rule
  }

  async #mayAllow(file: SettingsFile, signal: AbortSignal): Promise<boolean> {
    const { projectAllows } = this.options
    if (projectAllows !== undefined) return (await projectAllows(file)) === true
    // The file is trusted like a skill of the project in the same folder.
    const standIn = promptCommand({
      name: file.source,
      source: 'project',
      filePath: slashes(file.path),
      baseDir: slashes(dirname(file.path)),
      load: () => ({ blocks: [] }),
    })
    return (
      (await this.context.use('trust').first((trust, call) => trust.judge(standIn, false, call), { signal }))?.level ===
      'trusted'
    )
  }

  /**
   * Returns the allow rules of a project that were agreed to. A host that decides about the file itself decides about
   * all its rules.
   */
  async #agreedOf({ file, rules, sets }: ProjectFile, signal: AbortSignal): Promise<RuleSet> {
    const allow = rules.filter(({ behavior, broken }) => behavior === 'allow' && broken === undefined)
    if (this.options.projectAllows !== undefined || allow.length === 0) return sets.allow
    const counts = await this.context.use('trust').first(
      (trust, call) =>
        trust.agrees?.(
          allow.map(rule => claimOf(rule, file)),
          call,
        ),
      { signal },
    )
    return counts === undefined || allow.every((_, at) => counts[at] === true)
      ? sets.allow
      : this.#sets(allow.filter((_, at) => counts[at] === true)).allow
  }

  /** Returns why an allow rule does not count for a command; undefined if it does. */
  async #doubtAbout(request: PermissionRequest, signal: AbortSignal): Promise<string | undefined> {
    const {
      tool,
      entry: { command },
      trust,
      approved,
    } = request
    // Reading a text needs no trust.
    if (trust !== 'remote' && tool === 'Skill' && command.type === 'prompt')
      if ((await this.#effectOf(command, request, signal)) === undefined) return undefined
    if (trust === 'untrusted') return 'the skill is not trusted'
    if (command.type !== 'prompt') return undefined
    const verdict = await this.context
      .use('trust')
      .first((one, call) => one.judge(command, true, { ...call, approved }), { signal })
    // Trust may have been revoked since the request was made.
    if (verdict === undefined || verdict.level === 'untrusted' || verdict.level !== trust)
      return 'the skill is not trusted'
    // A skill that is as it was when its folder was trusted was agreed to then.
    if (verdict.isApproved || verdict.item === 'agreed') return undefined
    if (trust === 'remote' && verdict.item === 'changed')
      return 'its server now lists files other than the approved ones'
    return verdict.item === 'changed'
      ? 'the skill has changed since its folder was trusted'
      : 'the skill was never approved, or has changed since'
  }

  /**
   * Returns undefined for a harmless skill; otherwise a clause that says why it could not be found out, or an empty
   * text.
   */
  async #harmOf(request: PermissionRequest, signal: AbortSignal): Promise<string | undefined> {
    const {
      tool,
      entry: { command },
      trust,
    } = request
    const { safe } = this.options
    if (safe === false || tool !== 'Skill' || command.type !== 'prompt') return ''
    return safe === 'unless-granting' && trust === 'trusted'
      ? firstGrantingField(command) === undefined
        ? undefined
        : ''
      : this.#effectOf(command, request, signal)
  }

  /** Returns undefined if invoking a skill only reads its text; otherwise as {@link #harmOf}. */
  async #effectOf(
    command: PromptCommand,
    { args }: PermissionRequest,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    try {
      return (await doesMore(this.context.use('executor'), command, args, signal)) ? '' : undefined
    } catch (error) {
      if (isAbortError(error)) throw error
      return `the body of the skill could not be read: ${messageOf(error)}`
    }
  }
}

function ruled(behavior: Behavior, message: string, { text, source }: Rule): PermissionDecision {
  return { behavior, message, decisionReason: { type: 'rule', rule: text, source } }
}

/** Makes the decision if a rule does not count. The rule is named, since another like it would not help. */
function undecided(message: string, { text, source }: Rule, needsApproval = false): PermissionDecision {
  return {
    behavior: 'ask',
    message,
    decisionReason: { type: 'default', rule: text, source, ...(needsApproval && { needsApproval }) },
  }
}

function askedBy(request: PermissionRequest, rule: Rule, why?: string): PermissionDecision {
  const { broken, text, source } = rule
  if (broken === undefined) return ruled('ask', `${questionOf(request)}${why === undefined ? '' : ` (${why})`}`, rule)
  return {
    behavior: 'ask',
    message: `${questionOf(request)} (${broken})`,
    decisionReason: { type: 'unreadable', source, ...(text !== '' && { rule: text }) },
  }
}

/** Most characters of a script in a message. */
const mostQuoted = 200

/**
 * Quotes a part of a script on one line of a message: characters that a terminal obeys or hides are shown as numbers.
 */
function quoted(text = ''): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const shown = line.length > mostQuoted ? `${line.slice(0, mostQuoted)}…` : line
  const hidden = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
  return JSON.stringify(
    shown.replace(hidden, found => `<U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`),
  )
}

function neverRuns(request: PermissionRequest): PermissionDecision {
  const why = request.trust === 'remote' ? 'a skill from a server never runs anything' : 'the skill is not trusted'
  return {
    behavior: 'deny',
    message: `"${request.entry.name}" may not use ${request.tool}: ${why}.`,
    decisionReason: { type: 'default' },
  }
}

function questionOf(request: PermissionRequest): string {
  const { tool, content, entry } = request
  if (tool === 'Skill') return `Execute skill: ${entry.name}`
  const use = content === '' ? `Use ${tool}` : `Use ${tool} ${quoted(content)}`
  return isOwnTool(request) ? use : `${use} for skill: ${entry.name}`
}

function whatOf(request: PermissionRequest): string {
  const { tool, entry } = request
  if (isOwnTool(request)) return `this call of ${tool}`
  return tool === 'Skill' ? `"${entry.name}"` : `what "${entry.name}" would do with ${tool}`
}

function nameOf({ text, source }: Rule, article: 'The' | 'the' = 'The'): string {
  // A rule may be a script of several lines, and a message is one sentence.
  return `${article} rule ${text.replace(/\s+/g, ' ')} of ${source}`
}
