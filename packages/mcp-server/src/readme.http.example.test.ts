// #region http
import { serveHttp, type SkillsServer } from '@skills/mcp-server'

/** Serves many people, each with a token. */
async function serveAll(server: SkillsServer, people: ReadonlyMap<string, string>) {
  return serveHttp(server, { port: 0, personOf: token => people.get(token) })
}
// #endregion http

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { serving } from '../test/serving.js'

test('serves many people, as the README shows', async () => {
  const { server } = await serving({})
  const { url, close } = await serveAll(server, new Map([['token-of-ann', 'ann']]))
  onTestFinished(close)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: 'Bearer token-of-ann' } },
    }),
  )
  onTestFinished(() => client.close())
  expect((await client.listTools()).tools).toHaveLength(2)
})
