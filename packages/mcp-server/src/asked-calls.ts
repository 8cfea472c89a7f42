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
import type { OnAsk, PermissionRequest } from '@skills/rules'
import type { ClientSession } from './client-session.js'
import type { Settled } from './options.js'

/** One request of a client that may have to ask its person. */
export interface Round {
  readonly server: Server
  readonly client: ClientSession
  readonly ctx: ServerContext
  /** What is called, with its arguments: a later round must be about the same. */
  readonly about: unknown
}

/** What a call is given: whom to ask, and what was denied because no one could be. */
export interface Asking {
  readonly onAsk: OnAsk
  readonly unanswered: readonly PermissionRequest[]
  readonly signal: AbortSignal
  readonly current: CurrentRequest
}

/** The request of the protocol that a call is answered by as things are: after a question it is another one. */
export interface CurrentRequest {
  ctx: ServerContext
}

interface Pending {
  readonly call: AskedCall<unknown>
  readonly owner: string
  readonly about: string
  readonly current: CurrentRequest
  /** Undoes the wait for its next round. */
  expire?: (() => void) | undefined
}

/** The key of the one question that is put at a time. */
const key = 'permission'

const answerSchema: ElicitRequestFormParams['requestedSchema'] = {
  type: 'object',
  properties: {
    allow: { type: 'boolean', title: 'Allow it', description: 'Holds while this client is connected.', default: false },
  },
  required: ['allow'],
}

/** Calls under way, by what a client names to go on with them. */
export class AskedCalls {
  readonly #pending = new Map<string, Pending>()
  readonly #answerMs: number
  readonly #callMs: number

  constructor(
    private readonly clock: Clock,
    { answerMs, callMs }: Pick<Settled, 'answerMs' | 'callMs'>,
  ) {
    this.#answerMs = answerMs
    this.#callMs = callMs
  }

  /** Whether a client may go on with the call that it names. */
  isOf(owner: string, state: string): boolean {
    return this.#pending.get(state)?.owner === owner
  }

  /** One round of a call: begins it or goes on with it, and gives its result or the question that it waits for. */
  async round<T>(round: Round, work: (asking: Asking) => Promise<T>): Promise<T | InputRequiredResult> {
    const { ctx } = round
    const about = JSON.stringify([ctx.mcpReq.method, round.about])
    const state = ctx.mcpReq.requestState<string>()
    const known = state === undefined ? undefined : this.#pending.get(state)
    if (state !== undefined && (known === undefined || known.about !== about))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This call is not the one that asked.')
    const id = state ?? randomUUID()
    const pending = known ?? this.#begun(round, about, work)
    pending.current.ctx = ctx
    pending.expire?.()
    this.#pending.delete(id)
    const answer = known === undefined ? undefined : inputResponse(ctx.mcpReq.inputResponses, key)
    if (answer !== undefined && answer.kind !== 'missing')
      pending.call.answer(answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.['allow'] === true)
    const step = await pending.call.next(ctx.mcpReq.signal)
    // Made by `work` of the same method, as what it is about says.
    if ('value' in step) return step.value as T
    pending.expire = this.clock.after(this.#answerMs, () => {
      this.#pending.delete(id)
      pending.call.end(new DOMException('No answer came in time.', 'AbortError'))
    })
    this.#pending.set(id, pending)
    return inputRequired({
      inputRequests: {
        [key]: inputRequired.elicit({ message: questionText(step.question), requestedSchema: answerSchema }),
      },
      requestState: id,
    })
  }

  /** Ends the calls of a client that is gone. */
  end(owner: string): void {
    for (const [id, pending] of this.#pending)
      if (pending.owner === owner) {
        pending.expire?.()
        this.#pending.delete(id)
        pending.call.end(new DOMException('The client is gone.', 'AbortError'))
      }
  }

  #begun<T>({ server, client, ctx }: Round, about: string, work: (asking: Asking) => Promise<T>): Pending {
    const canAsk = canElicit(server, ctx)
    const current = { ctx }
    const call = new AskedCall<unknown>((ask, signal) => {
      const unanswered: PermissionRequest[] = []
      const onAsk: OnAsk = async ({ request, decision, signal: inner }) => {
        if (await client.hasAgreed(request, inner)) return 'allow'
        if (!canAsk) {
          unanswered.push(request)
          return 'deny'
        }
        if (!(await ask({ request, decision }, inner))) return 'deny'
        await client.agree(request, inner)
        return 'allow'
      }
      const made = withDeadline(inner => work({ onAsk, unanswered, signal: inner, current }), {
        signals: [signal],
        limit: { ms: this.#callMs, clock: this.clock, what: 'The call' },
      })
      return client.isOfOneCall ? made.finally(() => client.close()) : made
    })
    return { call, owner: client.owner, about, current }
  }
}

/** Whether the client shows forms to its person: one that names no kind of elicitation has forms. */
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
