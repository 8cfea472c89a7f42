import { randomUUID } from 'node:crypto'
import { Session } from '@skills/invocation'
import type { Skills } from '@skills/core'
import type { PermissionRequest } from '@skills/rules'

/** What one client has of the engine: a session of its own, and the yeses that its person gave. */
export class ClientSession {
  readonly #agreed = new Set<string>()
  #session: Session | undefined

  /** Who may go on with its calls. */
  readonly owner: string
  /** Whether it ends with the call that it makes, as where each request stands for itself. */
  readonly isOfOneCall: boolean

  /** @param owner of several that are one person's and have no connection; by default no other has the same */
  constructor(
    private readonly skills: Skills,
    owner?: string,
  ) {
    this.owner = owner ?? randomUUID()
    this.isOfOneCall = owner !== undefined
  }

  /** The session of the engine, opened with the first call. */
  get session(): Session {
    this.#session ??= Session.open(this.skills, { id: randomUUID() })
    // A client may have any number of conversations, and shortens them unseen: no text counts as known to it.
    this.#session.texts.forget(undefined)
    return this.#session
  }

  async hasAgreed(request: PermissionRequest, signal: AbortSignal): Promise<boolean> {
    return this.#agreed.has(await subjectOf(request, signal))
  }

  /** Remembers a yes for as long as the client is connected, to this text of the skill and nothing else. */
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
  // Of a skill from a server all files count, not its text alone.
  const text = manifest === undefined ? await digest?.call(command, { signal }) : manifest.digest
  // A text that cannot be told from another one is asked about each time.
  return JSON.stringify([tool, content, values, entry.name, caller, text ?? randomUUID()])
}
