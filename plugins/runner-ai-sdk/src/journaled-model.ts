import type { RunJournal } from '@skills/invocation'
import type { AiLibrary } from './ai-library.js'
import type { Model } from './options.js'
import type { Part } from './bounded-stream.js'

/**
 * Number of the model's answers so far in a run, counted in this process. When the run is replayed, each call of the
 * model has the same number again.
 */
export interface AnswerCount {
  answers: number
}

/**
 * Wraps the model of a recorded run. A recorded answer is returned without asking the model. The tool calls of a new
 * answer are passed on only after the whole answer arrived. The journal records it before the first of them begins,
 * because the calls of an unrecorded answer would be made again.
 */
export function journaledModel(
  ai: Pick<AiLibrary, 'wrapLanguageModel'>,
  model: Model,
  journal: RunJournal,
  count: AnswerCount,
): Model {
  return ai.wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v3',
      wrapStream({ doStream, params: { prompt, tools, toolChoice, responseFormat } }) {
        const step = {
          kind: 'model',
          key: `model ${count.answers}`,
          input: { prompt, tools, toolChoice, responseFormat },
          idempotent: true,
          title: `answer ${count.answers + 1} of ${model.modelId}`,
        } as const
        const given = new GivenStream()
        return new Promise((resolve, reject) => {
          const made = journal.step<readonly Part[]>(step, async begin => {
            await begin()
            const { stream, ...rest } = await doStream()
            resolve({ ...rest, stream: given.stream })
            const parts: Part[] = []
            for await (const part of stream) {
              if (part.type === 'error') throw part.error
              given.add(part)
              join(parts, part)
            }
            return parts
          })
          made.then(
            parts => {
              count.answers += 1
              resolve({ stream: given.stream })
              given.end(parts)
            },
            (error: unknown) => {
              // The library repeats a request that was refused at once. Later errors are in the stream.
              reject(error)
              given.fail(error)
            },
          )
        })
      },
    },
  })
}

/** Stream that passes on parts until the first with effects. The others follow when all are recorded. */
class GivenStream {
  #controller: ReadableStreamDefaultController<Part> | undefined
  readonly #held: Part[] = []
  #count = 0
  #isOver = false

  readonly stream = new ReadableStream<Part>({
    start: controller => void (this.#controller = controller),
    cancel: () => void (this.#isOver = true),
  })

  add(part: Part): void {
    this.#count += 1
    const hasEffects = part.type === 'tool-call' || part.type === 'finish'
    if (hasEffects || this.#held.length > 0) this.#held.push(part)
    else this.#give(part)
  }

  /** @param recorded all parts, passed on if none were passed on before */
  end(recorded: readonly Part[]): void {
    for (const part of this.#count === 0 ? recorded : this.#held) this.#give(part)
    this.#close()
  }

  fail(error: unknown): void {
    this.#give({ type: 'error', error })
    this.#close()
  }

  #give(part: Part): void {
    if (!this.#isOver) this.#controller?.enqueue(part)
  }

  #close(): void {
    if (!this.#isOver) this.#controller?.close()
    this.#isOver = true
  }
}

/** Adds a part. Texts come in pieces of a few letters, which are recorded as one. */
function join(parts: Part[], part: Part): void {
  const last = parts.at(-1)
  const isText = part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta'
  if (isText && last?.type === part.type && last.id === part.id && part.providerMetadata === undefined)
    parts[parts.length - 1] = { ...last, delta: last.delta + part.delta }
  else if (part.type !== 'raw') parts.push(part)
}
