import { resolve } from 'node:path'
import { SkillsError, type Catalog, type CatalogEntry, type Command, type Diagnostic } from '@skills/core'
import { auditCatalog, lintFiles, requirementTree } from '@skills/inspect'
import { pluginHooksOf, checkText, openToEdit, repairOf, saveText, type AuditedSkill } from '@skills/inspect/internal'
import { readReport } from '@skills/evals/internal'
import { checkEvalCases } from '@skills/evals/cases'
import { readWholeFile } from '@skills/files'
import { realPathOf } from '@skills/files/internal'
import { enginePort } from '@skills/invocation/skill-tool'
import { allOnes, type Listed } from '../../engine/listed.js'
import { catalogWith } from '../../engine/catalog-with.js'
import { explainedUnder } from '../../engine/reasons-under.js'
import { explanationJson } from '../explain/json.js'
import { problemsOf } from '../../output/problems.js'
import { readShown } from '../../engine/shown-skill.js'
import { shownJson, treeJson } from '../show/json.js'
import { UiListings } from './listings.js'
import { version } from '../../version.js'
import type { PageQuestion, PageAnswer, UiAnswers } from '@skills/ui'
import type { DraftJson, RunPage, SkillPage, SkillRow } from '@skills/ui/internal'
import type { FoundRun } from '@skills/runs/internal'
import type { Runs } from '@skills/runs'
import type { Engine } from '../../engine/engine-parts.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'
import type { Io } from '../../io.js'

/** Most runs that a page lists. */
const mostRuns = 500
/** Tokens of a context window with room for every description. */
const largeWindow = 100_000_000

/** Answers questions of the page with the JSON of the commands with the same names. */
export class UiHost implements UiAnswers {
  readonly engine: Engine
  readonly #runs: Runs
  readonly #invocation: InvocationOf<typeof command>
  readonly #io: Io
  readonly #listings: UiListings
  #runsSeen = ''

  constructor(engine: Engine, runs: Runs, invocation: InvocationOf<typeof command>, io: Io) {
    this.engine = engine
    this.#runs = runs
    this.#invocation = invocation
    this.#io = io
    this.#listings = new UiListings(engine, io.signal)
  }

  close(): Promise<void> {
    return this.#listings.close()
  }

  async about(): Promise<PageAnswer<'about'>> {
    const { distribution, sources, reported, misconfigured, skills } = this.engine
    const catalog = await this.#catalog()
    const files = new Set(allOnes(catalog).map(({ path }) => path))
    return {
      version,
      distribution: distribution.name,
      cwd: skills.host.cwd,
      home: skills.host.home,
      precedence: sources,
      places: catalog.places,
      incomplete: catalog.incomplete,
      problems: problemsOf(catalog, reported, misconfigured).filter(({ path }) => !files.has(path)),
      agents: await this.#listings.agents(),
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
    return rowsOf(allOnes(catalog), counts)
  }

  async skill({ name, path }: PageQuestion<'skill'>): Promise<SkillPage> {
    const { signal } = this.#io
    const { engine } = this
    const catalog = await this.#catalog()
    const explained = await explainedUnder(engine, await engine.skills.explain(name, { signal }), { signal })
    const explanation = explanationJson(explained, { catalog, ...engine })
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

  async compat(): Promise<PageAnswer<'compat'>> {
    const { compatFor } = await import('../compat/agents.js')
    // Progress is for terminals; the page shows that it waits in its own way.
    const stderr = { ...this.#io.stderr, isTerminal: false, write: () => {} }
    return (
      await compatFor(
        this.engine,
        {},
        { text: () => undefined },
        Object.create(this.#io, { stderr: { value: stderr } }),
      )
    ).compat
  }

  async audit(): Promise<Iterable<AuditedSkill>> {
    const hooks = await pluginHooksOf(this.engine.skills, this.#io.signal)
    return (await auditCatalog(await this.#catalog(), { ...this.#audit, hooks })).skills
  }

  async needs(): Promise<PageAnswer<'needs'>> {
    const catalog = await this.#catalog()
    return catalog.entries
      .filter(({ command }) => command.type === 'prompt' && command.requires.length > 0)
      .map(entry => ({ name: entry.name, ...treeJson(requirementTree(catalog, entry)) }))
  }

  async evals(): Promise<PageAnswer<'evals'>> {
    const given = this.#invocation.text('--report') ?? 'evals/recordings/last-report.json'
    const file = await readWholeFile(resolve(this.engine.skills.host.cwd, given), { signal: this.#io.signal })
    if (file === undefined) return { report: null }
    const report = 'bytes' in file ? readReport(file.bytes.toString('utf8')) : undefined
    if (report !== undefined) return { report }
    throw new SkillsError('E_INVALID_OPTION', `${given} is no evaluation that can be read.`, {
      hint: 'Make it anew: skills eval --model NAME.',
    })
  }

  async runs(): Promise<PageAnswer<'runs'>> {
    const found: FoundRun[] = []
    // Results may be long, and there may be many runs.
    for await (const run of this.#runs.each()) found.push({ ...run, result: undefined })
    const rank = (run: FoundRun): number =>
      'problem' in run ? Infinity : (run.state === 'waiting' || run.state === 'indeterminate' ? 1e15 : 0) + run.queuedAt
    return found.toSorted((one, other) => rank(other) - rank(one)).slice(0, mostRuns)
  }

  async run({ id }: PageQuestion<'run'>): Promise<RunPage> {
    const journal = await this.#runs.journal(id)
    const run = await this.#runs.get(id)
    return { run, journal, isParked: this.#runs.mayTake(run) }
  }

  async answer({ id, question, answer }: PageQuestion<'answer'>): Promise<RunPage> {
    if (answer !== 'allow' && answer !== 'deny')
      throw new SkillsError('E_INVALID_OPTION', 'An answer is allow or deny.')
    await this.#runs.answer(id, question, answer)
    return this.run({ id })
  }

  /** Returns true if the runs have changed since the last call. */
  async haveRunsChanged(): Promise<boolean> {
    const marks: string[] = []
    for await (const run of this.#runs.each()) marks.push(`${run.id} ${'problem' in run ? '' : run.entries}`)
    const seen = marks.join('\n')
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
    const { skills } = this.engine
    const { diagnostics, fields } = await checkText(path, text, { fields: { words: skills.words } })
    const catalog = await this.#catalog()
    const known = catalog.entries.find(({ command }) => command.type === 'prompt' && command.filePath === path)
    return { problems: diagnostics, told: fields && known ? await this.#told(known, fields) : null }
  }

  async save({ path, text, version: from }: PageQuestion<'save'>): Promise<PageAnswer<'save'>> {
    return saveText(path, text, { version: from, roots: await this.#rootsFor(path), host: this.engine.skills.host })
  }

  /** Returns the listing entry that a skill with these fields would have. */
  async #told(entry: CatalogEntry, fields: NonNullable<Awaited<ReturnType<typeof checkText>>['fields']>) {
    const { skills, distribution } = this.engine
    const { description = entry.command.description, whenToUse, disableModelInvocation = false } = fields
    const drafted: Readonly<Record<string | symbol, unknown>> = { description, whenToUse }
    // A copy would lose the other fields, which are read from the file on use.
    const command: Command = new Proxy(entry.command, {
      get: (own, key): unknown => (Object.hasOwn(drafted, key) ? drafted[key] : Reflect.get(own, key)),
    })
    if (disableModelInvocation) return ''
    const asDrafted = { ...skills, catalog: async () => catalogWith(await this.#catalog(), [{ ...entry, command }]) }
    const port = enginePort(asDrafted, distribution.port)
    return (await port.listing({ contextWindow: largeWindow }, { signal: this.#io.signal })).text
  }

  /**
   * Returns the real paths of the folders of the skills that are shown, for a file among them. Throws
   * `E_INVALID_OPTION` for any other file: the page cannot open a file by naming it.
   */
  async #rootsFor(path: string): Promise<readonly string[]> {
    const catalog = await this.#catalog()
    if (!filesOf(catalog).has(path))
      throw new SkillsError('E_INVALID_OPTION', 'This file is none of the skills that are shown.')
    return catalog.places.filter(({ state }) => state === 'read').flatMap(place => realPathOf(place.path) ?? [])
  }

  get #audit() {
    return { signal: this.#io.signal, embedded: this.engine.distribution.shell }
  }

  #catalog(): Promise<Catalog> {
    return this.engine.skills.catalog({ signal: this.#io.signal })
  }
}

function* rowsOf(
  all: readonly Listed[],
  counts: ReadonlyMap<string, Pick<SkillRow, 'errors' | 'warnings'>>,
): Iterable<SkillRow> {
  for (const { name, state, source, command, path, reason } of all) {
    const { errors = state === 'failed' ? 1 : 0, warnings = 0 } = counts.get(path ?? '') ?? {}
    yield {
      name,
      state,
      source: source ?? null,
      description: command?.description ?? null,
      path: path ?? null,
      reason: reason ?? null,
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
