// @ts-check
import { BashBatch } from './arguments/bash-batch.mjs'
import { Grammar } from './arguments/grammar.mjs'
import { invokeSkills } from './arguments/skill-engine.mjs'
import { Expansion } from './arguments/expansion.mjs'
import { honestArguments, hostileArguments } from './arguments/values.mjs'
import { Random } from './random.mjs'

/** @typedef {import('./attack.d.ts').AttackOptions} AttackOptions */
/** @typedef {import('./attack.d.ts').AttackResult} AttackResult */
/** @typedef {import('./arguments/bash-batch.mjs').Call} Call */
/** @typedef {import('./arguments/skill-engine.mjs').Skill} Skill */

const scriptsPerSkill = 20
/** Further arguments that are tried with each script that was not refused. */
const furtherArguments = 4
/** Skills that bash runs in one process, each with arguments of its own. */
const skillsPerBatch = 50
/** Every so many batches, skills run in the engine itself, each script in a process of its own. */
const realEvery = 100
const realSkills = 3
/** Every so many batches, the scripts also run with ordinary arguments. */
const honestEvery = 4

/** A hostile setting of a plugin; `hit` tells that it ran. */
const setting = 'a[$(hit setting)]'
/** Matches scripts that write something else in every run, so that two runs cannot be compared. */
const unsteady =
  /BASHPID|RANDOM|SECONDS|EPOCH|\$!|kill|coproc|time|jobs|SKILL_ARG_\d(?!\})|[!#]SKILL|'[^']*SKILL_ARG|[-]p|set$|set[;\n]|export$|-x|\$_|@A|2>&1|&>|compgen|hash|caller|\$\$/

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'arguments',
  title: 'hostile arguments of skills that embed random scripts: no command in an argument runs',
  counts: { short: 2_000, long: 200_000 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    const bench = new Bench(folder)
    await bench.prove()
    for (let batch = 0; bench.tried < count; batch += 1) {
      const skills = Array.from({ length: skillsPerBatch }, (_, at) => skillOf(random, `${batch}-${at}`, bench.evil))
      await bench.tryAll(skills, batch % honestEvery === 0)
      if (batch % realEvery === 0) await bench.tryForReal(skills.slice(0, realSkills), random)
      progress(bench.tried)
    }
    return bench.result()
  },
}

/** @param {Random} random @param {string} canary @param {string} evil @returns {HostileSkill} */
function skillOf(random, canary, evil) {
  const grammar = new Grammar(random)
  return {
    canary,
    args: hostileArguments(random, canary, evil),
    more: Array.from({ length: furtherArguments }, () => hostileArguments(random, canary, evil)),
    honest: honestArguments(random),
    isOfPlugin: random.once(4),
    scripts: Array.from({ length: scriptsPerSkill }, () => grammar.script()),
  }
}

/** @typedef {Skill & { readonly canary: string, readonly honest: string, readonly more: readonly string[] }} HostileSkill */

/** @param {Call | undefined} call @returns {call is Call} */
function isCall(call) {
  return call !== undefined
}

class Bench {
  tried = 0
  #made = 0
  #offered = 0
  #honest = 0
  #compared = 0
  #real = 0
  #expansion = new Expansion()
  #batch
  #folder
  /** @type {string[]} */
  #failures = []

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder
    this.#batch = new BashBatch(folder)
  }

  /** Throws if the bench does not notice an argument that runs: its results would prove nothing. */
  async prove() {
    await this.#batch.run([
      { script: '[ -v "$SKILL_ARG_0" ]', values: { SKILL_ARG_0: "a[$(hit 'proof')]" } },
      { script: 'while :; do :; done', values: {} },
      { script: 'hit after', values: {} },
    ])
    const hits = this.#batch.hits()
    if (!hits.has('proof') || !hits.has('after'))
      throw new Error('bash did not evaluate what it should have here: the attack would notice ' + 'nothing.')
  }

  get evil() {
    return this.#batch.evil
  }

  /** @param {readonly HostileSkill[]} skills @param {boolean} isHonestToo */
  async tryAll(skills, isHonestToo) {
    /** @type {Map<string, { readonly calls: readonly Call[], readonly args: string }>} */
    const byCanary = new Map()
    /** @type {Call[]} */
    const honest = []
    for (const { canary, scripts, args, more, honest: harmless } of skills) {
      const first = await this.#expansion.calls(scripts, args)
      const passing = scripts.filter((_, at) => first[at] !== undefined)
      const calls = [...first]
      for (const other of more) calls.push(...(await this.#expansion.calls(passing, other)))
      byCanary.set(canary, { args: [args, ...more].join(' | '), calls: calls.filter(isCall) })
      this.#made += scripts.length
      if (!isHonestToo) continue
      this.#offered += scripts.length
      const all = (await this.#expansion.calls(scripts, harmless)).filter(isCall)
      this.#honest += all.length
      honest.push(
        ...all.filter(
          ({ script, values }) =>
            !unsteady.test(script) &&
            Object.keys(values).length > 0 &&
            Object.values(values).every(value => /^[\w ,./:@%+-]*$/.test(value)),
        ),
      )
    }
    const calls = [...byCanary.values()].flatMap(one => one.calls)
    for (const canary of byCanary.keys()) this.#batch.plant(canary)
    await this.#batch.run(calls)
    this.tried += calls.length
    for (const hit of this.#batch.hits()) {
      const found = byCanary.get(hit)
      if (found === undefined) throw new Error(`There is no skill of the canary ${JSON.stringify(hit)}.`)
      await this.#blame(hit, found.calls, found.args)
    }
    this.#batch.uproot()
    this.#compared += honest.length
    for (const { script, values } of await this.#batch.differing(honest))
      this.#failures.push(`${JSON.stringify(script)} writes something else with ${JSON.stringify(values)}`)
  }

  /** @param {readonly HostileSkill[]} skills @param {Random} random */
  async tryForReal(skills, random) {
    for (const { canary } of skills) this.#batch.plant(canary)
    const { calls } = await this.#invoke(
      skills.map(one => ({ ...one, isOfPlugin: random.once(2) })),
      true,
    )
    this.#real += calls.flat().length
    for (const hit of this.#batch.hits()) {
      this.#failures.push(`the engine itself ran ${JSON.stringify(hit)}, of one of ${JSON.stringify(skills)}`)
    }
    this.#batch.uproot()
  }

  /** @returns {AttackResult} */
  result() {
    return {
      tried: this.tried,
      failures: this.#failures,
      figures: {
        'scripts that were made': this.#made,
        'of them offered with an ordinary argument': this.#offered,
        'of these given to bash': this.#honest,
        'of these compared with the argument written into the script': this.#compared,
        'scripts that the engine itself ran from files': this.#real,
        'scripts that hung': this.#batch.hung,
      },
    }
  }

  /** @param {readonly Skill[]} skills @param {boolean} isRun */
  #invoke(skills, isRun) {
    const { bash, work, path } = this.#batch
    return invokeSkills(skills, { folder: this.#folder, bash, work, path, isRun, setting })
  }

  /**
   * Finds the script of a skill that ran its argument.
   * @param {string} hit @param {readonly Call[]} calls @param {string} args
   */
  async #blame(hit, calls, args) {
    for (const call of calls) {
      await this.#batch.run([call])
      if (this.#batch.hits().has(hit))
        this.#failures.push(
          `the argument ${JSON.stringify(args)} ran in ` +
            `${JSON.stringify(call.script)} with ${JSON.stringify(call.values)}`,
        )
    }
  }
}
