import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { sameOriginFetch } from './same-origin-fetch.js'

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('a redirect is followed within its origin, and no header goes to another one', async () => {
  const heard: string[] = []
  const other = await serve((_request, response) => {
    heard.push('asked')
    response.end()
  })
  const own = await serve((request, response) => {
    const [, , status, where] = (request.url ?? '').split('/')
    if (status === undefined) return void request.pipe(response.setHeader('x-given', String(request.headers['x-key'])))
    response.writeHead(Number(status), { location: where === 'own' ? '/end' : `${other}/x?token=s3cret` }).end()
  })
  const ask = (path: string, method = 'POST'): Promise<Response> =>
    sameOriginFetch(`${own}${path}`, { method, headers: { 'x-key': 'k' }, ...(method === 'POST' && { body: 'sent' }) })
  const answer = await ask('/go/307/own')
  expect([answer.headers.get('x-given'), await answer.text()]).toEqual(['k', 'sent'])
  expect((await ask('/go/302/own', 'GET')).status).toBe(200)
  await expect(ask('/go/302/own')).rejects.toThrow('is not followed')
  for (const status of [301, 302, 303, 307, 308])
    await expect(ask(`/go/${status}/other`)).rejects.toThrow(`${other}/x?token=***`)
  expect(heard).toEqual([])
})
