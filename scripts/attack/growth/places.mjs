// @ts-check
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import path from 'node:path'

const program = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@skills/cli/package.json')),
  'dist/skills.cjs',
)
const peak = path.join(import.meta.dirname, 'peak.cjs')

/**
 * @typedef {object} Place
 * @property {string} file
 * @property {readonly (readonly string[])[]} commands
 * @property {string} [begin]
 */

/**
 * Files of others that the program reads, with commands that read them, and a beginning with which one is read further.
 */
/** @type {Readonly<Record<string, Place>>} */
export const places = {
  'skill file': {
    file: 'work/.claude/skills/x/SKILL.md',
    commands: [['list'], ['lint'], ['audit']],
    begin: '---\ndescription: x\n---\n',
  },
  'block of a skill': { file: 'work/.claude/skills/x/SKILL.md', commands: [['list'], ['lint']], begin: '---\n' },
  'legacy command': { file: 'work/.claude/commands/x.md', commands: [['list'], ['render', 'x']] },
  sidecar: {
    file: 'work/.claude/skills/kept/agents/openai.yaml',
    commands: [['list', '--distribution', 'standard'], ['lint']],
  },
  settings: {
    file: 'work/.claude/settings.json',
    commands: [['list'], ['trust', '--dry-run']],
    begin: '{"permissions": {"allow": ["',
  },
  configuration: {
    file: 'work/skills.config.json',
    commands: [['list'], ['trust', '--dry-run']],
    begin: '{"rules": {"allow": ["',
  },
  'module of a configuration': { file: 'work/skills.config.mjs', commands: [['list'], ['trust', '--dry-run']] },
  'ignore file': { file: 'work/.gitignore', commands: [['lint', '.'], ['list']] },
  'file that a skill names': { file: 'work/.claude/skills/kept/more.md', commands: [['render', 'kept'], ['lint']] },
  'plugin manifest': {
    file: 'plug/.claude-plugin/plugin.json',
    commands: [
      ['list', '--plugin-dir', '../plug'],
      ['plugin', 'check', '../plug'],
    ],
    begin: '{"name": "acme", "description": "',
  },
  'hooks of a plugin': {
    file: 'plug/hooks/hooks.json',
    commands: [
      ['audit', '--plugin-dir', '../plug'],
      ['plugin', 'check', '../plug'],
    ],
    begin: '{"hooks": {"PreToolUse": [',
  },
  'servers of a plugin': {
    file: 'plug/.mcp.json',
    commands: [
      ['list', '--plugin-dir', '../plug'],
      ['audit', '--plugin-dir', '../plug'],
    ],
    begin: '{"mcpServers": {',
  },
  marketplace: {
    file: 'market/.claude-plugin/marketplace.json',
    commands: [
      ['plugin', 'check', '../market'],
      ['lint', '../market'],
    ],
    begin: '{"name": "shop", "plugins": [',
  },
  'package file': {
    file: 'plug/package.json',
    commands: [
      ['list', '--plugin-dir', '../plug'],
      ['plugin', 'check', '../plug'],
    ],
    begin: '{"name": "acme", "version": "',
  },
}

/**
 * Things other than files that a place may hold.
 * @type {Readonly<Record<string, (at: string, root: string) => unknown>>}
 */
export const oddities = {
  'a pipe': at => execFileSync('mkfifo', [at]),
  'a socket': (at, root) =>
    new Promise((resolve, reject) => {
      // The path of a socket has a limit of about a hundred bytes. The socket is removed by its first name when the
      // process ends, so that name is absolute.
      const made = path.join(path.resolve(root), 's')
      const server = createServer().unref().once('error', reject)
      server.listen(made, () => resolve(renameSync(made, at)))
    }),
  'a link to a device': at => symlinkSync('/dev/zero', at),
  'a folder': at => mkdirSync(at),
  'a link to itself': at => symlinkSync(path.basename(at), at),
  'a file of 5 GB': at => {
    writeFileSync(at, '')
    truncateSync(at, 5 * 1024 ** 3)
  },
}

/** Makes a project with a plugin and a marketplace, all of them valid. @param {string} root */
export function plant(root) {
  rmSync(root, { recursive: true, force: true })
  for (const name of ['home', 'work/.git', 'plug/skills/p', 'market'])
    mkdirSync(path.join(root, name), { recursive: true })
  for (const { file } of Object.values(places)) mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(
    path.join(root, 'work/.claude/skills/kept/SKILL.md'),
    '---\ndescription: Kept.\n---\nSee more.md and @more.md now.\n',
  )
  writeFileSync(path.join(root, 'plug/skills/p/SKILL.md'), '---\ndescription: Of a plugin.\n---\nText.\n')
  writeFileSync(path.join(root, 'plug/.claude-plugin/plugin.json'), '{"name": "acme"}')
  writeFileSync(path.join(root, 'market/.claude-plugin/marketplace.json'), '{"name": "shop", "plugins": []}')
}

/** Milliseconds after which the program counts as hung. */
const patienceMs = 30_000

/**
 * Runs the program in a project.
 * @param {string} root
 * @param {readonly string[]} command
 * @returns {Promise<{ readonly ms: number, readonly mib: number, readonly problem: string | undefined }>} processor
 *   time and peak memory
 */
export function measure(root, command) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--require', peak, program, ...command, '--home', `${root}/home`], {
      cwd: `${root}/work`,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: `${root}/home` },
    })
    let output = ''
    child.stderr.on('data', data => (output = `${output}${data}`.slice(-4000)))
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    child.once('error', reject).once('close', code => {
      clearTimeout(timer)
      const [, ms, mib] = /took (\d+) ms and (\d+) MiB\s*$/.exec(output) ?? []
      const problem =
        ms === undefined
          ? `does not end in ${patienceMs / 1000} s, or dies: ${output.slice(-300)}`
          : code === 0 || code === 1
            ? undefined
            : `ends with ${code}`
      resolve({ ms: Number(ms), mib: Number(mib), problem })
    })
  })
}
