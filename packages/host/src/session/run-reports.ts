import { messageOf, type Diagnostic, type Skills } from '@skills/core'
import type { InvokerOptions, Session } from '@skills/invocation'
import type { OnAsk } from '@skills/rules'
import type { RunAnswer, RunRecord, Runs } from '@skills/runs'
import type { RunQuestion } from '@skills/runs/internal'
import type { SessionProgress } from './session-options.js'

/**
 * Reports events of a session's forks that a person would not see otherwise: refused calls, and messages of hooks.
 * Returns a function that stops the reports.
 */
export function forkProgress(
  skills: Pick<Skills, 'hook'>,
  sessionId: string | undefined,
  progress: (event: SessionProgress) => void,
  tells: (text: string) => string,
): () => void {
  return skills.hook('invocation:progress', told => {
    const { event } = told
    if (told.sessionId !== sessionId || !isShown(event)) return
    if (event.type === 'message') progress({ ...event, text: tells(event.text) })
    else progress({ ...event, content: tells(event.content), message: tells(event.message) })
  })
}

/** True if an event is to be shown. It is checked, because an executor may emit anything. */
function isShown(event: unknown): event is SessionProgress & { readonly type: 'refused' | 'message' } {
  if (typeof event !== 'object' || event === null || !('type' in event) || !('agentId' in event)) return false
  const isText = (key: string): boolean => typeof Reflect.get(event, key) === 'string'
  return event.type === 'refused'
    ? ['tool', 'content', 'message'].every(isText)
    : event.type === 'message' && ['hookEvent', 'text'].every(isText)
}

export interface RunReportsOptions {
  readonly session: Session
  /** Ids of runs whose reports the conversation had when its state was stored. */
  readonly kept: readonly string[]
  readonly invoker: InvokerOptions & { readonly onAsk?: OnAsk | undefined }
  /** Adds a message for the model to the next line. */
  readonly tell: (text: string) => void
  readonly report: (diagnostic: Diagnostic) => void
}

/**
 * Reports of recorded runs for a conversation. Each report is delivered once, even if the conversation was closed and
 * opened again from its state. The state lists the delivered reports; when the state is restored, the runs of these
 * reports are marked as delivered.
 */
export class RunReports {
  readonly #skills: Skills
  readonly #runs: Runs
  readonly #options: RunReportsOptions
  readonly #has: Set<string>

  private constructor(skills: Skills, runs: Runs, options: RunReportsOptions) {
    this.#skills = skills
    this.#runs = runs
    this.#options = options
    this.#has = new Set(options.kept)
  }

  /**
   * Reports the runs that ended while the conversation was closed, and resumes runs whose process has ended. Undefined
   * if the engine has no runs.
   */
  static async open(skills: Skills, options: RunReportsOptions): Promise<RunReports | undefined> {
    const runs = await skills.use('runs').first(one => one)
    if (runs === undefined) return undefined
    const reports = new RunReports(skills, runs, options)
    const { isEnded } = await import('@skills/runs')
    const found = await runs.find({ session: options.session.id, isDelivered: false })
    for (const run of found) {
      if ('problem' in run) continue
      if (!isEnded(run)) void reports.#goOn(run)
      else if (options.kept.includes(run.id)) await reports.#delivered(run.id)
      else await reports.#take(run)
    }
    return reports
  }

  /** Ids of runs whose reports the conversation has, as part of its state. */
  get ids(): readonly string[] {
    return [...this.#has]
  }

  /** Records that the conversation has the report of a run. Returns false if it had it before. */
  add(id: string): boolean {
    return !this.#has.has(id) && this.#has.add(id).size > 0
  }

  /** Marks all reports as delivered, because the conversation ends for good. */
  async close(): Promise<void> {
    for (const id of this.#has) await this.#delivered(id)
  }

  async #delivered(id: string): Promise<void> {
    try {
      await this.#runs.delivered(id, this.#options.session.id)
      this.#has.delete(id)
    } catch (error) {
      this.#tell(`The delivery of the report of the run ${id} could not be recorded: ${messageOf(error)}`)
    }
  }

  async #take(run: RunRecord): Promise<void> {
    const { reportOf } = await import('@skills/runs')
    const text = reportOf(run)
    if (text !== undefined && this.add(run.id)) this.#options.tell(text)
  }

  async #goOn({ id }: RunRecord): Promise<void> {
    const { session, invoker } = this.#options
    const { signal } = this.#skills
    try {
      const { resumeRun } = await import('@skills/runs')
      const onQuestion = async (question: RunQuestion, run: RunRecord): Promise<RunAnswer | undefined> =>
        this.#asked(question, run)
      await resumeRun(this.#skills, id, { invoker, sessionId: session.key, onQuestion, signal })
      await this.#take(await this.#runs.get(id))
    } catch (error) {
      if (!signal.aborted && session.isOpen) this.#tell(`The run ${id} could not continue: ${messageOf(error)}`)
    }
  }

  async #asked({ tool, content, message }: RunQuestion, run: RunRecord): Promise<RunAnswer | undefined> {
    const { invoker, session } = this.#options
    const { signal } = this.#skills
    const entry = (await this.#skills.catalog({ signal, names: [run.skill.name] })).lookup(run.skill.name)
    if (entry === undefined || invoker.onAsk === undefined) return undefined
    const { args, caller, id: agentId } = run
    return invoker.onAsk({
      request: { tool, content, entry, trust: 'untrusted', caller, args, agentId, sessionId: session.key },
      decision: { behavior: 'ask', message, decisionReason: { type: 'default' } },
      signal,
    })
  }

  #tell(message: string): void {
    this.#options.report({ severity: 'warning', type: 'source', code: 'run-left', message })
  }
}
