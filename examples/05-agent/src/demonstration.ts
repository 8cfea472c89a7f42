import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAnthropic } from '@ai-sdk/anthropic'
import { processHost } from '@skills/core'
import { openState, trustFolder } from '@skills/distributions/trust'
import { openAgent } from './agent.js'
import { itemsOf } from './ask-for-trust.js'
import { modelServer, type ModelRequest } from '@skills/testing/model-server'
import { saidIn } from './server/said.js'
import { scriptedAnswer } from './scripted-model.js'

const project = fileURLToPath(new URL('../project', import.meta.url))

/** Runs the agent with a scripted model behind a real connection, and checks the results. */
export async function demonstrate(write: (text: string) => void): Promise<readonly ModelRequest[]> {
  const say = (line: string): void => write(`${line}\n`)
  say(
    'No endpoint is configured, so no one thinks here: the model is a script, behind a server on this machine that speaks the protocol of Anthropic.',
  )
  say('Everything else is real: the requests, the skills, the tools, the permissions, the hooks and the files.\n')
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-')))
  const [cwd, home] = [path.join(folder, 'project'), path.join(folder, 'home')]
  const server = await modelServer('anthropic', scriptedAnswer)
  const anthropic = createAnthropic({ baseURL: server.url, apiKey: 'none' })
  const problems: string[] = []
  const questions: string[] = []
  const report = ({ message }: { readonly message: string }): void => void problems.push(message)
  try {
    await cp(project, cwd, { recursive: true })
    const host = processHost({ cwd, home, env: { PATH: process.env['PATH'] }, showsPaths: true })
    say('Who starts this trusts the folder, so its hooks and what its skills allow count.')
    const state = openState(host, { report })
    await trustFolder(state, cwd, host, { items: await itemsOf(host, state) })
    const agent = await openAgent({
      host,
      endpoint: { model: 'scripted', maxOutputTokens: 4096, modelFor: name => anthropic(name) },
      write,
      onDiagnostic: report,
      onAsk({ request: { tool, content } }) {
        questions.push(`${tool} ${content}`)
        say(`[asked: ${tool} ${content}] yes`)
        return 'allow'
      },
    })
    try {
      for (const line of ['Write the release notes of 1.2, and publish them.', '/compact', 'What have you written?']) {
        say(`\n> ${line}`)
        await agent.type(line, AbortSignal.timeout(60_000))
      }
      await check(cwd, server.requests.map(saidIn), questions)
    } finally {
      await agent.close()
    }
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
  assert.deepEqual(problems, [])
  say(`\nAs expected, over ${server.requests.length} requests.`)
  return server.requests
}

async function check(
  cwd: string,
  said: readonly ReturnType<typeof saidIn>[],
  questions: readonly string[],
): Promise<void> {
  assert.equal(
    await readFile(path.join(cwd, 'NOTES.md'), 'utf8'),
    [
      '# 1.2',
      '',
      '2 added, 1 fixed',
      '',
      '- a list can be sorted by two columns',
      '- the export writes one file for each month',
      '- a date in February was a day late',
      '',
    ].join('\n'),
  )
  // The allowed-tools of a skill allow tools in the conversation. In a fork they only restrict.
  assert.deepEqual(questions, ['Skill release-notes', 'Skill count-changes', 'Bash grep -c added: CHANGES.md'])
  const all = said.map(({ all: texts }) => texts).join('\n')
  assert.match(all, /Release notes are written here; a person publishes them\./)
  const [main, fork] = [said[0], said.find(({ system }) => system.startsWith('You do one task'))]
  assert.match(main?.news.join('\n') ?? '', /- release-notes: Write the release notes of a version/)
  assert.deepEqual(main?.tools, ['Read', 'Write', 'Search', 'Bash', 'Skill'])
  assert.deepEqual(fork?.tools, ['Search', 'Bash'])
  assert.doesNotMatch(fork?.all ?? '', /publish/)
  assert.match(said.at(-1)?.all ?? '', /What happened so far: .*## Skill "release-notes"/s)
}
