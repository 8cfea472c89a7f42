// @ts-check
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { processHost } from '@skills/core'
import { consentItems, loadConfiguration } from '@skills/distributions/configuration'
import { openState, revokeFolder, trustFolder } from '@skills/distributions/trust'
import { Invoker } from '@skills/invocation'
import { ProgramProject } from './consent/program-project.mjs'
import { engineIn } from './engine.mjs'
import { Random } from './random.mjs'

/** @typedef {import('@skills/distributions/configuration').JudgedItem} JudgedItem */

const program = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@skills/cli/package.json')),
  'dist/skills.cjs',
)

/** Every so many cases, a whole engine is asked about rules of settings, or the program is run. */
const engineEvery = 10
const programEvery = 60
/** Every so many cases, everything runs in the program, the consent too. */
const wholeEvery = 100

/**
 * Items that a project may switch on, each with a mark in the text that widens it.
 * @type {readonly ((mark: string) => object)[]}
 */
const kinds = [
  mark => ({ rules: { allow: [`Bash(${mark})`] } }),
  mark => ({ servers: { shop: { command: mark } } }),
  mark => ({ servers: { notes: { url: `http://127.0.0.1:1/${mark}` } } }),
  mark => ({ plugins: [mark] }),
  mark => ({ plugins: [{ path: 'same', config: { mark } }] }),
  mark => ({ packages: [mark] }),
  mark => ({ marketplaces: [{ path: 'same', only: [mark] }] }),
  mark => ({ additional: [mark] }),
  mark => ({ overrides: { [mark]: 'on' } }),
  mark => ({ precedence: [mark] }),
  mark => ({ listing: { joiner: mark } }),
  () => ({ distribution: './acme.js' }),
]

/** Rules of a project's settings that would allow the user's skill. */
const settings = ['Skill(probe)', 'Skill(probe:*)', 'Skill', 'Skill(prob*)']

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'consent',
  title:
    'a project changes what it switches on between a yes and its use: nothing counts, runs or is imported that ' +
    'no one agreed to as it is',
  counts: { short: 400, long: 20_000 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    const project = new Project(folder, random)
    const programs = new ProgramProject(`${folder}/program`, new Random(seed))
    for (let at = 0; at < count; at++) {
      if (random.once(25)) await project.revoke()
      project.edit()
      if (random.once(2)) await project.agree()
      // Between the consent and the use.
      if (random.once(2)) project.edit()
      await project.use(at)
      if (at % engineEvery === 0) await project.decide(at)
      if (at % programEvery === 0) project.program(at)
      if (at % wholeEvery === 0) programs.turn(at)
      if (at % 100 === 0) progress(at)
    }
    const { counted } = project
    const failures = [...project.failures, ...programs.failures]
    const ran = [...programs.counted].map(([kind, times]) => `${kind} ${times}`).join(', ')
    if (counted === 0) failures.push('Nothing that was agreed to ever counted, so the attack tried nothing.')
    return {
      tried: count,
      failures,
      figures: {
        'marks that counted after a yes': counted,
        'questions to an engine': project.asked,
        'what ran in the program after trust --yes': ran,
      },
    }
  },
}

class Project {
  /** @type {string[]} */
  failures = []
  counted = 0
  asked = 0
  #marks = 0
  #folder
  #random
  #host
  #state
  /** The marks in every text that was agreed to. */
  #agreed = new Set()
  /** The rules of settings that were agreed to. */
  #rules = new Set()
  /** @type {string[]} */
  #allow = []

  /** @param {string} folder @param {Random} random */
  constructor(folder, random) {
    this.#folder = folder
    this.#random = random
    for (const name of ['repo/.git', 'repo/.claude', 'home/.claude/skills/probe', 'ran'])
      mkdirSync(`${folder}/${name}`, { recursive: true })
    writeFileSync(
      `${folder}/home/.claude/skills/probe/SKILL.md`,
      '---\ndescription: Asks for something.\nmodel: large\n---\nText.\n',
    )
    this.#host = processHost({ cwd: `${folder}/repo`, home: `${folder}/home`, env: { PATH: process.env['PATH'] } })
    this.#state = openState(this.#host, { report: ({ message }) => this.failures.push(message) })
  }

  #mark() {
    return `mark${++this.#marks}`
  }

  #code() {
    return (
      `import { writeFileSync } from ` +
      `'node:fs'\nwriteFileSync(${JSON.stringify(`${this.#folder}/ran/${this.#mark()}`)}, '')\n`
    )
  }

  /** Rewrites the project: as JSON or code, with other parts and other settings. */
  edit() {
    const random = this.#random
    const repo = `${this.#folder}/repo`
    if (random.once(2)) {
      this.#allow = settings.filter(() => random.once(3))
      writeFileSync(`${repo}/.claude/settings.json`, JSON.stringify({ permissions: { allow: this.#allow } }))
    }
    if (random.once(3))
      writeFileSync(`${repo}/part.mjs`, `${this.#code()}export default ${JSON.stringify(this.#data())}\n`)
    const own = "import './own-part.mjs'\nexport default (options, base) => base(options)\n"
    if (random.once(2)) writeFileSync(`${repo}/acme.js`, `${this.#code()}${own}`)
    if (random.once(2)) writeFileSync(`${repo}/own-part.mjs`, this.#code())
    const way = random.below(3)
    if (way === 0) rmSync(`${repo}/skills.config.mjs`, { force: true })
    if (way === 1)
      writeFileSync(`${repo}/skills.config.mjs`, `${this.#code()}export default ${JSON.stringify(this.#data())}\n`)
    const imports = ["import data from './part.mjs'\n", "const { default: data } = await import('./part.mjs')\n"]
    const text = `${this.#code()}${random.pick(imports)}export default data\n`
    if (way === 2) writeFileSync(`${repo}/skills.config.mjs`, text)
    if (random.once(2)) writeFileSync(`${repo}/skills.config.json`, JSON.stringify(this.#data()))
  }

  #data() {
    const data = {}
    for (const kind of kinds) if (this.#random.once(3)) Object.assign(data, kind(this.#mark()))
    return data
  }

  /** Agrees to all or some of the items that there are. */
  async agree() {
    const { items } = await consentItems(this.#host, { state: this.#state })
    const isAll = this.#random.once(2)
    const chosen = items.filter(() => isAll || this.#random.once(2))
    await trustFolder(this.#state, this.#host.cwd, this.#host, { items: chosen })
    for (const item of chosen) this.#remember(item)
  }

  /** @param {Pick<JudgedItem, 'path' | 'text' | 'label'>} item */
  #remember({ path: file, text, label }) {
    if (file.endsWith('/settings.json')) this.#rules.add(text)
    for (const mark of marksIn(`${text} ${label}`)) this.#agreed.add(mark)
  }

  async revoke() {
    await revokeFolder(this.#state, this.#host.cwd, this.#host)
    this.#agreed.clear()
    this.#rules.clear()
  }

  /** @param {number} at */
  async use(at) {
    const importModule = (/** @type {string} */ url) => {
      // Sometimes the project changes between reading and importing.
      if (this.#random.once(2)) this.edit()
      return import(url)
    }
    const { options } = await loadConfiguration(this.#host, { state: this.#state, importModule })
    const { plugins: _plugins, ...rest } = options
    this.#check(at, 'counts', marksIn(JSON.stringify(rest)))
    this.#checkRuns(at)
  }

  /** @param {number} at */
  async decide(at) {
    const { engine: skills } = engineIn(this.#host, { builtin: false })
    try {
      const entry = (await skills.catalog()).entries.find(one => one.name === 'probe')
      if (entry === undefined) throw new Error('The skill of the user is gone.')
      const { behavior } = await new Invoker(skills).decideBeforeAsking({
        tool: 'Skill',
        content: 'probe',
        entry,
        args: '',
        caller: 'model',
      })
      const mayAllow = this.#allow.some(rule => this.#rules.has(rule))
      this.asked += 1
      if (behavior === 'allow' && !mayAllow)
        this.failures.push(
          `Case ${at}: one of the rules ${this.#allow.join(', ')} allowed, and no one ` + `agreed to any.`,
        )
      if (behavior === 'allow') this.counted += 1
    } finally {
      await skills.close()
    }
  }

  /** @param {number} at */
  program(at) {
    const command = this.#random.pick([
      ['list', '--json'],
      ['explain', 'probe'],
      ['lint'],
      ['trust', '--dry-run', '--json'],
      ['trust', '--list'],
      ['run', 'probe'],
    ])
    try {
      execFileSync(process.execPath, [program, ...command, '--home', `${this.#folder}/home`], {
        cwd: this.#host.cwd,
        stdio: 'ignore',
        env: { PATH: process.env['PATH'] },
      })
    } catch (error) {
      // Exit code 1 is no sign of a leak; a program that does not start is a failure.
      if (!(error instanceof Error && 'status' in error && error.status === 1)) throw error
    }
    this.#checkRuns(at)
  }

  /** @param {number} at */
  #checkRuns(at) {
    const ran = readdirSync(`${this.#folder}/ran`)
    this.#check(at, 'ran', ran)
    for (const name of ran) rmSync(`${this.#folder}/ran/${name}`)
  }

  /** @param {number} at @param {string} what @param {readonly string[]} marks */
  #check(at, what, marks) {
    for (const mark of marks) {
      if (this.#agreed.has(mark)) this.counted += 1
      else this.failures.push(`Case ${at}: ${mark} ${what}, and no one agreed to it.`)
    }
  }
}

/** @param {string} text */
function marksIn(text) {
  return text.match(/mark\d+/g) ?? []
}
