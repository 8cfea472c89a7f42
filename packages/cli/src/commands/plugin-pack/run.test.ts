import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { readTarball } from '@skills/authoring'
import { runIn, type Ran } from '../../../test/console.js'

/** Search path without npm. */
const noPrograms = import.meta.dirname

let tree: TempTree
afterEach(() => tree.dispose())

const { PATH } = process.env
const manifest = {
  name: '@acme/tools',
  version: '1.0.0',
  description: 'Tools.',
  files: ['skills'],
  skillsPaths: ['./skills'],
}
const skill = '---\nname: a\ndescription: Does it. Use it when asked.\n---\nDo it.\n'
const sound = {
  'p/package.json': JSON.stringify(manifest),
  'p/README.md': 'x',
  'p/skills/a/SKILL.md': skill,
  'p/skills/a/scripts/run.sh': 'echo\n',
}

async function pack(
  entries: TreeEntries,
  argv: readonly string[] = ['p'],
  env: Record<string, string | undefined> = { PATH },
): Promise<Ran> {
  tree = tempTree(entries)
  return runIn(['plugin', 'pack', ...argv], { cwd: tree.path, env: { HOME: tree.path, ...env } })
}

test('the tarball is made, and every skill of the folder is loaded from it', async () => {
  const { code, stdout, stderr } = await pack(sound)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.split('\n').filter(line => !/^4 files, \d+ B$/.test(line))).toEqual([
    'acme-tools-1.0.0.tgz',
    '',
    '  README.md',
    '  package.json',
    '  skills/a/SKILL.md',
    '  skills/a/scripts/run.sh',
    '',
    expect.stringMatching(/^1 skill, /),
    '  tools:a',
    '',
  ])
  const files = await readTarball(readFileSync(`${tree.path}/acme-tools-1.0.0.tgz`), 'x')
  expect('severity' in files ? files : files.map(({ path }) => path).sort()).toEqual([
    'package/README.md',
    'package/package.json',
    'package/skills/a/SKILL.md',
    'package/skills/a/scripts/run.sh',
  ])
  expect(readdirSync(`${tree.path}/p`).sort()).toEqual(['README.md', 'package.json', 'skills'])
})

test('a plugin of the standard is packed with its manifest and servers, and keeps the name in its manifest', async () => {
  const schemas = 'https://agent-plugins.org/schemas/1.0.0'
  const { code, stdout } = await pack(
    {
      ...sound,
      'p/package.json': JSON.stringify({ ...manifest, files: ['skills', 'plugin.json', 'mcp.json'] }),
      'p/plugin.json': JSON.stringify({ $schema: `${schemas}/plugin.schema.json`, name: 'acme.tools' }),
      'p/mcp.json': JSON.stringify({ $schema: `${schemas}/mcp.schema.json`, mcpServers: {} }),
    },
    ['p', '--json'],
  )
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { packed: expect.arrayContaining(['mcp.json', 'plugin.json']) as string[], skills: [{ name: 'acme.tools:a' }] },
  ])
})

test('--out names the folder, which is made, and --json tells where the tarball is', async () => {
  const { stdout } = await pack(sound, ['p', '--out', 'made/here', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    tarball: `${tree.path}/made/here/acme-tools-1.0.0.tgz`,
    packed: ['README.md', 'package.json', 'skills/a/SKILL.md', 'skills/a/scripts/run.sh'],
    skills: [{ name: 'tools:a' }],
  })
  expect(readdirSync(`${tree.path}/made/here`)).toEqual(['acme-tools-1.0.0.tgz'])
})

test('a plugin with errors is not packed', async () => {
  const { code, stdout, stderr } = await pack({
    ...sound,
    'p/package.json': JSON.stringify({ ...manifest, files: ['docs'] }),
  })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^skills: Nothing was packed, .*\n$/) as string,
  })
  expect(stdout).toContain('left-out')
  expect(readdirSync(tree.path).filter(name => name !== '.npm')).toEqual(['p'])
})

test('what a script of the package takes away from the tarball is found out', async () => {
  const scripts = { prepack: 'node -e "fs.rmSync(\'skills/a\', { recursive: true })"' }
  const { code, stderr } = await pack(
    {
      ...sound,
      'p/skills/b/SKILL.md': skill.replace('name: a', 'name: b'),
      'p/package.json': JSON.stringify({ ...manifest, scripts }),
    },
    ['p', '--scripts'],
  )
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^skills: .*: skills\/a\/SKILL\.md\. .*\n$/) as string,
  })
  expect(existsSync(`${tree.path}/acme-tools-1.0.0.tgz`)).toBe(false)
})

test('a tarball whose skills go by other names than in the folder is not made', async () => {
  const own = { 'p/.claude-plugin/plugin.json': '{"name":"other-name"}' }
  const scripts = { prepack: 'node -e "fs.rmSync(\'.claude-plugin\', { recursive: true })"' }
  const { code, stderr } = await pack(
    {
      ...sound,
      ...own,
      'p/package.json': JSON.stringify({ ...manifest, files: ['skills', '.claude-plugin'], scripts }),
    },
    ['p', '--scripts'],
  )
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^skills: .*: skills\/a\/SKILL\.md as tools:a instead of other-name:a\. .* \.claude-plugin\/plugin\.json .*"skillsPaths"\.\n$/,
    ) as string,
  })
  expect(existsSync(`${tree.path}/acme-tools-1.0.0.tgz`)).toBe(false)
})

test('a plugin that nothing but its folder names is not packed under the name of the package', async () => {
  const { code, stderr } = await pack({
    ...sound,
    'p/package.json': JSON.stringify({ ...manifest, skillsPaths: undefined }),
  })
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('skills/a/SKILL.md as tools:a instead of p:a. '),
  })
})

test('a command whose text stands in a manifest is looked for by its name', async () => {
  const commands = {
    'p/.claude-plugin/plugin.json': JSON.stringify({
      name: 'tools',
      commands: { push: { content: 'Push.' }, pull: { content: 'Pull.' } },
    }),
  }
  const scripts = {
    prepack: `node -e "fs.writeFileSync('.claude-plugin/plugin.json', fs.readFileSync('.claude-plugin/plugin.json', 'utf8').replace('pull', 'fetch'))"`,
  }
  const { code, stderr } = await pack(
    {
      ...sound,
      ...commands,
      'p/package.json': JSON.stringify({ ...manifest, files: ['skills', '.claude-plugin'], scripts }),
    },
    ['p', '--scripts'],
  )
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^skills: .*: tools:pull\. .*\n$/) as string,
  })
})

test('a plugin whose manifest is published keeps the name that it gives', async () => {
  const { code, stdout } = await pack({
    ...sound,
    'p/.claude-plugin/plugin.json': '{"name":"other-name"}',
    'p/package.json': JSON.stringify({ ...manifest, files: ['skills', '.claude-plugin'] }),
  })
  expect(code).toBe(0)
  expect(stdout).toMatch(/1 skill, .*\n {2}other-name:a\n/)
})

test('a script of the package that fails is told of', async () => {
  const { code, stderr } = await pack(
    { ...sound, 'p/package.json': JSON.stringify({ ...manifest, scripts: { prepack: 'exit 3' } }) },
    ['p', '--scripts'],
  )
  expect(code).toBe(1)
  expect(stderr).toContain('npm pack failed')
})

test('without npm it says what is missing', async () => {
  expect(await pack(sound, ['p'], { PATH: noPrograms })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^skills: npm .*Node/),
  })
})

test('a place where nothing can be put is told of, and what is there stays', async () => {
  expect(await pack({ ...sound, taken: 'mine' }, ['p', '--out', 'taken'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(' tarball '),
  })
  expect(readFileSync(`${tree.path}/taken`, 'utf8')).toBe('mine')
})

test.runIf(process.platform === 'linux')('a place where the system makes no folders is told of', () => {
  tree = tempTree(sound)
  const given = { cwd: tree.path, env: { HOME: tree.path, PATH } }
  const contents = `
    import { runIn } from '../../../test/console.js'
    runIn(['plugin', 'pack', 'p', '--out', '/proc/x/y'], ${JSON.stringify(given)}).then(ran => console.log(JSON.stringify(ran)))`
  const file = `${tree.path}/child.cjs`
  buildSync({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    outfile: file,
    platform: 'node',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    tsconfig: fileURLToPath(new URL('../../../../../tsconfig.json', import.meta.url)),
  })
  // Runs in a process of its own, because a recursive mkdir never returns there and cannot be interrupted from its own
  // process.
  const { signal, stdout } = spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  expect({ signal, ran: JSON.parse(stdout || '{}') }).toMatchObject({
    signal: null,
    ran: { code: 1, stderr: expect.stringMatching(/^skills: .* \/proc\/x\/y: .*'\/proc\/x(?:\/y)?'\. .*--out\.\n$/) },
  })
})

test('packing again replaces the tarball of before', async () => {
  await pack(sound)
  writeFileSync(`${tree.path}/acme-tools-1.0.0.tgz`, 'old')
  chmodSync(`${tree.path}/acme-tools-1.0.0.tgz`, 0o644)
  expect(await runIn(['plugin', 'pack', 'p'], { cwd: tree.path, env: { HOME: tree.path, PATH } })).toMatchObject({
    code: 0,
  })
  expect(await readTarball(readFileSync(`${tree.path}/acme-tools-1.0.0.tgz`), 'x')).toHaveLength(4)
})

test('what npm hands to the programs that it starts does not count', async () => {
  expect(
    await pack(sound, ['p'], {
      PATH,
      npm_config_dry_run: 'true',
      npm_config_workspace: 'nowhere',
      npm_config_json: 'false',
    }),
  ).toMatchObject({ code: 0 })
})

test.runIf(process.platform !== 'win32')(
  'no configuration of a folder, or of one above it, counts, and no script is run unasked',
  async () => {
    const hostile = (at: string): string =>
      ['cache', 'prefix', 'logs-dir', 'tmp', 'globalconfig', 'userconfig', 'init-module', 'pack-destination']
        .map(key => `${key}=${at}/canary-${key}\n`)
        .join('') +
      `script-shell=${at}/evil.sh\ngit=${at}/evil.sh\neditor=${at}/evil.sh\nnode-options=--require=${at}/evil.cjs\nignore-scripts=false\nforeground-scripts=true\n`
    tree = tempTree({
      ...sound,
      'package.json': JSON.stringify({ name: 'above', private: true, workspaces: ['p'] }),
      'p/package.json': JSON.stringify({
        ...manifest,
        scripts: {
          prepack: 'touch "$CANARY-prepack"',
          prepare: 'touch "$CANARY-prepare"',
          postpack: 'touch "$CANARY-postpack"',
        },
      }),
      'evil.sh': { content: '#!/bin/sh\ntouch "$CANARY-shell"\n', mode: 0o755 },
      'evil.cjs': 'require("node:fs").writeFileSync(process.env.CANARY + "-node", "")',
    })
    for (const rc of ['.npmrc', 'p/.npmrc']) writeFileSync(`${tree.path}/${rc}`, hostile(tree.path))
    const env = { HOME: tree.path, PATH, CANARY: `${tree.path}/canary` }
    const before = readdirSync(tree.path).sort()
    expect((await runIn(['plugin', 'check', 'p'], { cwd: tree.path, env })).code).toBe(0)
    const { code, stderr } = await runIn(['plugin', 'pack', 'p'], { cwd: tree.path, env })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^skills: prepack .* prepare .* postpack .* package\.json .* not run: add --scripts .*\n$/,
      ) as string,
    })
    expect(readdirSync(tree.path).sort()).toEqual([...before, 'acme-tools-1.0.0.tgz'].sort())
    expect(readdirSync(`${tree.path}/p`).sort()).toEqual(['.npmrc', 'README.md', 'package.json', 'skills'])
  },
)

test.skipIf(process.platform === 'win32').each(['package.json', '.npmignore', '.gitignore'])(
  'a pipe in place of %s is an error, and npm does not wait for it',
  async name => {
    const others = Object.fromEntries(Object.entries(sound).filter(([path]) => path !== `p/${name}`))
    tree = tempTree(others)
    spawnSync('mkfifo', [`${tree.path}/p/${name}`])
    const { code, stdout, stderr } = await runIn(['plugin', 'pack', 'p'], {
      cwd: tree.path,
      env: { HOME: tree.path, PATH },
    })
    expect(code).toBe(1)
    expect(`${stdout}${stderr}`).toContain(`${name} is a named pipe`)
  },
)
