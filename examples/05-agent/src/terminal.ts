import { createInterface } from 'node:readline/promises'
import { isAbortError, messageOf, type Skills } from '@skills/core'
import { completeSlash } from '@skills/invocation'
import type { OnAsk } from '@skills/rules'
import type { Agent } from './agent.js'

export interface Terminal {
  readonly onAsk: OnAsk
  /** Asks the user. Returns true if the answer is yes. */
  confirm(question: string): Promise<boolean>
  write(text: string): void
  /** Reads lines and has the agent answer each, until there are no more. */
  run(agent: Agent): Promise<void>
}

/** Opens the terminal of a user. `/` and Tab complete names, Ctrl+C stops an answer, Ctrl+D ends the program. */
export function openTerminal(
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
  terminal = process.stdin.isTTY === true,
): Terminal {
  let skills: Skills | undefined
  let stop: AbortController | undefined
  let questions: Promise<unknown> = Promise.resolve()
  let isOver = false
  const lines = createInterface({
    input,
    output,
    terminal,
    completer: async (line: string): Promise<[string[], string]> => [
      skills === undefined ? [] : [...completeSlash(line, await skills.catalog())],
      line,
    ],
  })
  // Reading starts now, so that lines that are typed early are kept.
  const typed = lines[Symbol.asyncIterator]()
  lines.on('close', () => {
    isOver = true
  })
  lines.on('SIGINT', () => (stop === undefined ? lines.close() : stop.abort()))
  // Input from a file or a program is for the agent, and never answers a question.
  const confirm = async (question: string, signal?: AbortSignal): Promise<boolean> =>
    terminal && /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `, { ...(signal && { signal }) })).trim())
  return {
    confirm,
    write: text => void output.write(text),
    // A fork and the conversation may ask at the same time. A person gets one question after the other.
    onAsk({ request: { tool, content }, decision: { message }, signal }) {
      const answer = questions.then(async () =>
        (await confirm(tool === 'Skill' ? `${message}?` : `Use ${tool}: ${content}?`, signal))
          ? ('allow' as const)
          : ('deny' as const),
      )
      questions = answer.catch(() => undefined)
      return answer
    },
    async run(agent) {
      skills = agent.skills.engine
      lines.prompt()
      for (let line = await typed.next(); line.done !== true; line = await typed.next()) {
        stop = new AbortController()
        try {
          if (line.value.trim() !== '') await agent.type(line.value, stop.signal)
        } catch (error) {
          output.write(isAbortError(error) ? '\nStopped.\n' : `${messageOf(error)}\n`)
        }
        stop = undefined
        if (!isOver) lines.prompt()
      }
    },
  }
}
