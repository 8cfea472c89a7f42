// @ts-check
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** @typedef {import('../random.mjs').Random} Random */

const program = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@skills/cli/package.json')),
  'dist/skills.cjs',
)

/**
 * Kinds that run in the program once they are agreed to. Servers and hooks need an agent, so nothing of them may run.
 */
const seen = ['skill', 'module', 'rule', 'distribution', 'part']
const own = ['--distribution', './acme.js']
const uses = [
  ['list'],
  ['list', ...own],
  ['explain', 's', ...own],
  ['trust', '--dry-run', ...own],
  ['run', 's'],
  ['run', 'probe'],
  ['explain', 's'],
  ['audit'],
  ['trust', '--dry-run'],
]

/**
 * A project in which every kind of item leaves a mark when it takes effect. Only the real program asks for consent and
 * uses it.
 */
export class ProgramProject {
  /** @type {string[]} */
  failures = []
  /** The number of times that each kind ran after consent. @type {Map<string, number>} */
  counted = new Map()
  #random
  #folder
  #marks = 0
  /** The mark that is in the project now, by kind. @type {Map<string, string>} */
  #planted = new Map()
  #agreed = new Set()

  /** @param {string} folder @param {Random} random */
  constructor(folder, random) {
    this.#folder = folder
    this.#random = random
    const folders = ['repo/.git', 'repo/.claude/skills/s', 'repo/plug/hooks', 'home/.claude/skills/probe', 'ran']
    for (const name of folders) mkdirSync(`${folder}/${name}`, { recursive: true })
    for (const kind of ['skill', 'module', 'rule', 'hook', 'server', 'plugin', 'distribution', 'part']) this.#edit(kind)
  }

  /** @param {number} at */
  turn(at) {
    const random = this.#random
    const kinds = [...this.#planted.keys()]
    if (at > 0) for (const kind of kinds) if (random.once(2)) this.#edit(kind)
    // At first everything is new, and there is no consent. The probe is the user's own, and typing its name is consent.
    if (at === 0)
      this.#use(
        at,
        uses.filter(([, name]) => name !== 'probe'),
      )
    if (at === 0 || random.once(2)) {
      const { status, output } = this.#start(['trust', '--yes', ...own])
      if (status !== 0) this.failures.push(`Turn ${at}: skills trust --yes ended with ${status}: ${output}`)
      for (const mark of this.#planted.values()) this.#agreed.add(mark)
    }
    if (at > 0 && random.once(2)) this.#edit(random.pick(kinds))
    this.#use(at, at === 0 ? uses : [random.pick(uses), random.pick(uses)])
    for (const kind of at === 0 ? seen : []) {
      if (!this.counted.has(kind))
        this.failures.push(`Nothing of the kind ${kind} ran after a yes: the attack tries ` + `nothing.`)
    }
  }

  /** @param {number} at @param {readonly (readonly string[])[]} commands */
  #use(at, commands) {
    for (const use of commands) {
      const { status, output } = this.#start(use)
      // A refusal is an answer; a program that does not start would prove nothing.
      if (status !== 0 && status !== 1)
        this.failures.push(`Turn ${at}: skills ${use.join(' ')} ended with ${status}: ${output}`)
      for (const mark of readdirSync(`${this.#folder}/ran`)) {
        rmSync(`${this.#folder}/ran/${mark}`)
        const [kind = ''] = mark.split('-')
        if (this.#agreed.has(mark)) this.counted.set(kind, (this.counted.get(kind) ?? 0) + 1)
        else this.failures.push(`Turn ${at}: skills ${use.join(' ')} ran ${mark}, and no one agreed to it.`)
      }
    }
  }

  /** Rewrites the item of a kind, with another mark. @param {string} kind */
  #edit(kind) {
    const { repo, home, ran } = {
      repo: `${this.#folder}/repo`,
      home: `${this.#folder}/home`,
      ran: `${this.#folder}/ran`,
    }
    this.#planted.set(kind, `${kind}-${++this.#marks}`)
    const touch = (/** @type {string} */ of) => `touch ${ran}/${this.#planted.get(of) ?? of}`
    const hooks = { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: touch('hook') }] }] }
    const skill = `---\ndescription: S.\nhooks: ${JSON.stringify(hooks)}\n---\nNow !\`${touch('skill')}\`\n`
    writeFileSync(`${repo}/.claude/skills/s/SKILL.md`, skill)
    writeFileSync(`${home}/.claude/skills/probe/SKILL.md`, `---\ndescription: P.\n---\nNow !\`${touch('rule')}\`\n`)
    const ofPlugin = { SessionStart: [{ hooks: [{ type: 'command', command: touch('plugin') }] }] }
    writeFileSync(`${repo}/plug/hooks/hooks.json`, JSON.stringify({ hooks: ofPlugin }))
    const data = {
      rules: { allow: [`Bash(${touch('rule')})`] },
      plugins: ['./plug'],
      servers: { shop: { command: 'sh', args: ['-c', touch('server')] } },
    }
    const code = (/** @type {string} */ of) => {
      const mark = JSON.stringify(`${ran}/${this.#planted.get(of) ?? of}`)
      return `import { writeFileSync } from 'node:fs'\nwriteFileSync(${mark}, '')\n`
    }
    writeFileSync(`${repo}/skills.config.mjs`, `${code('module')}export default ${JSON.stringify(data)}\n`)
    const distribution = "import './acme-part.js'\nexport default (options, base) => base(options)\n"
    writeFileSync(`${repo}/acme.js`, `${code('distribution')}${distribution}`)
    writeFileSync(`${repo}/acme-part.js`, code('part'))
  }

  /** @param {readonly string[]} command */
  #start(command) {
    const { status, stderr, error } = spawnSync(
      process.execPath,
      [program, ...command, '--home', `${this.#folder}/home`],
      {
        cwd: `${this.#folder}/repo`,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: `${this.#folder}/home` },
      },
    )
    if (error !== undefined) throw error
    return { status, output: stderr.slice(0, 300) }
  }
}
