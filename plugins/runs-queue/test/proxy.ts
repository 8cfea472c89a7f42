import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Proxy {
  readonly port: number
  /** Drops everything that open connections send in either direction, without closing them. New ones are passed on. */
  stall(): void
  /** Cuts the connection that next sends this text to the server, in the middle of its request; then the next text. */
  cutAt(...texts: readonly string[]): void
  /** Number of texts at which no connection was cut yet. */
  readonly left: number
}

/** Starts a proxy on loopback before the server at a port. It ends with the test. */
export async function proxyTo(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const cuts: string[] = []
  const server = createServer(client => {
    const upstream = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('data', data => {
        const [text] = cuts
        if (one !== client || text === undefined || !data.includes(text)) return void other.write(data)
        cuts.shift()
        client.destroy()
      })
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return {
    port: address instanceof Object ? address.port : 0,
    stall() {
      for (const socket of sockets) socket.removeAllListeners('data').resume()
    },
    cutAt(...texts) {
      cuts.push(...texts)
    },
    get left() {
      return cuts.length
    },
  }
}
