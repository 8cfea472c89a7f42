import { messageOf, SkillsError } from '@skills/core'
import { KindTrial, type KindFixture, type KindProvider } from '../kind-trial.js'
import type { ContractRule } from '../../contract/contract-rule.js'
import type { JournalStep } from '@skills/invocation'
import type { HeldRun, RunQuestion } from '@skills/runs/internal'
import type { Runs, RunSpec } from '@skills/runs'

export interface RunsFixture extends KindFixture<Runs> {
  /** Engine over the same runs, as another process has it. */
  readonly other: KindProvider<Runs>
}

export type MakeRuns = () => RunsFixture | PromiseLike<RunsFixture>
export type RunsRule = ContractRule<RunsTrial, never>

export interface StartedRuns {
  readonly runs: Runs
  /** The engine of the other process. */
  readonly other: Runs
}

let count = 0

export function specOf(parts: Partial<RunSpec> = {}): RunSpec {
  return {
    id: `run-${process.pid}-${(count += 1)}`,
    skill: { name: 'deploy', source: 'project', digest: 'a1b2' },
    args: 'staging "$HOME" 😀',
    caller: 'model',
    agent: 'general-purpose',
    tools: { without: ['Skill'] },
    limits: { maxSteps: 50, ms: 60_000 },
    session: 'conversation-1',
    depth: 0,
    isBackground: true,
    ...parts,
  }
}

export const question: RunQuestion = {
  id: 'question-1',
  kind: 'permission',
  tool: 'Bash',
  content: 'git push',
  message: 'Bash is not allowed by a rule.',
}

export const toolStep = (parts: Partial<JournalStep<unknown>> = {}): JournalStep<unknown> => ({
  kind: 'tool',
  key: 'tool 1',
  input: { command: 'git push' },
  idempotent: false,
  title: 'Bash git push',
  ...parts,
})

/** One check of one rule about engines of runs. */
export class RunsTrial extends KindTrial<Runs, MakeRuns> {
  async runs(): Promise<StartedRuns> {
    const fixture = await this.made(this.make)
    const { value: runs } = await this.start(fixture)
    const { value: other } = await this.start({ ...fixture, provider: fixture.other })
    return { runs, other }
  }

  /** Submits a run and takes it. */
  async held(runs: Runs, spec: RunSpec = specOf()): Promise<HeldRun> {
    await this.answer('submit()', () => runs.submit(spec))
    return this.answer('take()', () => runs.take(spec.id))
  }

  /** Takes a run in another process by force, as after the process of the run died. */
  takenOver(other: Runs, { record: { id } }: HeldRun): Promise<HeldRun> {
    return this.answer('take() by force', () => other.take(id, { force: true }))
  }

  /** Returns the result of a step and how often it was executed. A step that waits for ever breaks the rule. */
  async stepOf(
    held: HeldRun,
    step: JournalStep<unknown>,
    value: unknown = 'made',
  ): Promise<readonly [unknown, number]> {
    let times = 0
    const given = await this.answer(`the step ${step.key}`, () =>
      held.journal.step(step, async begin => {
        await begin()
        times += 1
        return value
      }),
    )
    return [given, times]
  }

  /** Starts a step that never ends, as if its process were killed. */
  async underWay(held: HeldRun, step: JournalStep<unknown>): Promise<void> {
    await this.within(
      'a step',
      new Promise<void>((resolve, reject) => {
        held.journal
          .step(step, async begin => {
            await begin()
            resolve()
            return new Promise(() => {})
          })
          .catch(reject)
      }),
    )
  }

  async expectCode(what: string, code: string, work: () => Promise<unknown>): Promise<void> {
    const ended = await this.ended(what, work)
    if (!('error' in ended)) return this.broken(`${what} gave ${JSON.stringify(ended.value)} in place of ${code}.`)
    if (!SkillsError.is(ended.error) || ended.error.code !== code)
      this.broken(`${what} failed with: ${messageOf(ended.error)} That is not ${code}.`, ended.error)
  }
}
