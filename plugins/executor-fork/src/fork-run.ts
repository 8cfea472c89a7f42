import { createHash } from 'node:crypto'
import { isAbortError, messageOf, SkillsError, type Host } from '@skills/core'
import { isSkillCommand } from '@skills/skill-md/internal'
import type { Invocation, JournalStep, RunUsage, ToolCall } from '@skills/invocation'
import type { HeldRun } from '@skills/runs/internal'
import type { RunRecord, Runs, RunSpec } from '@skills/runs'

type Asking = NonNullable<Parameters<Invocation['authorize']>[0]['asking']>

/** Record of one fork: its steps, its questions, and its end. */
export class ForkRun {
  /** Answers of the model so far in this process. The same for each call when the run is replayed. */
  steps = 0
  #asked = 0

  constructor(private readonly held: HeldRun) {}

  get record(): RunRecord {
    return this.held.record
  }

  get journal(): HeldRun['journal'] {
    return this.held.journal
  }

  get signal(): AbortSignal {
    return this.held.signal
  }

  /** Makes a step of the run itself, which may run commands that need permission. */
  step<T>(key: string, input: unknown, make: (begin: () => Promise<void>) => Promise<T>): Promise<T> {
    const step: JournalStep<T> = { kind: 'own', key, input, idempotent: false, title: key }
    return this.held.journal.step(step, make)
  }

  /** Returns what asks a person instead of the host. The question is recorded, and another process may answer it. */
  asking({ tool, content, toolUseId }: Pick<ToolCall, 'tool' | 'content' | 'toolUseId'>): Asking {
    return {
      signal: this.signal,
      ask: (question, onAsk) =>
        this.held.ask(
          {
            id: idOf(tool, content, toolUseId ?? `own ${(this.#asked += 1)}`, this.steps),
            kind: 'permission',
            tool,
            content,
            message: question.decision.message,
          },
          onAsk && (() => onAsk({ ...question, signal: AbortSignal.any([question.signal, this.signal]) })),
        ),
    }
  }

  /** Settles when what the run has recorded so far is written. Rejects if another process has taken the run over. */
  written(): Promise<void> {
    return this.held.flush()
  }

  /** Restarts the run if the runner keeps no steps, regardless of what was done before. Returns whether it did. */
  async restartUnless(keepsSteps: boolean): Promise<boolean> {
    // Its effects are no steps.
    if (!keepsSteps) await this.written()
    if (keepsSteps || this.record.epoch === 1) return false
    await this.held.restart()
    return true
  }

  async done(result: string, usage: RunUsage): Promise<void> {
    await this.held.end({ state: 'done', result, usage })
  }

  /**
   * Records why it ended. Returns false if the run continues: it waits for an answer, another process has it, another
   * attempt is made, or the engine closes and the next one resumes it. Rejects with `E_STATE`.
   */
  async failed(error: unknown, isClosing: boolean): Promise<boolean> {
    const reason: unknown = this.signal.reason
    if (this.held.isParked || (SkillsError.is(reason) && reason.code === 'E_RUN_LOST')) return false
    const isAborted = isAbortError(error)
    if (isAborted && isClosing && !this.record.isCancelling) {
      await this.held.release('The engine was closed.')
      return false
    }
    const code = SkillsError.is(error) ? error.code : undefined
    await this.held.end(
      isAborted ? { state: 'cancelled' } : { state: 'failed', error: { code, message: messageOf(error) } },
      error,
    )
    return this.record.state !== 'queued'
  }
}

/** Makes the specification of a run from an invocation. Any process can start the run from it. */
export async function specOf(
  id: string,
  invocation: Invocation,
  {
    session,
    ...parts
  }: Pick<RunSpec, 'agent' | 'model' | 'effort' | 'tools' | 'limits' | 'isBackground' | 'trace'> & {
    readonly session: Host['sessionId']
  },
  signal: AbortSignal,
): Promise<RunSpec> {
  const { args, caller, agentId, depth, toolUseId } = invocation
  return {
    id,
    skill: await skillOf(invocation, signal),
    args,
    caller,
    depth,
    session: invocation.session?.key ?? session,
    ...(agentId !== undefined && { parentId: agentId }),
    ...(toolUseId !== undefined && { toolUseId }),
    ...parts,
  }
}

/** Most bytes of a text in a run. A worker reads a longer one itself. */
const mostText = 256 * 1024

/**
 * Adds the skill's text for workers that may not have the skill, if the text is the whole skill. The text is not added
 * for a skill of a plugin, which refers to the plugin's files, and for a skill of a server, which must stay
 * recognisable as such.
 */
export async function withText(spec: RunSpec, { command }: Invocation, signal: AbortSignal): Promise<RunSpec> {
  if (!isSkillCommand(command) || command.plugin !== undefined || command.loadedFrom === 'mcp') return spec
  const bytes = await command.bytes({ signal })
  return bytes.length > mostText ? spec : { ...spec, skill: { ...spec.skill, text: bytes.toString() } }
}

/** Describes the skill, with the digest of the text that was permitted. */
async function skillOf({ entry, command, body }: Invocation, signal: AbortSignal): Promise<RunSpec['skill']> {
  const own = await command.digest?.({ signal })
  const digest = own ?? createHash('sha256').update(JSON.stringify(body)).digest('hex')
  const { filePath } = command
  return { name: entry.name, source: command.source, digest, ...(filePath !== undefined && { path: filePath }) }
}

/**
 * Returns the id of a nested run. When the outer run is replayed, the id is the same, so that the nested run is
 * resumed.
 */
export function idWithin(parent: RunRecord, toolUseId: string, steps: number): string {
  return idOf(parent.id, toolUseId, '', steps)
}

/** Returns the id of the run of a skill with a key of the caller. */
export function idWithKey(skill: string, key: string): string {
  return idOf('key', skill, key)
}

function idOf(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return [8, 12, 16, 20, 32].map((end, at) => hash.slice([0, 8, 12, 16, 20][at], end)).join('-')
}

/** Throws `E_RUN_STATE` if the run of a key was made with other arguments: its result is the answer to another request. */
export function refuseOtherArgs(made: RunRecord, { args, skill }: RunSpec): void {
  if (made.args === args) return
  throw new SkillsError(
    'E_RUN_STATE',
    `The idempotency key belongs to the run ${made.id} of the skill "${skill.name}", which has other arguments.`,
    { hint: 'Give each request a key of its own.' },
  )
}

/**
 * Takes a run to work on it; a resumed run is taken from its record. For a nested run that has already ended, and for the
 * run of a key that has ended or that a process works on, returns its record. If the skill is not the permitted skill,
 * ends the run.
 * @throws SkillsError `E_RUN_CHANGED` if the skill has changed; `E_RUN_STATE` if the key belongs to other arguments
 */
export async function takeRun(
  runs: Runs,
  spec: RunSpec,
  { isResumed, isKeyed }: { readonly isResumed: boolean; readonly isKeyed: boolean },
): Promise<HeldRun | RunRecord> {
  const begun = isResumed ? undefined : await runs.begin(spec)
  if (begun !== undefined) return begun
  const made = isResumed ? undefined : await runs.get(spec.id)
  if (made !== undefined && isKeyed) {
    refuseOtherArgs(made, spec)
    if (!runs.mayTake(made)) return made
  }
  if (made?.state === 'done') return made
  const held = await runs.take(spec.id, { isDeferred: true })
  if (held.record.skill.digest === spec.skill.digest) return held
  const message = `The run ${spec.id} was permitted for another text of the skill "${spec.skill.name}", which has changed since.`
  const error = new SkillsError('E_RUN_CHANGED', message, { hint: 'Read the skill, and invoke it again.' })
  await held.end({ state: 'failed', error: { code: error.code, message: error.message } })
  throw error
}
