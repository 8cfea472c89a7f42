// @ts-check
import { BashBatch } from './arguments/bash-batch.mjs'
import { Grammar } from './arguments/grammar.mjs'
import { invokeSkills } from './arguments/skill-engine.mjs'
import { hostileArguments } from './arguments/values.mjs'
import { Random } from './random.mjs'

/** @typedef {import('./attack.d.ts').AttackOptions} AttackOptions */
/** @typedef {import('./attack.d.ts').AttackResult} AttackResult */
/** @typedef {import('./arguments/bash-batch.mjs').Call} Call */
/** @typedef {import('./arguments/skill-engine.mjs').Skill} Skill */

const scriptsPerSkill = 20
const skillsPerBatch = 50
/** One batch of so many runs in the engine itself, each script in a process of its own. */
const realEvery = 100
const realSkills = 3

/** What the user of a plugin set, and what it would tell. */
const setting = 'a[$(hit setting)]'

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'arguments',
  title: 'hostile arguments of skills that embed random scripts: no command in an argument runs',
  counts: { short: 3_000, long: 500_000 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    const bench = new Bench(folder)
    await bench.prove()
    for (let batch = 0; bench.tried < count; batch += 1) {
      const left = Math.ceil((count - bench.tried) / scriptsPerSkill)
      const skills = Array.from({ length: Math.min(skillsPerBatch, left) }, (_, at) =>
        skillOf(random, `${batch}-${at}`),
      )
      await bench.tryAll(skills, batch)
      if (batch % realEvery === 0) await bench.tryForReal(skills.slice(0, realSkills))
      progress(bench.tried)
    }
    return bench.result()
  },
}

/** @param {Random} random @param {string} canary @returns {Skill} */
function skillOf(random, canary) {
  const grammar = new Grammar(random)
  return {
    args: hostileArguments(random, canary),
    isOfPlugin: random.once(4),
    scripts: Array.from({ length: scriptsPerSkill }, () => grammar.script()),
  }
}

class Bench {
  tried = 0
  #ran = 0
  #real = 0
  #batch
  #folder
  /** @type {Map<string, number>} */
  #refusals = new Map()
  /** @type {string[]} */
  #failures = []

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder
    this.#batch = new BashBatch(folder)
  }

  /** A bench that would not notice proves nothing. */
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

  /** @param {readonly Skill[]} skills @param {number} batch */
  async tryAll(skills, batch) {
    const { calls, failures } = await this.#invoke(skills, false)
    for (const one of failures) this.#refusals.set(one, (this.#refusals.get(one) ?? 0) + 1)
    this.tried += skills.length * scriptsPerSkill
    this.#ran += calls.flat().length
    await this.#batch.run(calls.flat())
    const hits = this.#batch.hits()
    for (const hit of hits) {
      const at = hit === 'setting' ? -1 : Number(hit.split('-')[1])
      for (const [index, list] of calls.entries())
        if (index === at || hit === 'setting') await this.#blame(hit, list, skills[index]?.args ?? '')
      if (!hits.has(hit)) throw new Error(`Batch ${batch} has no skill ${at}.`)
    }
  }

  /** @param {readonly Skill[]} skills */
  async tryForReal(skills) {
    const { calls } = await this.#invoke(skills, true)
    this.#real += calls.flat().length
    for (const hit of this.#batch.hits()) {
      this.#failures.push(`the engine itself ran ${JSON.stringify(hit)}, of one of ${JSON.stringify(skills)}`)
    }
  }

  /** @returns {AttackResult} */
  result() {
    const refused = [...this.#refusals]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 3)
      .map(([message, times]) => `${times} times ${message}`)
      .join('; ')
    return {
      tried: this.tried,
      failures: this.#failures,
      figures: {
        'scripts that bash ran': this.#ran,
        'of them also by the engine itself': this.#real,
        'scripts that hung': this.#batch.hung,
        ...(refused !== '' && { 'skills that were not invoked': refused }),
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
