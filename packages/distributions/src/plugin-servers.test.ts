import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createSkills, systemClock, type Diagnostic } from '@skills/core'
import { fakeHost, tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { consentItems, loadConfiguration, type JudgedItem } from './configuration.js'
import { standard } from './agents/standard/index.js'
import { openState, trustFolder } from './trust.js'
import type { DistributionOptions } from './distribution.js'

const schemas = 'https://agent-plugins.org/schemas/1.0.0'
/** Program that writes what it was started with into its data folder, and ends. */
const program = `#!/bin/sh
printf '%s\\n' "$PWD" "$PLUGIN_ROOT" "$CONFIG" "$1" > "$PLUGIN_DATA/seen"
echo started >> "$PLUGIN_ROOT/../log"
`
const server = {
  type: 'stdio',
  command: './bin/server.sh',
  args: ['${PLUGIN_DATA}'],
  env: { CONFIG: '${PLUGIN_ROOT}/config.json' },
}

function project(configuration: object) {
  const tree = tempTree({
    'home/.keep': '',
    'repo/.git/HEAD': '',
    'repo/acme/plugin.json': JSON.stringify({ $schema: `${schemas}/plugin.schema.json`, name: 'acme' }),
    'repo/acme/mcp.json': JSON.stringify({
      $schema: `${schemas}/mcp.schema.json`,
      mcpServers: { s: server, other: server },
    }),
    'repo/acme/config.json': '{}',
    'repo/acme/bin/server.sh': { content: program, mode: 0o755 },
    'repo/skills.config.json': JSON.stringify(configuration),
  })
  onTestFinished(() => tree.dispose())
  const host = fakeHost({
    cwd: `${tree.path}/repo`,
    home: `${tree.path}/home`,
    uid: process.getuid?.(),
    env: { PATH: process.env['PATH'] ?? '' },
    clock: systemClock,
  })
  const state = openState(host, { report: () => {} })
  const items = async (): Promise<readonly JudgedItem[]> => (await consentItems(host, { state })).items
  return {
    path: `${tree.path}/repo`,
    items,
    agree: async () => trustFolder(state, host.cwd, host, { items: await items() }),
    load: () => loadConfiguration(host, { state }),
    async start(options: Partial<DistributionOptions>): Promise<readonly Diagnostic[]> {
      const reported: Diagnostic[] = []
      const skills = createSkills(
        standard({
          host,
          managed: { dirs: [] },
          bundled: false,
          builtin: false,
          onDiagnostic: one => void reported.push(one),
          ...options,
          ...(options.mcp && { mcp: { ...options.mcp, waitMs: 5_000, retries: 0 } }),
        }),
      )
      await skills.catalog()
      await skills.close()
      return reported
    },
    starts: () =>
      existsSync(`${tree.path}/repo/log`) ? readFileSync(`${tree.path}/repo/log`, 'utf8').split('\n').length - 1 : 0,
  }
}

const codes = (reported: readonly Diagnostic[]): readonly string[] => [...new Set(reported.map(({ code }) => code))]

test('43 a named server starts in the root of its plugin, with its variables and its data folder', async () => {
  const { path, start, starts } = project({})
  const stateFolder = `${path}/../state`
  await start({ published: { plugins: [{ path: './acme', servers: ['s'] }], stateFolder }, mcp: { servers: {} } })
  expect(starts()).toBeGreaterThan(0)
  const root = realpathSync(`${path}/acme`)
  const [data = ''] = readdirSync(`${stateFolder}/plugins`)
  const folder = realpathSync(`${stateFolder}/plugins/${data}`)
  expect(readFileSync(`${folder}/seen`, 'utf8').trimEnd().split('\n')).toEqual([
    root,
    root,
    `${root}/config.json`,
    folder,
  ])
})

test('no server starts that is not named, and none without the source of servers', async () => {
  const { start, starts } = project({})
  await start({ published: { plugins: ['./acme'] }, mcp: { servers: {} } })
  await start({ published: { plugins: [{ path: './acme', servers: ['s'] }] } })
  await start({ published: { plugins: [{ path: './acme', servers: ['s'] }] }, mcp: { servers: {}, enabled: false } })
  // Without a configuration, nobody can have agreed to a server of a project.
  await start({ published: { plugins: [{ path: './acme', servers: ['s'], from: 'project' }] }, mcp: { servers: {} } })
  expect(starts()).toBe(0)
})

test('a server that a project names starts once a person agreed, and not once a file of it has changed', async () => {
  const { path, items, agree, load, start, starts } = project({ plugins: [{ path: './acme', servers: ['s'] }] })
  await start((await load()).options)
  expect(starts()).toBe(0)
  const [item] = await items()
  expect(item?.kind).toBe('plugin')
  for (const part of ['"servers"', 'plugin.json:', 'mcp.json:', 'bin/server.sh ', 'config.json '])
    expect(item?.text).toContain(part)
  await agree()
  const agreed = await load()
  await start(agreed.options)
  const first = starts()
  expect(first).toBeGreaterThan(0)
  writeFileSync(`${path}/acme/bin/server.sh`, `${program}# changed\n`)
  // Configured before the change.
  expect(codes(await start(agreed.options))).toContain('mcp-server-failed')
  await start((await load()).options)
  expect(starts()).toBe(first)
  await agree()
  await start((await load()).options)
  expect(starts()).toBeGreaterThan(first)
})
