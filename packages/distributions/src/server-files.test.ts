import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createSkills, systemClock, type Diagnostic } from '@skills/core'
import { fakeHost, tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { consentItems, loadConfiguration, type JudgedItem } from './configuration.js'
import { standard } from './agents/standard/index.js'
import { openState, trustFolder } from './trust.js'

/** Script that writes a line when it is started, and ends. */
const script = (word: string): string => `echo ${word} >> "$(dirname "$0")/../log"\n`

function project(
  server: object,
  more: Readonly<Record<string, string>> = {},
  configuration: object = { servers: { s: server } },
) {
  const tree = tempTree({
    'home/.keep': '',
    'repo/.git/HEAD': '',
    'repo/run.sh': script('first'),
    'repo/skills.config.json': JSON.stringify(configuration),
    ...more,
  })
  onTestFinished(() => tree.dispose())
  const env = { PATH: process.env['PATH'] ?? '' }
  const host = fakeHost({
    cwd: `${tree.path}/repo`,
    home: `${tree.path}/home`,
    uid: process.getuid?.(),
    env,
    clock: systemClock,
  })
  const state = openState(host, { report: () => {} })
  const items = async (): Promise<readonly JudgedItem[]> => (await consentItems(host, { state })).items
  return {
    path: `${tree.path}/repo`,
    items,
    agree: async () => trustFolder(state, host.cwd, host, { items: await items() }),
    load: () => loadConfiguration(host, { state }),
    async start({ options }: Awaited<ReturnType<typeof loadConfiguration>>): Promise<readonly Diagnostic[]> {
      const reported: Diagnostic[] = []
      const skills = createSkills(
        standard({
          host,
          managed: { dirs: [] },
          bundled: false,
          builtin: false,
          onDiagnostic: one => void reported.push(one),
          ...options,
          mcp: { servers: {}, ...options.mcp, waitMs: 5_000, retries: 0 },
        }),
      )
      await skills.catalog()
      await skills.close()
      return reported
    },
    log: () =>
      existsSync(`${tree.path}/log`) ? readFileSync(`${tree.path}/log`, 'utf8').split('\n').filter(Boolean) : [],
  }
}

test('a server that was agreed to is asked about again when the script that it names was replaced', async () => {
  const { path, items, agree, load, start, log } = project({ command: '/bin/sh', args: ['./run.sh'] })
  expect((await items())[0]).toMatchObject({
    kind: 'server',
    text: expect.stringMatching(/ not compared:\nrun\.sh [\da-f]{64}$/),
  })
  await agree()
  await start(await load())
  expect(new Set(log())).toEqual(new Set(['first']))
  writeFileSync(`${path}/run.sh`, script('second'))
  expect(await items()).toMatchObject([{ kind: 'server', label: 's', state: 'changed' }])
  const { options, unagreed, diagnostics } = await load()
  expect([options.mcp?.servers, unagreed.map(({ label }) => label), diagnostics.length]).toEqual([{}, ['s'], 1])
  await start(await load())
  expect(log()).not.toContain('second')
  await agree()
  await start(await load())
  expect(log()).toContain('second')
})

test('a script that is replaced between the look and the start is not started', async () => {
  const { path, agree, load, start, log } = project({ command: '/bin/sh', args: ['-c', 'exec sh "./run.sh"'] })
  await agree()
  const configuration = await load()
  writeFileSync(`${path}/run.sh`, script('second'))
  expect(await start(configuration)).toMatchObject([{ message: expect.stringMatching(/"s" .* changed /) }])
  expect(log()).toEqual([])
})

test('a server that names no file of the project is agreed to as it stands', async () => {
  const { items } = project({ command: '/bin/true', args: ['--quiet'] })
  expect((await items())[0]?.text).toBe('{\n  "args": [\n    "--quiet"\n  ],\n  "command": "/bin/true"\n}')
})

test('a server with too many words to tell what it names never counts', async () => {
  const args = Array.from({ length: 30_000 }, (_none, at) => `word-${at}`)
  const { agree, load, start, log } = project({ command: '/bin/sh', args: ['./run.sh', ...args] })
  await agree()
  expect((await start(await load())).length).toBeGreaterThan(0)
  expect(log()).toEqual([])
})

test('what a script in a folder of its own is started with counts too', async () => {
  const { path, agree, items } = project(
    { command: 'sh', args: ['start'], cwd: './tools', env: { HOOK: './hook.sh', ROOT: '..' } },
    { 'repo/tools/start': 'x', 'repo/tools/hook.sh': 'x' },
  )
  await agree()
  for (const file of ['tools/start', 'tools/hook.sh']) {
    expect(await items()).toMatchObject([{ state: 'agreed' }])
    const before = readFileSync(`${path}/${file}`)
    writeFileSync(`${path}/${file}`, 'y')
    expect(await items()).toMatchObject([{ state: 'changed' }])
    writeFileSync(`${path}/${file}`, before)
  }
})

test('a plugin is agreed to with the scripts that its hooks name', async () => {
  const hook = { type: 'command', command: '"${CLAUDE_PLUGIN_ROOT}"/scripts/check.sh --fast' }
  const files = {
    'repo/own/.claude-plugin/plugin.json': '{ "name": "own" }',
    'repo/own/hooks/hooks.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
    'repo/own/scripts/check.sh': 'x',
    'repo/own/scripts/other.sh': 'x',
  }
  const { path, agree, items } = project({}, files, { plugins: ['own'] })
  await agree()
  writeFileSync(`${path}/own/scripts/other.sh`, 'y')
  expect(await items()).toMatchObject([{ kind: 'plugin', state: 'agreed' }])
  writeFileSync(`${path}/own/scripts/check.sh`, 'y')
  expect(await items()).toMatchObject([{ kind: 'plugin', state: 'changed' }])
})
