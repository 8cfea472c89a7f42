import { createSkills } from '@skills/core'
import { Invoker } from '@skills/invocation'
import type { OnAsk } from '@skills/rules'
import { memoryState } from '@skills/state'
import { fakeHost, tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { McpServer, recordOf } from '../../../plugins/source-mcp/test/mcp-server.js'
import { standard } from '../src/index.js'
import type { McpSourceOptions } from '@skills/source-mcp'

const call = 'mcp__shop__refunds'
const refunds = { name: 'refunds', description: 'Handles refunds.' }
const rules = 'No receipt, no refund.'

/** Makes a host whose rules allow the skills of a server, and whose person says yes to each question. */
function shopper(options: Partial<McpSourceOptions> = {}) {
  const server = new McpServer()
  const tree = tempTree({ 'home/.git': { dir: true } })
  const state = memoryState()
  const asked: string[] = []
  const onAsk = async ({ decision, approve }: Parameters<OnAsk>[0]): Promise<'allow'> => {
    asked.push(decision.message)
    await approve?.()
    return 'allow'
  }
  const host = fakeHost({ cwd: `${tree.path}/home`, home: `${tree.path}/home` })
  const distribution = standard({
    host,
    bundled: false,
    state,
    rules: { allow: ['Skill(mcp__shop__*)'] },
    mcp: { servers: { shop: { transport: () => server.transport() } }, waitMs: Infinity, ...options },
    onDiagnostic: () => {},
  })
  const skills = createSkills(distribution)
  const invoker = new Invoker(skills, { ...distribution.invoker, onAsk })
  onTestFinished(async () => {
    await skills.close()
    tree.dispose()
  })
  return {
    server,
    asked,
    put(body: string, file = rules): void {
      server.putSkill('refunds', refunds, body, { 'references/RULES.md': file })
    },
    /** Returns the text that a model receives. */
    async run(more: { readonly onAsk?: OnAsk } = {}) {
      await skills.refresh()
      return JSON.stringify(await invoker.invoke({ name: call, caller: 'model', ...more }))
    },
  }
}

const first = `Execute skill: ${call} (the rule Skill(mcp__shop__*) of options does not count: the skill was never approved, or has changed since)`
const again = `Execute skill: ${call} (the rule Skill(mcp__shop__*) of options does not count: its server now lists files other than the approved ones)`

it('asks about a skill of a server once, and again when its server lists another file of it', async () => {
  const { put, asked, run } = shopper()
  put('Ask for the receipt.')
  expect(await run()).toContain('Ask for the receipt.')
  await run()
  expect(asked).toEqual([first])
  put('Ask for the receipt.', 'Refund all.')
  await run()
  expect(asked).toEqual([first, again])
  put('Pay.', 'Refund all.')
  expect(await run()).toContain('Pay.')
  await run()
  expect(asked).toEqual([first, again, again])
  // An earlier approval is not the last one.
  put('Ask for the receipt.')
  await run()
  expect(asked).toHaveLength(4)
})

it('reads nothing of a skill of a server before a person said yes', async () => {
  const { put, run, server } = shopper()
  put('Ask for the receipt.')
  await expect(run({ onAsk: () => 'deny' })).rejects.toMatchObject({ code: 'E_DENIED' })
  expect(server.asked).not.toContain('resources/read')
})

it('gives nothing where the server changes a skill while a person is asked', async () => {
  const { put, run, asked } = shopper()
  put('Ask for the receipt.')
  const changing = run({
    onAsk: () => {
      put('Pay.')
      return 'allow'
    },
  })
  await expect(changing).rejects.toMatchObject({ code: 'E_FILE_CHANGED', message: expect.stringContaining(call) })
  expect(await run()).toContain('Pay.')
  expect(asked).toEqual([first])
})

it('keeps no yes to one call alone', async () => {
  const { put, run, asked } = shopper()
  put('Ask for the receipt.')
  let ofCall = 0
  const onAsk: OnAsk = () => (ofCall++, 'allow')
  await run({ onAsk })
  await run({ onAsk })
  expect(ofCall).toBe(2)
  await run()
  await run()
  expect(asked).toEqual([first])
})

it('keeps no yes to a skill without digests', async () => {
  const { put, run, asked, server } = shopper({ dynamicSkills: true })
  put('Ask for the receipt.')
  server.skills = server.skills.map(one => ({ ...recordOf(one), resources: 'dynamic' }))
  await run()
  await run()
  expect(asked).toEqual([first, first])
})

it('asks about no skill of servers that the host vouches for', async () => {
  const { put, run, asked } = shopper({ asks: false })
  put('Ask for the receipt.')
  expect(await run()).toContain('Ask for the receipt.')
  expect(asked).toEqual([])
})
