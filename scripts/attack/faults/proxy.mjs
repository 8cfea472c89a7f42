// @ts-check
import { connect, createServer } from 'node:net'

/** @typedef {'none' | 'requests' | 'answers' | 'both'} Dropped */

/** Proxy on loopback before a server. Faults of the network happen here. */
export class Proxy {
  /** @type {Set<{ readonly client: import('node:net').Socket, readonly upstream: import('node:net').Socket, dropped: Dropped }>} */
  #pairs = new Set()
  #server
  port = 0

  /** @param {number} to port of the server */
  constructor(to) {
    this.#server = createServer(client => {
      const upstream = connect(to, '127.0.0.1')
      const pair = { client, upstream, dropped: /** @type {Dropped} */ ('none') }
      this.#pairs.add(pair)
      const end = () => {
        this.#pairs.delete(pair)
        client.destroy()
        upstream.destroy()
      }
      client.on('data', data => {
        if (pair.dropped !== 'requests' && pair.dropped !== 'both') upstream.write(data)
      })
      upstream.on('data', data => {
        if (pair.dropped !== 'answers' && pair.dropped !== 'both') client.write(data)
      })
      for (const one of [client, upstream]) one.on('error', end).on('close', end)
    })
  }

  async open() {
    await new Promise(resolve => this.#server.listen(0, '127.0.0.1', () => resolve(undefined)))
    const address = this.#server.address()
    this.port = address instanceof Object ? address.port : 0
  }

  /** Closes every connection. */
  cut() {
    for (const { client, upstream } of this.#pairs) for (const one of [client, upstream]) one.destroy()
  }

  /**
   * Drops what open connections send, without closing them; they never get better. New ones are passed on.
   * @param {Dropped} what
   */
  drop(what) {
    for (const pair of this.#pairs) pair.dropped = what
  }

  close() {
    this.#server.close()
    this.cut()
  }
}
