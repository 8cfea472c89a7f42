import type { Delay } from '@skills/testing/internal'
import type { Remote, SampleSkill } from '@skills/testing'

/** Connection to a {@link MemoryRemote}, until either side ends it. */
export interface MemoryConnection {
  onEnd(): void
  onNews(): void
  /** Returns names and descriptions, or something invalid if the server garbles. */
  index(): Promise<unknown>
  body(name: string): Promise<string>
  close(): void
}

/** Server in memory that offers everything a contract asks for. */
export class MemoryRemote implements Required<Remote> {
  readonly #skills = new Map<string, SampleSkill>()
  readonly #open = new Map<MemoryConnection, (reason: Error) => void>()
  #isRunning = false
  #isGarbling = false
  #wait = async (): Promise<void> => {}
  #death = deferred()

  // Methods for the contract.

  put(skills: readonly SampleSkill[]): void {
    for (const skill of skills) this.#skills.set(skill.name, skill)
    this.#tell()
  }

  remove(name: string): void {
    this.#skills.delete(name)
    this.#tell()
  }

  start(): void {
    this.#isRunning = true
  }

  stop(): void {
    this.#isRunning = false
    this.#death.resolve()
    this.#death = deferred()
    for (const [connection, end] of this.#open) {
      this.#open.delete(connection)
      end(new Error('The server has died.'))
      connection.onEnd()
    }
  }

  delay(): Delay {
    const { promise: asked, resolve: ask } = deferred()
    const { promise: held, resolve: release } = deferred()
    this.#wait = () => {
      ask()
      return held
    }
    return {
      asked,
      release: () => {
        this.#wait = async () => {}
        release()
      },
    }
  }

  garble(): () => void {
    this.#isGarbling = true
    return () => {
      this.#isGarbling = false
    }
  }

  connections(): number {
    return this.#open.size
  }

  // Methods for the clients.

  get isRunning(): boolean {
    return this.#isRunning
  }

  async connect(): Promise<MemoryConnection> {
    if (this.#isRunning) await Promise.race([this.#wait(), this.#death.promise])
    if (!this.#isRunning) throw new Error('There is no server.')
    let end: (reason: Error) => void = () => {}
    const ended = new Promise<never>((_, reject) => {
      end = reject
    })
    ended.catch(() => {})
    const answer = async <T>(give: () => T): Promise<T> =>
      Promise.race([
        ended,
        (async () => {
          await this.#wait()
          return give()
        })(),
      ])
    const connection: MemoryConnection = {
      onEnd() {},
      onNews() {},
      index: () =>
        answer(() =>
          this.#isGarbling
            ? '<html>'
            : [...this.#skills.values()].map(({ name, description }) => ({ name, description })),
        ),
      body: name => answer(() => this.#skills.get(name)?.body ?? ''),
      close: () => {
        this.#open.delete(connection)
        end(new Error('The connection was closed.'))
      },
    }
    this.#open.set(connection, end)
    return connection
  }

  #tell(): void {
    for (const connection of this.#open.keys()) connection.onNews()
  }
}

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}
