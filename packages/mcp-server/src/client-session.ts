import { randomUUID } from 'node:crypto'
import { Session } from '@skills/invocation'
import type { Skills } from '@skills/core'
import type { PermissionRequest } from '@skills/rules'
import type { Denied } from './options.js'

/** State of one client: its session of the engine, and the permissions that its user gave. */
export class ClientSession {
  readonly #agreed = new Set<string>()
  #session: Session | undefined

  /** Owner who may continue its calls. */
  readonly owner: string
  /** True if it ends with its one call, as when requests are independent of each other. */
  readonly isOfOneCall: boolean

  /** @param owner shared by sessions of one person that have no connection; default: unique */
  constructor(
    private readonly skills: Skills,
    owner?: string,
  ) {
    this.owner = owner ?? randomUUID()
    this.isOfOneCall = owner !== undefined
  }

  /** Session of the engine, opened by the first call. */
  get session(): Session {
    this.#session ??= Session.open(this.skills, { id: randomUUID() })
    // A client may have several conversations and compact them unseen, so no text counts as known to it.
    this.#session.texts.forget(undefined)
    return this.#session
  }

  /** Hears of requests of this client that are denied because a skill is not trusted. Returns the undo function. */
  onDistrusted(tell: (denied: Denied) => void): () => void {
    return this.skills.hook('permission:decided', ({ request, decision }) => {
      const { type } = decision.decisionReason
      if (type === 'trust' && decision.behavior === 'deny' && request.sessionId === this.#session?.key)
        tell({ request, decision })
    })
  }

  async hasAgreed(request: PermissionRequest, signal: AbortSignal): Promise<boolean> {
    return this.#agreed.has(await subjectOf(request, signal))
  }

  /** Stores a permission for this text of the skill, until the client disconnects. */
  async agree(request: PermissionRequest, signal: AbortSignal): Promise<void> {
    this.#agreed.add(await subjectOf(request, signal))
  }

  async close(): Promise<void> {
    await this.#session?.close()
    this.#session = undefined
  }
}

async function subjectOf(
  { tool, content, values, entry, caller }: PermissionRequest,
  signal: AbortSignal,
): Promise<string> {
  const { command } = entry
  const { manifest, digest } = command.type === 'prompt' ? command : {}
  // For a skill from a server, all files count, not only its text.
  const text = manifest === undefined ? await digest?.call(command, { signal }) : manifest.digest
  // If the text cannot be identified, the person is asked each time.
  return JSON.stringify([tool, content, values, entry.name, caller, text ?? randomUUID()])
}
