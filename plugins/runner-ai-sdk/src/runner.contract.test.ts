import { tool } from 'ai'
import { testRunner } from '@skills/testing/vitest'
import { z } from 'zod'
import { aiSdkRunner, type Model } from './index.js'
import { gate } from '../test/gate.js'
import { call, end, start, streamOf, text, type Part, type Sent } from '../test/scripted-model.js'
import type { RunnerFixture, RunnerScript } from '@skills/testing/internal'

/** Returns every text of a request that a model reads, in order. */
function textsOf({ prompt }: Sent): readonly string[] {
  return prompt.flatMap(message =>
    typeof message.content === 'string'
      ? [message.content]
      : message.content.flatMap(part => {
          if (part.type === 'text') return [part.text]
          return part.type === 'tool-result' && (part.output.type === 'text' || part.output.type === 'error-text')
            ? [part.output.value]
            : []
        }),
  )
}

function fixture(script: RunnerScript): RunnerFixture {
  const reads: string[] = []
  const noted: string[] = []
  const waiting = gate()
  let working = 0

  function modelOf(agent: number): Model {
    return {
      specificationVersion: 'v3',
      provider: 'test',
      modelId: 'scripted',
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error('It only streams.')),
      async doStream(sent) {
        reads[agent] = textsOf(sent).join('\n')
        const at = sent.prompt.filter(({ role }) => role === 'assistant').length
        const step = script[at] ?? { says: '' }
        if ('fails' in step) return { stream: streamOf([start, { type: 'error', error: new Error(step.fails) }]) }
        if ('waits' in step) return { stream: silence() }
        if ('repeats' in step) return { stream: streamOf([start, ...text(textsOf(sent).at(-1) ?? ''), end()]) }
        const { says, notes = [] } = step
        return {
          stream: streamOf([
            start,
            ...(says === '' ? [] : text(says)),
            ...notes.map((note, index) => call('Note', { text: note }, `${at}-${index}`)),
            end(notes.length === 0 ? 'stop' : 'tool-calls'),
          ]),
        }
      },
    }
  }

  function silence(): ReadableStream<Part> {
    working += 1
    return new ReadableStream({
      start(controller) {
        controller.enqueue(start)
        waiting.open()
      },
      cancel() {
        working -= 1
      },
    })
  }

  let agents = 0
  return {
    provider: aiSdkRunner({
      model: () => modelOf(agents++),
      tools: {
        Note: tool({
          inputSchema: z.object({ text: z.string() }),
          execute(input) {
            noted.push(input.text)
            return 'Noted.'
          },
        }),
      },
    }),
    read: () => reads,
    noted: () => noted,
    working: () => working,
    waiting: () => waiting.opened,
  }
}

testRunner('the runner of the AI SDK', fixture)
