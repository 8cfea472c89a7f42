import { randomUUID } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { oneLine } from '@skills/invocation/skill-tool'
import { printable } from '@skills/invocation/skill-tool/terminal-text'
import { AskedCall, type Question } from './asked-call.js'
import { withDeadline, type Clock } from '@skills/core'
import type { OnAsk } from '@skills/rules'
import type { EnginePort } from '@skills/invocation/skill-tool'
import type { ClientSession } from './client-session.js'
import type { Denied, Settled } from './options.js'

/** One request of a client. The client may have to ask its user. */
export interface Round {
  readonly server: Server
  readonly client: ClientSession
  readonly ctx: ServerContext
  /** Name and arguments of the call. A later round has to have the same. */
  readonly about: unknown
}

/**
 * Values for a call: the function that asks a person, and the requests that were denied because no one could be asked.
 */
export interface Asking {
  readonly onAsk: OnAsk
  readonly unanswered: readonly Denied[]
  /** Requests of the session that were denied because a skill is not trusted. */
  readonly distrusted: readonly Denied[]
  readonly signal: AbortSignal
  readonly current: CurrentRequest
}

/** Request of the protocol that the call answers at present. After each question it is another request. */
export interface CurrentRequest {
  ctx: ServerContext
}

interface Pending {
  readonly call: AskedCall<unknown>
  readonly owner: string
  readonly about: string
  readonly current: CurrentRequest
  /** Cancels the wait for its next round. */
  expire?: (() => void) | undefined
}

/** Key of the question. Only one question is sent at a time. */
const key = 'permission'

const answerSchema: ElicitRequestFormParams['requestedSchema'] = {
  type: 'object',
  properties: {
    allow: { type: 'boolean', title: 'Allow it', description: 'Holds while this client is connected.', default: false },
  },
  required: ['allow'],
}

/** Calls in progress, by the name with which a client continues them. */
export class AskedCalls {
  readonly #pending = new Map<string, Pending>()
  readonly #answerMs: number
  readonly #callMs: number

  constructor(
    private readonly clock: Clock,
    { answerMs, callMs }: Pick<Settled, 'answerMs' | 'callMs'>,
    private readonly tells: NonNullable<EnginePort['tells']> = text => text,
  ) {
    this.#answerMs = answerMs
    this.#callMs = callMs
  }

  /** True if a client may continue the call that it names. */
  isOf(owner: string, state: string): boolean {
    return this.#pending.get(state)?.owner === owner
  }

  /** Runs one round of a call: begins or continues it, and returns its result or the question that it waits for. */
  async round<T>(round: Round, work: (asking: Asking) => Promise<T>): Promise<T | InputRequiredResult> {
    const { ctx } = round
    const about = JSON.stringify([ctx.mcpReq.method, round.about])
    const state = ctx.mcpReq.requestState<string>()
    const known = state === undefined ? undefined : this.#pending.get(state)
    if (state !== undefined && (known === undefined || known.about !== about))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This answer belongs to another call.')
    const id = state ?? randomUUID()
    const pending = known ?? this.#begun(round, about, work)
    pending.current.ctx = ctx
    pending.expire?.()
    this.#pending.delete(id)
    const answer = known === undefined ? undefined : inputResponse(ctx.mcpReq.inputResponses, key)
    if (answer !== undefined && answer.kind !== 'missing')
      pending.call.answer(answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.['allow'] === true)
    const step = await pending.call.next(ctx.mcpReq.signal)
    // The value was made by `work` of the same method, because `about` is the same.
    if ('value' in step) return step.value as T
    pending.expire = this.clock.after(this.#answerMs, () => {
      this.#pending.delete(id)
      pending.call.end(new DOMException('No answer came in time.', 'AbortError'))
    })
    this.#pending.set(id, pending)
    return inputRequired({
      inputRequests: {
        [key]: inputRequired.elicit({
          message: this.tells(questionText(step.question)),
          requestedSchema: answerSchema,
        }),
      },
      requestState: id,
    })
  }

  /** Ends the calls of a client that has disconnected. */
  end(owner: string): void {
    for (const [id, pending] of this.#pending)
      if (pending.owner === owner) {
        pending.expire?.()
        this.#pending.delete(id)
        pending.call.end(new DOMException('The client has disconnected.', 'AbortError'))
      }
  }

  #begun<T>({ server, client, ctx }: Round, about: string, work: (asking: Asking) => Promise<T>): Pending {
    const canAsk = canElicit(server, ctx)
    const current = { ctx }
    const call = new AskedCall<unknown>((ask, signal) => {
      const unanswered: Denied[] = []
      const distrusted: Denied[] = []
      const onAsk: OnAsk = async ({ request, decision, signal: inner }) => {
        if (await client.hasAgreed(request, inner)) return 'allow'
        if (!canAsk) {
          unanswered.push({ request, decision })
          return 'deny'
        }
        if (!(await ask({ request, decision }, inner))) return 'deny'
        await client.agree(request, inner)
        return 'allow'
      }
      const stop = client.onDistrusted(denied => void distrusted.push(denied))
      const made = withDeadline(inner => work({ onAsk, unanswered, distrusted, signal: inner, current }), {
        signals: [signal],
        limit: { ms: this.#callMs, clock: this.clock, what: 'The call' },
      })
      return made.finally(async () => {
        stop()
        if (client.isOfOneCall) await client.close()
      })
    })
    return { call, owner: client.owner, about, current }
  }
}

/** True if the client can show forms to its user. A client that names no kind of elicitation can. */
function canElicit(server: Server, { mcpReq: { envelope } }: ServerContext): boolean {
  const ofRequest = new Map<string, unknown>(Object.entries(envelope ?? {})).get(CLIENT_CAPABILITIES_META_KEY)
  const elicitation = membersOf(ofRequest ?? server.getClientCapabilities())['elicitation']
  return (
    elicitation !== undefined &&
    (membersOf(elicitation)['form'] !== undefined || membersOf(elicitation)['url'] === undefined)
  )
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function questionText({ request: { tool, content, entry }, decision }: Question): string {
  const name = oneLine(entry.name)
  const what =
    tool === 'Skill' ? `The skill "${name}" is to run.` : `The skill "${name}" wants to use ${oneLine(tool)}:`
  return [what, ...(tool === 'Skill' ? [] : [printable(content)]), `${oneLine(decision.message)}. Allow it?`].join('\n')
}
