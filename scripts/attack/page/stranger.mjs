// @ts-check
import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * Starts a server of someone else on the loopback, which the same browser visits. It records every request.
 * @returns {Promise<{ port: number, heard: { url: string, headers: import('node:http').IncomingHttpHeaders }[], close(): void }>}
 */
export async function strangerServer() {
  /** @type {{ url: string, headers: import('node:http').IncomingHttpHeaders }[]} */
  const heard = []
  const server = createServer((request, response) => {
    heard.push({ url: request.url ?? '', headers: request.headers })
    response.setHeader('content-type', request.url === '/worker.js' ? 'text/javascript' : 'text/html')
    // For data that the browser keeps by host and not by port.
    response.setHeader('set-cookie', ['skills-ui=x; Path=/', 'secret=x; Path=/; HttpOnly'])
    response.end(request.url === '/worker.js' ? 'onfetch = () => {}' : '<title>Another server</title><p>Here.')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, heard, close: () => void server.close() }
}

/**
 * Tries everything that a page of another origin can do. Runs in that page; returns what it got hold of, by name.
 * @param {{ target: string, path: string, secret: string }} given `secret` is a guessed one
 */
export async function attempts({ target, path, secret }) {
  /** @type {Record<string, string>} */
  const got = {}
  const save = JSON.stringify({ path, text: '---\nallowed-tools: Bash(*)\n---\n', version: '' })
  const answer = JSON.stringify({ id: 'waits', question: 'q', answer: 'allow' })
  const questions = ['skills', 'about', 'runs', 'events', 'session', 'file?asked={}', 'skill?asked={"name":"own"}']
  /** @param {string} name @param {() => Promise<unknown>} run */
  const attempt = async (name, run) => {
    try {
      const text = await Promise.race([run(), new Promise(done => setTimeout(done, 1500))])
      if (typeof text === 'string' && text !== '') got[name] = text.slice(0, 200)
    } catch {
      // It is right that the browser refuses.
    }
  }
  /** @param {string} tag @param {Record<string, string>} attributes */
  const load = (tag, attributes) =>
    new Promise(resolve => {
      const element = document.createElement(tag)
      element.addEventListener('load', () => resolve(['script', 'img'].includes(tag) ? `${tag} loaded` : ''))
      element.addEventListener('error', () => resolve(''))
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
      document.body.append(element)
      setTimeout(resolve, 800, '')
    })
  const all = []
  for (const question of questions)
    for (const mode of /** @type {const} */ (['cors', 'no-cors']))
      for (const method of ['GET', 'POST', 'PUT', 'OPTIONS'])
        for (const headers of [{}, { authorization: `Bearer ${secret}` }, { 'content-type': 'text/plain' }])
          all.push(
            attempt(`fetch ${question} ${mode} ${method} ${Object.keys(headers)[0] ?? ''}`, async () => {
              const body = method === 'GET' ? undefined : save
              const response = await fetch(`${target}/api/${question}`, {
                mode,
                method,
                headers,
                credentials: 'include',
                ...(body && { body }),
              })
              return response.text()
            }),
          )
  for (const [name, body] of [
    ['save', save],
    ['answer', answer],
    ['session', ''],
  ])
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json'])
      all.push(
        attempt(
          `beacon ${name}`,
          async () => void navigator.sendBeacon(`${target}/api/${name}`, new Blob([body ?? ''], { type })),
        ),
      )
  for (const [name, body] of [
    ['save', save],
    ['answer', answer],
  ])
    for (const enctype of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded'])
      for (const frame of ['sink', '_blank'])
        all.push(
          attempt(`form ${name} ${enctype} ${frame}`, async () => {
            const form = document.createElement('form')
            Object.assign(form, { action: `${target}/api/${name}`, method: 'POST', enctype, target: frame })
            const input = document.createElement('input')
            input.name = body ?? ''
            form.append(input)
            document.body.append(form)
            form.submit()
          }),
        )
  for (const address of ['/', '/#/runs/waits', '/api/skills', '/assets/x.js'])
    all.push(
      attempt(`iframe ${address}`, async () => {
        await load('iframe', { src: `${target}${address}`, name: 'sink' })
        return globalThis.frames[0]?.document?.body?.innerText
      }),
      attempt(`window ${address}`, async () => {
        const opened = window.open(`${target}${address}`, 'skills-ui')
        await new Promise(done => setTimeout(done, 700))
        opened?.postMessage('asks', '*')
        return opened?.document?.body?.innerText
      }),
      attempt(`script ${address}`, () => load('script', { src: `${target}${address}` })),
      attempt(`module ${address}`, () => load('script', { type: 'module', src: `${target}${address}` })),
      attempt(`picture ${address}`, () => load('img', { src: `${target}${address}` })),
      attempt(`sheet ${address}`, () => load('link', { rel: 'stylesheet', href: `${target}${address}` })),
      attempt(`prefetch ${address}`, () => load('link', { rel: 'prefetch', href: `${target}${address}` })),
      attempt(`prerender ${address}`, () => load('link', { rel: 'prerender', href: `${target}${address}` })),
      attempt(`object ${address}`, () => load('embed', { src: `${target}${address}` })),
    )
  all.push(
    attempt(
      'events',
      () =>
        new Promise(resolve => {
          const events = new EventSource(`${target}/api/events`, { withCredentials: true })
          events.addEventListener('open', () => resolve('open'))
          events.addEventListener('error', () => resolve(''))
        }),
    ),
    attempt(
      'socket',
      () =>
        new Promise(resolve => {
          const socket = new WebSocket(`${target.replace('http', 'ws')}/api/events`)
          socket.addEventListener('open', () => resolve('open'))
          socket.addEventListener('error', () => resolve(''))
        }),
    ),
    attempt(
      'channel',
      () =>
        new Promise(resolve => {
          const tabs = new BroadcastChannel('skills-ui')
          tabs.addEventListener('message', ({ data }) => resolve(JSON.stringify(data)))
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of its origin alone
          tabs.postMessage('asks')
        }),
    ),
    attempt('storage', async () => sessionStorage.getItem('skills-ui') ?? localStorage.getItem('skills-ui')),
    attempt('opener', async () => window.opener?.location.href),
    attempt('worker of the target', async () => {
      const worker = new SharedWorker(`${target}/assets/x.js`)
      worker.port.start()
      return 'made'
    }),
    attempt('service worker', async () => {
      await navigator.serviceWorker.register('/worker.js', { scope: '/' })
      await navigator.serviceWorker.register(`${target}/worker.js`)
      return 'registered for the target'
    }),
  )
  await Promise.all(all)
  return { tried: all.length, got }
}
