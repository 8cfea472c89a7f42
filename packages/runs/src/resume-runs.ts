import * as s from '@skills/core/schema'
import { isAbortError, messageOf, SkillsError, type CatalogEntry, type Skills } from '@skills/core'
import { Invoker, type InvokerOptions } from '@skills/invocation'
import { isEnded, runStates, type RunAnswer, type RunQuestion, type RunRecord } from './run.js'
import { isOfStorage } from './run-error.js'
import type { HeldRun, Runs } from './runs.js'

const resumeOptions = s.options('resumeRun()', {
  /** Options of invocations here. `onAsk` is asked about calls of the runs. Default: the engine's rules decide. */
  invoker: s.typed<InvokerOptions>('an object'),
  /** Key of the session to which the runs belong here. Default: the engine's own. */
  sessionId: s.text(),
  /**
   * Answers the question of a run: one that it was parked with, or whether a call that was in progress is repeated. If
   * it returns undefined, the run keeps waiting. Default: the run keeps waiting.
   */
  onQuestion: s.fn<(question: RunQuestion, record: RunRecord) => Promise<RunAnswer | undefined>>(),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

export interface ResumeOptions extends s.OptionsOf<typeof resumeOptions> {}

const resumeRunsOptions = s.options('resumeRuns()', {
  ...resumeOptions.shape,
  /** Id of a conversation, to continue only its runs. Default: all. */
  session: s.text(),
})

export interface ResumeRunsOptions extends s.OptionsOf<typeof resumeRunsOptions> {}

const workOptions = s.options('workOnRun()', {
  /** Returns the skill stored with the run, or undefined to use this engine's own. If it rejects, the run fails. */
  skill: s.fn<(record: RunRecord) => Promise<CatalogEntry | undefined>>(),
  ...resumeOptions.shape,
})

export interface WorkOptions extends s.OptionsOf<typeof workOptions> {}

/**
 * Continues one run after the last entry of its journal, to its end or its next question, and returns its record. If
 * workers execute runs, it waits for them. This engine looks the skill up and decides about it by its own trust and
 * rules. A permission that a person gave when the run was submitted is not asked again. A run that cannot continue, for
 * example because its skill was deleted, fails with the code. Rejects with an `AbortError`, `E_RUN_UNKNOWN`,
 * `E_RUN_JOURNAL`, `E_STATE` and `E_MISSING_PROVIDER`.
 */
export async function resumeRun(skills: Skills, id: string, given?: ResumeOptions): Promise<RunRecord> {
  const options = resumeOptions.read(given)
  const runs = await runsOf(skills)
  for (;;) {
    const record = await runs.get(id)
    if (runs.place === 'workers') await runs.settled(id, options)
    else if (runs.mayTake(record)) await workOnRun(skills, runs, record, options)
    const { question, ...now } = await runs.get(id)
    const isHeld = now.holder !== undefined
    const answer = question === undefined || isHeld ? undefined : await options.onQuestion?.(question, record)
    if (question === undefined || answer === undefined) return { ...now, question }
    await runs.answer(id, question.id, answer)
  }
}

/** Continues every run whose process has ended, all at the same time, as {@link resumeRun} does. */
export async function resumeRuns(skills: Skills, given?: ResumeRunsOptions): Promise<readonly RunRecord[]> {
  const { session, ...options } = resumeRunsOptions.read(given)
  const runs = await runsOf(skills)
  const states = runStates.filter(state => !isEnded({ state }))
  const found = (await runs.find({ session, states })).flatMap(run => ('problem' in run ? [] : run))
  const open = new Set(found.map(({ id }) => id))
  // A nested run is resumed by its parent.
  const own = found.filter(({ parentId = '' }) => !open.has(parentId))
  return Promise.all(own.map(({ id }) => resumeRun(skills, id, options)))
}

/**
 * Takes a run and works on it in this process, as a worker does, until the run ends or asks its next question. A run
 * that cannot continue fails with the code. Rejects with an `AbortError`, and with the error of a journal that cannot be
 * read or written now, such as `E_STATE`, which does not end the run.
 */
export async function workOnRun(skills: Skills, runs: Runs, record: RunRecord, given?: WorkOptions): Promise<void> {
  const options = workOptions.read(given)
  const { id, skill, args, caller, parentId, toolUseId, depth, tools, trace, epoch } = record
  const { invoker, sessionId, signal } = options
  const request = { name: skill.name, args, caller, agentId: parentId, toolUseId, depth, tools, sessionId, signal }
  const work = async (): Promise<unknown> =>
    new Invoker(skills, invoker).invoke({ ...request, run: id, remote: await options.skill?.(record) })
  try {
    const tracer = trace === undefined ? undefined : await skills.use('tracer').first(one => one)
    await (trace === undefined || tracer === undefined ? work() : tracer.within(trace, work))
  } catch (error) {
    if (isAbortError(error) || skills.signal.aborted) throw error
    if (isOfStorage(error)) throw error
    // It says nothing about the run, which another process has, or the next one takes.
    if (SkillsError.is(error) && error.code === 'E_RUN_LOST') return
    const held = await taken(runs, id, epoch)
    const code = SkillsError.is(error) ? error.code : undefined
    await held?.end({ state: 'failed', error: { code, message: messageOf(error) } }, error)
  }
}

/** Takes a run. Undefined if its executor took it and recorded its end, or if another process works on it. */
async function taken(runs: Runs, id: string, epoch: number): Promise<HeldRun | undefined> {
  const record = await runs.get(id)
  return record.epoch === epoch && runs.mayTake(record) ? runs.take(id) : undefined
}

async function runsOf(skills: Skills): Promise<Runs> {
  const runs = await skills.use('runs').first(one => one)
  if (runs !== undefined) return runs
  throw new SkillsError('E_MISSING_PROVIDER', 'There is no provider of the kind "runs".', {
    hint: 'Register embeddedRuns() as a plugin, and add runsKind to the kinds.',
  })
}
