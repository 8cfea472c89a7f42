import { defineProvider } from '@skills/core'

/** Stands for a model: its answer is the last line of the skill's text, and names the process that gave it. */
export const runner = defineProvider({
  kind: 'runner',
  id: 'echo',
  setup: () => ({
    keepsSteps: true,
    async run({ messages, journal }) {
      const said = messages.flat().flatMap(block => (block.type === 'text' ? block.text.trim().split('\n') : []))
      const answer = async (begin?: () => Promise<void>): Promise<string> => {
        await begin?.()
        return `${said.at(-1)} (worker ${process.pid})`
      }
      const step = { kind: 'model', key: 'answer', input: said, idempotent: true } as const
      return { text: (await journal?.step(step, answer)) ?? (await answer()) }
    },
  }),
})
