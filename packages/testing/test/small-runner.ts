import { abortError, defineProvider, SkillsError } from '@skills/core'
import type { Runner, RunRequest, RunResult, ToolCall } from '@skills/invocation'
import type { RunnerFixture, RunnerScript, RunnerStep } from '@skills/testing/internal'

type Fault = (sound: Runner['run'], small: SmallRunner) => Runner['run']

/** Short runner that keeps every rule of its contract, with a model that follows a script. For tests only. */
export class SmallRunner implements RunnerFixture {
  readonly reads: string[] = []
  readonly notes: string[] = []
  atWork = 0
  readonly provider
  readonly #script: RunnerScript
  #onWait: () => void = () => {}
  readonly #waiting = new Promise<void>(resolve => {
    this.#onWait = resolve
  })

  constructor(script: RunnerScript, fault: Fault = sound => sound) {
    this.#script = script
    const run = fault((request, call) => this.run(request, call), this)
    this.provider = defineProvider({ kind: 'runner', id: 'small', setup: () => ({ run }) })
  }

  read = (): readonly string[] => this.reads
  noted = (): readonly string[] => this.notes
  working = (): number => this.atWork
  waiting = (): Promise<void> => this.#waiting

  async run(request: RunRequest, { signal }: { readonly signal: AbortSignal }): Promise<RunResult> {
    if (signal.aborted) throw abortError(signal)
    this.atWork += 1
    try {
      return await this.#play(request, signal)
    } finally {
      this.atWork -= 1
    }
  }

  async #play(request: RunRequest, signal: AbortSignal): Promise<RunResult> {
    const texts = request.messages.map(blocks =>
      blocks.map(block => (block.type === 'text' ? block.text : '')).join(''),
    )
    const at = this.reads.push([request.system ?? '', ...texts].join('\n')) - 1
    let text = ''
    let steps = 0
    for (const step of this.#script.slice(0, request.maxSteps)) {
      request.progress({ type: 'step', steps: (steps += 1) })
      if ('waits' in step) await this.#wait(signal)
      if ('fails' in step) throw new SkillsError('E_PROVIDER_FAILED', step.fails)
      text = 'repeats' in step ? (texts.at(-1) ?? '') : 'says' in step ? step.says : ''
      if (text !== '') request.progress({ type: 'text', text })
      for (const note of 'says' in step ? (step.notes ?? []) : [])
        this.reads[at] += `\n${await this.#note(note, request, signal)}`
      if (signal.aborted) throw abortError(signal)
      if (callsTools(step)) continue
      const next = steps < request.maxSteps ? await request.onStop?.(text) : undefined
      if (signal.aborted) throw abortError(signal)
      if (next === undefined) break
      this.reads[at] += next.map(block => (block.type === 'text' ? `\n${block.text}` : '')).join('')
    }
    return { text, usage: { steps } }
  }

  async #note(text: string, request: RunRequest, signal: AbortSignal): Promise<string> {
    const call: ToolCall = { tool: 'Note', content: text, input: { text } }
    const { behavior, message } = await request.authorize(call)
    if (signal.aborted) throw abortError(signal)
    if (behavior !== 'allow') return message
    this.notes.push(text)
    const besides = await request.used(call, 'Noted.')
    return typeof besides === 'string' ? `Noted.\n${besides}` : 'Noted.'
  }

  #wait(signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(abortError(signal)), { once: true })
      this.#onWait()
    })
  }
}

function callsTools(step: RunnerStep): boolean {
  return 'says' in step && step.notes !== undefined && step.notes.length > 0
}
