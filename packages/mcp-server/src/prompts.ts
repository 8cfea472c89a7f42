import {
  ProtocolError,
  ProtocolErrorCode,
  type CompleteResult,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
} from '@modelcontextprotocol/server'
import {
  isAbortError,
  mayUserInvoke,
  messageOf,
  type Catalog,
  type CatalogEntry,
  type PromptCommand,
} from '@skills/core'
import { blocksOf, deniedText, tellProgress } from './content.js'
import { argumentLine, completions, promptArguments } from './prompt-arguments.js'
import { inOrder, pageBeyond } from './pages.js'
import { outcomeWithTexts } from '@skills/invocation/internal'
import type { Invoker } from '@skills/invocation'
import type { EnginePort } from '@skills/invocation/skill-tool'
import type { AskedCalls, Round } from './asked-calls.js'
import type { Settled } from './options.js'

type PromptEntry = CatalogEntry & { readonly command: PromptCommand }

/** Prompts for the skills that a person may invoke. */
export class Prompts {
  readonly #known = new WeakMap<Catalog, readonly PromptEntry[]>()

  constructor(
    private readonly options: Settled,
    private readonly calls: AskedCalls,
    private readonly parts: { readonly invoker: Invoker; readonly port: EnginePort },
  ) {}

  async list(cursor: string | undefined, signal: AbortSignal): Promise<{ prompts: Prompt[]; nextCursor?: string }> {
    const { skills, pageSize } = this.options
    const { items, ...rest } = await pageBeyond(await this.#entries(signal), keyOf, cursor, pageSize, {
      large: options => skills.large(options),
      itemsOf: entries => entries.filter(isForPeople),
      signal,
    })
    return {
      prompts: items.map(({ name, command }) => ({
        name,
        ...(command.displayName !== name && { title: command.displayName }),
        description: command.description,
        arguments: promptArguments(command),
      })),
      ...rest,
    }
  }

  async get(
    name: string,
    given: Readonly<Record<string, string>>,
    round: Omit<Round, 'about'>,
  ): Promise<GetPromptResult | InputRequiredResult> {
    const { entry, command } = await this.#named(name, round.ctx.mcpReq.signal)
    const { skills, allowHint } = this.options
    const { invoker, port } = this.parts
    const { tells = (text: string) => text } = port
    const unknown = Object.keys(given).find(key => !promptArguments(command).some(argument => argument.name === key))
    if (unknown !== undefined)
      throw invalid(
        `The prompt "${name}" has no argument "${unknown}". Its arguments are ${promptArguments(command)
          .map(argument => argument.name)
          .join(', ')}.`,
      )
    return this.calls.round(
      { ...round, about: [name, given] },
      async ({ onAsk, unanswered, distrusted, signal, current }): Promise<GetPromptResult> => {
        const sessionId = round.client.session.id
        const stop = tellProgress(skills, sessionId, current, tells)
        try {
          await port.catalog({ signal })
          const outcome = await invoker.invoke({
            name: entry.name,
            args: argumentLine(command, given),
            caller: 'user',
            sessionId,
            onAsk,
            signal,
          })
          return {
            description: command.description,
            messages: blocksOf(outcomeWithTexts(outcome, tells)).map(content => ({ role: 'user', content })),
          }
        } catch (error) {
          if (isAbortError(error)) throw error
          const hint = await deniedText({ unanswered, distrusted }, allowHint)
          throw new ProtocolError(
            ProtocolErrorCode.InternalError,
            tells([messageOf(error), ...(hint === undefined ? [] : [hint])].join('\n')),
          )
        } finally {
          stop()
        }
      },
    )
  }

  async complete(name: string, argument: string, value: string, signal: AbortSignal): Promise<CompleteResult> {
    const { command } = await this.#named(name, signal)
    const values = completions(command, argument, value)
    return { completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 } }
  }

  async #named(name: string, signal: AbortSignal): Promise<{ entry: CatalogEntry; command: PromptCommand }> {
    const entry = (await this.options.skills.catalog({ signal, names: [name] })).get(name)
    if (entry !== undefined && isForPeople(entry)) return { entry, command: entry.command }
    throw invalid(`There is no prompt "${name}".`)
  }

  async #entries(signal: AbortSignal): Promise<readonly PromptEntry[]> {
    const catalog = await this.options.skills.catalog({ signal })
    const known = this.#known.get(catalog) ?? inOrder(catalog.entries.filter(isForPeople), keyOf)
    this.#known.set(catalog, known)
    return known
  }
}

const keyOf = ({ name }: CatalogEntry): string => name

function isForPeople(entry: CatalogEntry): entry is PromptEntry {
  return entry.command.type === 'prompt' && mayUserInvoke(entry.command)
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
