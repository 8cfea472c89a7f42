// @ts-check
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'

/** The most sockets of strangers that a server may hold at one time, with some room for its own. */
const mostSockets = 300

/**
 * Opens connections that say nothing, send half of a request, an endless body or no request at all, or never read.
 * Checks that the page's own question is answered meanwhile, and that the server holds a bounded number of them.
 * @param {{ origin: string, pid: number, secret: string, count: number, own: () => Promise<number> }} given
 */
export async function floods({ origin, pid, secret, count, own }) {
  const { hostname, port, host } = new URL(origin)
  /** @type {string[]} */
  const failures = []
  const head = `Host: ${host}\r\n`
  const listening = `GET /api/events HTTP/1.1\r\n${head}Authorization: Bearer ${secret}\r\n\r\n`
  const asset = `GET / HTTP/1.1\r\n${head}\r\n`
  const kinds = {
    'say nothing': '',
    'send half of a head': `GET / HTTP/1.1\r\n${head}X: `,
    'send half of a body': `POST /api/save HTTP/1.1\r\n${head}Content-Length: 100000000\r\n\r\n{`,
    'send half of a body with the secret': `POST /api/save HTTP/1.1\r\n${head}Content-Type: application/json\r\nAuthorization: Bearer ${secret}\r\nContent-Length: 4000000\r\n\r\n{`,
    'ask for the page and do not read': asset.repeat(500),
    'listen and do not read': listening,
    'have a large head': `GET / HTTP/1.1\r\n${head}X: ${'x'.repeat(1_000_000)}\r\n\r\n`,
    'have many headers': `GET / HTTP/1.1\r\n${head}${'X: y\r\n'.repeat(5000)}\r\n`,
    'send chunks that never end': `POST /api/save HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(1000)}`,
    'send two lengths': `POST /api/save HTTP/1.1\r\n${head}Content-Length: 1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'send no request': '\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03',
    'speak HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'ask for a tunnel': `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${head}\r\n`,
    'ask for an upgrade': `GET /api/events HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    'wait for a hundred': `POST /api/save HTTP/1.1\r\n${head}Expect: 100-continue\r\nContent-Length: 100\r\n\r\n`,
  }
  let tried = 0
  for (const [what, said] of Object.entries(kinds)) {
    const sockets = Array.from({ length: Math.max(40, Math.ceil(count / 15)) }, () => {
      const socket = connect(Number(port), hostname).on('error', () => {})
      socket.pause()
      if (said !== '') socket.write(said)
      return socket
    })
    await Promise.all(
      sockets.map(socket =>
        socket.connecting ? Promise.race([once(socket, 'connect'), once(socket, 'close')]) : undefined,
      ),
    )
    const status = await own()
    if (status !== 200)
      failures.push(`Among ${sockets.length} connections that ${what} a question was answered with ${status}.`)
    const held = readdirSync(`/proc/${pid}/fd`).length
    if (held > mostSockets) failures.push(`Of ${sockets.length} connections that ${what} the server holds ${held}.`)
    tried += sockets.length
    for (const socket of sockets) socket.destroy()
  }
  return { tried, failures }
}
