import { defineProvider } from '@skills/core'
import { executorContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { runnerKind } from '@skills/invocation'
import { forkExecutor, type ForkExecutorOptions } from './index.js'

const runner = defineProvider({
  kind: 'runner',
  id: 'echo',
  setup: () => ({
    run: ({ messages }) => ({
      text: messages
        .flat()
        .map(block => (block.type === 'text' ? block.text : ''))
        .join(''),
    }),
  }),
})

const variants: readonly (readonly [title: string, options: ForkExecutorOptions])[] = [
  ['execution in a fork', {}],
  [
    'execution in a fork with the skill as the system prompt',
    { prompt: 'system', agents: [{ name: 'general-purpose', tools: ['Read'] }] },
  ],
]

for (const [title, options] of variants) {
  testContract(
    title,
    executorContract(() => ({ provider: forkExecutor(options), plugins: [runner], kinds: [runnerKind] }), {
      without: {
        messages: 'What a skill says goes to the sub-agent alone.',
        context: 'Nothing about the agent that forks changes.',
      },
    }),
  )
}
