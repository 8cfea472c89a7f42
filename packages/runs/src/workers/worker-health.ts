import { lstatSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { messageOf, SkillsError, type Host } from '@skills/core'
import { namedRoot, writeNamed } from '@skills/state/writer'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Places where a supervisor reads the health of a worker. */
export interface HealthPlaces {
  /** Port on 127.0.0.1 for `GET /live` and `GET /ready`; 0 for any free port. */
  readonly port?: number | undefined
  /** File that exists while the worker is ready, and is written again every ten seconds. Relative to the working folder. */
  readonly file?: string | undefined
}

/** Milliseconds that the queue has to answer. */
const patienceMs = 2_000
/** Milliseconds for which an answer of the queue holds, so that probes do not load the server. */
const holdsMs = 1_000
/** Milliseconds between two writes of the file. */
const fileMs = 10_000

/**
 * Health of a worker. It is live while its process answers, and ready while it takes runs and its queue answers. A
 * worker that is ready again after its queue was away says so by itself: nothing has to restart it.
 */
export class WorkerHealth {
  #phase: 'starting' | 'working' | 'draining' = 'starting'
  #server: Server | undefined
  #asked: { readonly at: number; readonly answer: Promise<string | undefined> } | undefined
  #isWritten = false
  #stopWriting = (): void => {}

  /**
   * @param ask rejects if the queue cannot be reached
   * @param onError called if the file cannot be written while the worker works
   */
  constructor(
    private readonly places: HealthPlaces,
    private readonly host: Pick<Host, 'cwd' | 'clock'>,
    private readonly ask: () => Promise<unknown>,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Address of the server. Undefined if none was asked for. */
  get url(): string | undefined {
    const address = this.#server?.address()
    return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : undefined
  }

  /**
   * Begins to answer, not ready yet, and removes a file that a killed worker left. Rejects with `E_INVALID_OPTION` for a
   * port that is taken, and for a file that is something else.
   */
  async open(): Promise<void> {
    const { port } = this.places
    const file = this.#file()
    if (file !== undefined) {
      const there = lstatSync(file, { throwIfNoEntry: false })
      if (there?.isFile() === false) throw unusable(`${file} is no regular file.`, 'Give the path of a file.')
      if (there !== undefined) this.#root(file).remove(basename(file))
    }
    if (port === undefined) return
    const { createServer } = await import('node:http')
    const limits = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 }
    const server = createServer(limits, (request, response) => void this.#answer(request, response))
    server.maxConnections = 16
    await new Promise<void>((listening, reject) => {
      server.once('error', error =>
        reject(unusable(`The port ${port} cannot be listened on: ${messageOf(error)}.`, 'Give another port, or 0.')),
      )
      server.listen(port, '127.0.0.1', listening)
    })
    this.#server = server
  }

  /** Says that the worker takes runs. Throws `E_WRITE` if the file cannot be written. */
  begin(): void {
    this.#phase = 'working'
    const file = this.#file()
    if (file === undefined) return
    this.#write(file)
    const again = async (): Promise<void> => {
      await this.#follow(file).catch(this.onError)
      if (this.#phase === 'working') this.#stopWriting = this.host.clock.after(fileMs, () => void again())
    }
    this.#stopWriting = this.host.clock.after(fileMs, () => void again())
  }

  /** Says that the worker takes no more runs. It is still live. */
  drain(): void {
    this.#phase = 'draining'
    this.#stopWriting()
    const file = this.#file()
    if (file !== undefined) this.#remove(file)
  }

  async close(): Promise<void> {
    this.drain()
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    const closed = new Promise<void>(done => void server.close(() => done()))
    server.closeAllConnections()
    await closed
  }

  /** Returns why the worker is not ready. Undefined if it is. */
  async #whyNot(): Promise<string | undefined> {
    if (this.#phase === 'starting') return 'the worker is starting'
    if (this.#phase === 'draining') return 'the worker takes no more runs'
    const now = this.host.clock.now()
    if (this.#asked === undefined || now - this.#asked.at >= holdsMs || now < this.#asked.at)
      this.#asked = { at: now, answer: this.#reached() }
    return this.#asked.answer
  }

  async #reached(): Promise<string | undefined> {
    let stopWaiting = (): void => {}
    const late = new Promise<string>(told => {
      stopWaiting = this.host.clock.after(patienceMs, () => told(`the queue did not answer within ${patienceMs} ms`))
    })
    const answered = this.ask().then(
      () => undefined,
      (error: unknown) => messageOf(error),
    )
    return Promise.race([answered, late]).finally(stopWaiting)
  }

  async #answer({ url = '', method = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, told: object): void => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        connection: 'close',
      })
      response.end(method === 'HEAD' ? undefined : `${JSON.stringify(told)}\n`)
    }
    const [path = ''] = url.split('?', 1)
    if (path !== '/live' && path !== '/ready') return send(404, { problem: 'Ask for /live or /ready.' })
    if (method !== 'GET' && method !== 'HEAD') return send(405, { problem: 'Ask with GET.' })
    if (path === '/live') return send(200, { live: true })
    const problem = await this.#whyNot()
    return problem === undefined ? send(200, { ready: true }) : send(503, { ready: false, problem })
  }

  async #follow(file: string): Promise<void> {
    const isReady = (await this.#whyNot()) === undefined
    if (this.#phase !== 'working') return
    if (isReady) this.#write(file)
    else this.#remove(file)
  }

  #write(file: string): void {
    const { clock, cwd } = this.host
    writeNamed(file, `${JSON.stringify({ pid: process.pid, at: new Date(clock.now()).toISOString() })}\n`, cwd)
    this.#isWritten = true
  }

  #remove(file: string): void {
    if (!this.#isWritten) return
    this.#isWritten = false
    this.#root(file).remove(basename(file))
  }

  #file(): string | undefined {
    const { file } = this.places
    return file === undefined ? undefined : resolve(this.host.cwd, file)
  }

  #root(file: string): ReturnType<typeof namedRoot> {
    return namedRoot(dirname(file), this.host.cwd)
  }
}

const unusable = (message: string, hint: string): SkillsError => new SkillsError('E_INVALID_OPTION', message, { hint })
