import { resolve } from 'node:path'
import * as o from '@skills/core/schema'
import { SkillsError, type Catalog, type CatalogEntry, type Command, type Diagnostic } from '@skills/core'
import { readReport } from '@skills/evals/internal'
import { checkEvalCases } from '@skills/evals/cases'
import { readWholeFile } from '@skills/files'
import { realPathOf } from '@skills/files/internal'
import { explainedUnder, toldRows } from '@skills/host/internal'
import { auditCatalog, lintFiles, requirementTree } from '@skills/inspect'
import {
  allOnes,
  catalogWith,
  checkText,
  openToEdit,
  pluginHooksOf,
  problemsOf,
  readShown,
  repairOf,
  saveText,
  type AuditedSkill,
  type Listed,
} from '@skills/inspect/internal'
import { enginePort } from '@skills/invocation/skill-tool'
import { explanationJson } from '../json/explanation-json.js'
import { shownJson, treeJson } from '../json/shown-json.js'
import { EngineListings } from './listings.js'
import { shownWindow, type ShownEngine } from './shown-engine.js'
import type { MovedFiles } from './moved-files.js'
import type { FoundRun } from '@skills/runs/internal'
import type { Runs } from '@skills/runs'
import type {
  DraftJson,
  GivenJson,
  Health,
  PageAnswer,
  PageQuestion,
  RunPage,
  SkillPage,
  SkillRow,
  UiAnswers,
} from '../api.js'

/** Most runs that a page lists. */
const mostRuns = 500
/** Tokens of a context window with room for every description. */
const largeWindow = 100_000_000

const answersOptions = o.options('new EngineAnswers()', {
  runs: o.typed<Runs>('runs', 'journal').required(),
  /** Version that the page shows. */
  version: o.text().required(),
  /** Evaluation to show, from the working folder. */
  report: o.text().default('evals/recordings/last-report.json'),
  signal: o.typed<AbortSignal>('an AbortSignal', 'aborted').required(),
})

export interface EngineAnswersOptions extends o.OptionsOf<typeof answersOptions> {}

/** Answers questions of the page about an engine. An answer is the JSON that the command of the same name prints. */
export class EngineAnswers implements UiAnswers {
  readonly #engine: ShownEngine
  readonly #options: o.ValuesOf<typeof answersOptions.shape>
  readonly #listings: EngineListings
  #runsSeen: string | undefined
  #moved: MovedFiles | undefined

  constructor(engine: ShownEngine, options: EngineAnswersOptions) {
    this.#engine = engine
    this.#options = answersOptions.read(options)
    this.#listings = new EngineListings(engine, options.signal)
  }

  close(): Promise<void> {
    return this.#listings.close()
  }

  async about(): Promise<PageAnswer<'about'>> {
    const { distribution, reported = [], misconfigured, skills } = this.#engine
    const catalog = await this.#catalog()
    const files = new Set(allOnes(catalog).map(({ path }) => path))
    return {
      version: this.#options.version,
      distribution: distribution.name,
      cwd: skills.host.cwd,
      home: skills.host.home,
      precedence: distribution.precedence ?? [],
      places: catalog.places,
      incomplete: catalog.incomplete,
      problems: problemsOf(catalog, reported, misconfigured).filter(({ path }) => !files.has(path)),
      agents: this.#listings.agents(),
    }
  }

  async skills(): Promise<Iterable<SkillRow>> {
    const catalog = await this.#catalog()
    const counts = new Map<string, { errors: number; warnings: number }>()
    for (const { path, severity } of [...catalog.errors, ...catalog.warnings]) {
      if (path === undefined) continue
      const count = counts.get(path) ?? { errors: 0, warnings: 0 }
      count[severity === 'error' ? 'errors' : 'warnings'] += 1
      counts.set(path, count)
    }
    return rowsOf(allOnes(catalog), counts, await toldRows(this.#engine, this.#shown))
  }

  async skill({ name, path }: PageQuestion<'skill'>): Promise<SkillPage> {
    const { signal } = this.#options
    const engine = this.#engine
    const catalog = await this.#catalog()
    const explained = await explainedUnder(engine, await engine.skills.explain(name, { signal }), this.#shown)
    const explanation = explanationJson(explained, engine.distribution, catalog)
    const answer = explained.answers.find(one => path === undefined || one.path === path) ?? explained.answers[0]
    const command = answer?.command
    const entry = command && entryOf(catalog, command, answer.name)
    const file = answer?.path
    const isFile = file !== undefined && filesOf(catalog).has(file)
    const audited = entry && (await auditCatalog({ entries: [entry] }, this.#audit))
    const linted = isFile
      ? await lintFiles([file], { signal, beside: checkEvalCases, fields: { words: engine.skills.words } })
      : undefined
    const found = linted?.files[0]
    return {
      explanation,
      shown: entry === undefined ? null : shownJson(await readShown(catalog, entry, false, signal)),
      problems: found?.diagnostics ?? answer?.diagnostics ?? [],
      repair: (isFile && found?.isRepairable === true && (await repairOf(file, { signal }))) || null,
      audit: audited?.skills[0] ?? null,
      isEditable: isFile && file.toLowerCase().endsWith('.md'),
    }
  }

  listing(asked: PageQuestion<'listing'>): Promise<PageAnswer<'listing'>> {
    return this.#listings.listing(asked)
  }

  async health(): Promise<Health> {
    const catalog = await this.#catalog()
    const { healthOf } = await import('./health.js')
    const health = await healthOf(this.#engine, catalog, filesOf(catalog), this.#options.signal)
    return { ...health, moved: this.#moved?.all ?? [] }
  }

  async compat(): Promise<PageAnswer<'compat'>> {
    return (await import('./compat.js')).compatOf(this.#engine, this.#options.signal)
  }

  async agents(one: PageQuestion<'agents'>): Promise<PageAnswer<'agents'>> {
    // A path that the page does not show is not looked at.
    const path = one.path !== undefined && filesOf(await this.#catalog()).has(one.path) ? one.path : undefined
    return (await import('./compat.js')).compatOf(this.#engine, this.#options.signal, { name: one.name, path })
  }

  async given(asked: PageQuestion<'given'>): Promise<GivenJson> {
    const { givenIn } = await import('./given.js')
    return givenIn(this.#engine, await this.#catalog(), asked, this.#options.signal)
  }

  async audit(): Promise<Iterable<AuditedSkill>> {
    const hooks = await pluginHooksOf(this.#engine.skills, this.#options.signal)
    return (await auditCatalog(await this.#catalog(), { ...this.#audit, hooks })).skills
  }

  async needs(): Promise<PageAnswer<'needs'>> {
    const catalog = await this.#catalog()
    return catalog.entries
      .filter(({ command }) => command.type === 'prompt' && command.requires.length > 0)
      .map(entry => ({ name: entry.name, ...treeJson(requirementTree(catalog, entry)) }))
  }

  async evals(): Promise<PageAnswer<'evals'>> {
    const given = this.#options.report
    const file = await readWholeFile(resolve(this.#engine.skills.host.cwd, given), { signal: this.#options.signal })
    if (file === undefined) return { report: null }
    const report = 'bytes' in file ? readReport(file.bytes.toString('utf8')) : undefined
    if (report !== undefined) return { report }
    throw new SkillsError('E_INVALID_OPTION', `${given} cannot be read as an evaluation.`, {
      hint: 'Run the evaluation again: skills eval --model NAME.',
    })
  }

  async runs(): Promise<PageAnswer<'runs'>> {
    const { runs } = this.#options
    const found = new Map<string, FoundRun>()
    // Results may be long.
    for (const filter of [{ states: ['waiting', 'indeterminate'] as const }, {}])
      for await (const run of runs.each({ ...filter, limit: mostRuns }))
        found.set(run.id, { ...run, result: undefined })
    const rank = (run: FoundRun): number =>
      'problem' in run ? Infinity : (run.state === 'waiting' || run.state === 'indeterminate' ? 1e15 : 0) + run.queuedAt
    return [...found.values()].toSorted((one, other) => rank(other) - rank(one)).slice(0, mostRuns)
  }

  async run({ id }: PageQuestion<'run'>): Promise<RunPage> {
    const journal = await this.#options.runs.journal(id)
    const run = await this.#options.runs.get(id)
    return { run, journal, isParked: this.#options.runs.mayTake(run) }
  }

  async answer({ id, question, answer }: PageQuestion<'answer'>): Promise<RunPage> {
    if (answer !== 'allow' && answer !== 'deny')
      throw new SkillsError('E_INVALID_OPTION', 'The answer has to be allow or deny.')
    await this.#options.runs.answer(id, question, answer)
    return this.run({ id })
  }

  /** Returns true if the runs have changed since the last call, and at the first. */
  async haveRunsChanged(): Promise<boolean> {
    const seen = await this.#options.runs.mark()
    const have = seen !== this.#runsSeen
    this.#runsSeen = seen
    return have
  }

  async file({ path }: PageQuestion<'file'>): Promise<PageAnswer<'file'>> {
    const file = await openToEdit(path, await this.#rootsFor(path))
    if (!('version' in file)) throw new SkillsError('E_INVALID_OPTION', file.message, { hint: file.hint })
    return { path, text: file.text, version: file.version }
  }

  async check({ path, text }: PageQuestion<'check'>): Promise<DraftJson> {
    await this.#rootsFor(path)
    const { skills } = this.#engine
    const { diagnostics, fields } = await checkText(path, text, { fields: { words: skills.words } })
    const catalog = await this.#catalog()
    const known = catalog.entries.find(({ command }) => command.type === 'prompt' && command.filePath === path)
    return { problems: diagnostics, told: fields && known ? await this.#told(known, fields) : null }
  }

  async save({ path, text, version: from }: PageQuestion<'save'>): Promise<PageAnswer<'save'>> {
    return saveText(path, text, { version: from, roots: await this.#rootsFor(path), host: this.#engine.skills.host })
  }

  async move({ path, isBack = false }: PageQuestion<'move'>): Promise<PageAnswer<'move'>> {
    const { skills } = this.#engine
    this.#moved ??= new (await import('./moved-files.js')).MovedFiles()
    const moved = isBack
      ? this.#moved.moveBack(path, skills.host)
      : await this.#moved.move(path, await this.#catalog(), skills.host)
    skills.invalidate()
    return moved
  }

  /** Returns the listing entry that a skill with these fields would have. */
  async #told(entry: CatalogEntry, fields: NonNullable<Awaited<ReturnType<typeof checkText>>['fields']>) {
    const { skills, distribution } = this.#engine
    const { description = entry.command.description, whenToUse, disableModelInvocation = false } = fields
    const drafted: Readonly<Record<string | symbol, unknown>> = { description, whenToUse }
    // A copy would lose the other fields, which are read from the file on use.
    const command: Command = new Proxy(entry.command, {
      get: (own, key): unknown => (Object.hasOwn(drafted, key) ? drafted[key] : Reflect.get(own, key)),
    })
    if (disableModelInvocation) return ''
    const asDrafted = { ...skills, catalog: async () => catalogWith(await this.#catalog(), [{ ...entry, command }]) }
    const port = enginePort(asDrafted, distribution.port)
    return (await port.listing({ contextWindow: largeWindow }, { signal: this.#options.signal })).text
  }

  /**
   * Returns the real paths of the folders of the skills that are shown, for a file among them. Throws
   * `E_INVALID_OPTION` for any other file: the page cannot open a file by naming it.
   */
  async #rootsFor(path: string): Promise<readonly string[]> {
    const catalog = await this.#catalog()
    if (!filesOf(catalog).has(path))
      throw new SkillsError('E_INVALID_OPTION', 'This file does not belong to a skill on this page.')
    return catalog.places.filter(({ state }) => state === 'read').flatMap(place => realPathOf(place.path) ?? [])
  }

  get #shown() {
    return { contextWindow: shownWindow, signal: this.#options.signal }
  }

  get #audit() {
    return { signal: this.#options.signal, embedded: this.#engine.distribution.shell }
  }

  #catalog(): Promise<Catalog> {
    return this.#engine.skills.catalog({ signal: this.#options.signal })
  }
}

function* rowsOf(
  all: readonly Listed[],
  counts: ReadonlyMap<string, Pick<SkillRow, 'errors' | 'warnings'>>,
  toldOf: Awaited<ReturnType<typeof toldRows>>,
): Iterable<SkillRow> {
  for (const row of all) {
    const { name, state, source, command, path, reason } = row
    const { told, cause, chars, of } = toldOf(row)
    const { errors = state === 'failed' ? 1 : 0, warnings = 0 } = counts.get(path ?? '') ?? {}
    yield {
      name,
      state,
      source: source ?? null,
      description: command?.description ?? null,
      path: path ?? null,
      reason: reason ?? null,
      told: { told, cause: cause ?? null, chars, of },
      errors,
      warnings,
    }
  }
}

/** Returns the entry of a command. For a command that lost its name, returns the entry it would have had. */
function entryOf(catalog: Catalog, command: Command, name: string): CatalogEntry | undefined {
  const known = [...catalog.entries, ...catalog.disabled].find(entry => entry.command === command)
  const lost = catalog.collisions.find(({ loser }) => loser.command === command)
  return known ?? (lost && { ...lost.loser, name, override: 'on', isQualified: false })
}

const known = new WeakMap<Catalog, ReadonlySet<string>>()

/** Returns the skill files that a catalog shows, including those that failed to load. */
function filesOf(catalog: Catalog): ReadonlySet<string> {
  const isRead = ({ type }: Diagnostic): boolean => type !== 'traversal'
  const files =
    known.get(catalog) ??
    new Set(
      [
        ...allOnes(catalog)
          .filter(({ state }) => state !== 'failed')
          .map(({ path }) => path),
        ...catalog.errors.filter(isRead).map(({ path }) => path),
      ].flatMap(path => path ?? []),
    )
  known.set(catalog, files)
  return files
}
