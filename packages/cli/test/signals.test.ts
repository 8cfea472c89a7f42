import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { tempTree } from '@skills/testing'
import { realPostgres } from '../../../plugins/runs-queue/test/real-postgres.mjs'
import { commands } from '../src/commands/index.js'
import { cleanEnv, program, runToEnd } from './built.js'

// The signal arrives at a counted call to the file system, so always at the same moment. `npm run attack -- signals`
// sends signals at random moments, with much to do.
const preload = fileURLToPath(new URL('signal-at.cjs', import.meta.url))
const endings: readonly (readonly [signal: NodeJS.Signals, code: number])[] = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]

const skill = '---\ndescription: Does a thing.\n---\nDo it.\n'
const tree = tempTree({
  home: { dir: true },
  tmp: { dir: true },
  'work/.git': { dir: true },
  ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`work/.claude/skills/s${at}/SKILL.md`, skill])),
  'source/skills/a/SKILL.md': skill,
  'plug/.claude-plugin/plugin.json': '{"name": "acme"}',
  'plug/skills/p/SKILL.md': skill,
})
afterAll(() => tree.dispose())

const server = await realPostgres()
afterAll(() => server.dispose())

/** Words for arguments of commands, by their names in the table. */
const words: Readonly<Record<string, string>> = { SOURCE: '../source', PATH: '.', DIR: '../plug', COMMAND: 'list' }

describe.runIf(process.platform !== 'win32')('a command that gets a signal', () => {
  test.each(commands.map(({ name }, at) => [name, at] as const))('ends: skills %s', async (name, at) => {
    const { args, least, most } = commands[at] ?? { args: '', least: 0, most: 0 }
    const places = [...args.matchAll(/[A-Za-z]+/g)].slice(0, Math.max(least, Math.min(1, most)))
    const given = places.map(([place]) => words[place] ?? 's3')
    for (const [signal, code] of endings) {
      const line = [...name.split(' '), ...given, '--home', '../home']
      const env = cleanEnv({ SIGNAL: signal, SIGNAL_AT: String(20 + (at % 7) * 5), TMPDIR: `${tree.path}/tmp` })
      const end = await runToEnd(process.execPath, ['--require', preload, program, ...line], {
        cwd: `${tree.path}/work`,
        env,
      })
      const said = `${name}: ${end.code ?? end.signal} ${end.stderr}`
      // A command that ended before the signal has its own exit code. No command is killed by force, and no exit is
      // unexplained.
      expect([0, 1, 2, code, signal], said).toContain(end.code ?? end.signal)
      expect(end.stderr, said).not.toMatch(/^ +at /m)
      expect(readdirSync(`${tree.path}/tmp`), said).toEqual([])
      const left = readdirSync(tree.path, { recursive: true, encoding: 'utf8' })
      expect(left.filter(path => /\.(?:tmp|lock)$/.test(path))).toEqual([])
    }
  })
})

describe.skipIf(server.missing !== undefined || process.platform === 'win32')(`a worker${server.missing ?? ''}`, () => {
  test('that gets SIGTERM ends in order, says so in its log, and has the exit code 0', async () => {
    tree.write({
      'host/agent.mjs': `const runner = { kind: 'runner', id: 'own', setup: () => ({ run: async () => ({ text: '' }) }) }
export default (options, base) => base({ ...options, plugins: [...(options.plugins ?? []), runner] })
`,
    })
    const at = { cwd: `${tree.path}/host`, env: cleanEnv({ TMPDIR: `${tree.path}/tmp` }) }
    const more = ['--distribution', './agent.mjs', '--home', '../home']
    const trusted = await runToEnd(process.execPath, [program, 'trust', '--yes', '.', ...more], at)
    expect(trusted.code, trusted.stderr).toBe(0)
    const line = [program, 'worker', '--queue', server.url, '--health-port', '0', '--json', ...more]
    const worker = spawn(process.execPath, line, { ...at, stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, err] = ['', '']
    worker.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    worker.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      if (out.split('\n').length === 2) worker.kill('SIGTERM')
    })
    const [code] = (await once(worker, 'close')) as (number | null)[]
    expect([code, err]).toEqual([0, ''])
    const events = out
      .trimEnd()
      .split('\n')
      .map(told => (JSON.parse(told) as { readonly event: string }).event)
    expect(events).toEqual(['started', 'draining', 'closed'])
  })
})
