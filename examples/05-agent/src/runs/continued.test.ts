import { spawn } from 'node:child_process'
import { processHost } from '@skills/core'
import { openRuns } from '@skills/runs'
import { tempTree } from '@skills/testing'
import { modelServer, type ModelAnswer, type Fault, type ModelRequest } from '@skills/testing/model-server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { bundledChild } from './processes.js'

const tree = tempTree({})
let program = ''
beforeAll(async () => {
  program = await bundledChild(`${tree.path}/program`, '../main')
})
afterAll(() => tree.dispose())

/** The agent itself in a process of its own, with this line typed, and ended after that once it is time. */
async function agent(
  folder: string,
  url: string,
  line: string,
  args: readonly string[] = [],
  until = async (): Promise<unknown> => undefined,
): Promise<void> {
  const env = { PATH: process.env['PATH'], HOME: folder, AGENT_BASE_URL: url, AGENT_PROTOCOL: 'anthropic' }
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => void (said += String(data)))
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  child.stdin.write(`${line}\n`)
  await until()
  child.stdin.end()
  const code = await ended
  if (code !== 0) throw new Error(said)
}

test('a fork that outlives its process reports once to the conversation that is gone on with', async () => {
  const { path, dispose } = tempTree({
    '.claude/skills/later/SKILL.md':
      '---\nname: later\ndescription: Looks later.\ncontext: fork\nbackground: true\n---\nDo job $ARGUMENTS.\n',
  })
  onTestFinished(() => dispose())
  const runs = openRuns(processHost({ home: path, env: {} }))
  let isHeld = true
  const said: string[] = []
  const answer = ({ body }: ModelRequest): ModelAnswer | Fault => {
    const text = JSON.stringify(body['messages'])
    if (text.includes('Do job one.') && !text.includes('Well?')) {
      // The process that began it ends before there is an answer.
      return isHeld ? { events: [], ending: 'silence' } : { text: 'The job is done.' }
    }
    said.push(text)
    return { text: 'I heard.' }
  }
  const server = await modelServer('anthropic', answer)
  onTestFinished(() => server.close())
  await agent(path, server.url, '/later one')
  const [begun] = (await runs.find()).flatMap(run => ('problem' in run ? [] : run))
  expect(begun).toMatchObject({ state: 'queued', progress: { steps: 0 } })
  isHeld = false
  const isDone = (): Promise<unknown> => runs.settled(begun?.id ?? '')
  for (const line of ['Well?', 'And now?', 'And then?']) await agent(path, server.url, line, ['--continue'], isDone)
  const [run] = (await runs.find()).flatMap(one => ('problem' in one ? [] : one))
  expect(run).toMatchObject({ state: 'done', result: 'The job is done.', delivered: begun?.session, epoch: 2 })
  expect(said.at(-1)?.match(/The job is done\./g)).toHaveLength(1)
  expect(said.at(-1)).toContain('Well?')
  // Another conversation has none of it.
  await agent(path, server.url, 'Anew?')
  expect(said.at(-1)).not.toContain('The job is done.')
})
