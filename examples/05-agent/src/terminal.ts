import { createInterface, type Interface } from 'node:readline/promises'
import { isAbortError, mayUserInvoke, messageOf } from '@skills/core'
import type { OnAsk } from '@skills/invocation'
import type { Agent } from './agent.js'

export interface Terminal {
  readonly onAsk: OnAsk
  /** Whether the user says yes. */
  confirm(question: string): Promise<boolean>
  /** Reads lines and has the agent answer each, until there are no more. */
  run(agent: Agent): Promise<void>
}

/** The user at a terminal: `/` and Tab completes names, Ctrl+C stops an answer, Ctrl+D ends it all. */
export function openTerminal(input: NodeJS.ReadableStream = process.stdin, output: NodeJS.WritableStream = process.stdout, terminal = process.stdin.isTTY === true): Terminal {
  let names: readonly string[] = []
  let stop: AbortController | undefined
  let questions: Promise<unknown> = Promise.resolve()
  const lines = createInterface({ input, output, terminal, completer: (line: string): [string[], string] => [names.filter(name => line.startsWith('/') && name.startsWith(line)), line] })
  const typed = linesOf(lines)
  lines.on('SIGINT', () => stop === undefined ? lines.close() : stop.abort())
  // What comes from a file or a program is meant for the agent, and is no answer to a question.
  const confirm = async (question: string, signal?: AbortSignal): Promise<boolean> =>
    terminal && /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `, { ...signal && { signal } })).trim())
  return {
    confirm,
    // A fork and the conversation may ask at the same time, and a person answers one question after the other.
    onAsk({ request: { tool, content }, decision: { message }, signal }) {
      const answer = questions.then(async () => await confirm(tool === 'Skill' ? `${message}?` : `Use ${tool}: ${content}?`, signal) ? 'allow' as const : 'deny' as const)
      questions = answer.catch(() => undefined)
      return answer
    },
    async run(agent) {
      const prompt = async (): Promise<void> => {
        const { entries } = await agent.skills.catalog()
        names = entries.filter(({ command }) => mayUserInvoke(command)).map(({ name }) => `/${name} `)
        if (!typed.isOver()) lines.prompt()
      }
      await prompt()
      for (let line = await typed.next(); line !== undefined; line = await typed.next()) {
        stop = new AbortController()
        try {
          if (line.trim() !== '') await agent.type(line, stop.signal)
        } catch (error) {
          output.write(isAbortError(error) ? '\nStopped.\n' : `${messageOf(error)}\n`)
        }
        stop = undefined
        await prompt()
      }
    },
  }
}

/** Lines one after another; what is typed while nobody waits for it is kept. */
function linesOf(lines: Interface): { readonly next: () => Promise<string | undefined>; readonly isOver: () => boolean } {
  const kept: string[] = []
  let isOver = false
  let wake = (): void => {}
  lines.on('line', line => {
    kept.push(line)
    wake()
  })
  lines.on('close', () => {
    isOver = true
    wake()
  })
  return {
    isOver: () => isOver,
    async next() {
      if (kept.length === 0 && !isOver) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      return kept.shift()
    },
  }
}
