// @ts-check
import { script } from './commands/grammar.mjs'
import { ManyFolders } from './commands/many-folders.mjs'
import { judge } from './judge.mjs'
import { Random } from './random.mjs'

/** Programs that a rule `Bash(NAME:*)` allows; none of them is a canary. */
const allowed = [
  'find',
  'xargs',
  'env',
  'nice',
  'nohup',
  'timeout',
  'stdbuf',
  'setsid',
  'awk',
  'sed',
  'sort',
  'tar',
  'split',
  'tee',
  'dd',
  'uniq',
  'git',
  'cat',
  'grep',
  'wc',
  'bash',
  'echo',
  'eval',
  'command',
  'exec',
  'builtin',
  'test',
  '[',
  'printf',
  'read',
  'unset',
  'exit',
  'kill',
  'wait',
  'cd',
  'type',
  'ulimit',
  'shift',
  'find .',
  'nice -n 5',
  'git grep',
  'timeout 5',
  'env -i',
]
const batch = 500

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'commands',
  title: 'scripts that hide a program from rules for Bash: none starts or changes what no rule names or one denies',
  counts: { short: 2_000, long: 200_000 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    const judges = await Promise.all(
      allowed.map(async name => /** @type {const} */ ([name, await judge({ allow: [`Bash(${name}:*)`] })])),
    )
    const all = await judge({ allow: allowed.map(name => `Bash(${name}:*)`) })
    const denying = await judge({ deny: ['Bash(touch:*)'], allow: ['Bash'] })
    const folders = new ManyFolders(folder)
    const times = /** @type {number[]} */ ([])
    const failures = /** @type {string[]} */ ([])
    let [tried, ran, byRule, hidden] = [0, 0, 0, 0]
    while (tried < count) {
      const cases = /** @type {{ text: string, rules: string[], isDenied: boolean, isSample: boolean }[]} */ ([])
      for (const end = Math.min(tried + batch, count); tried < end; tried += 1) {
        const text = script(random, random.below(4))
        const rules = /** @type {string[]} */ ([])
        if (await all(text)) {
          for (const [name, allows] of judges) if (await allows(text)) rules.push(name)
          if (rules.length === 0) rules.push('all together')
        }
        const start = performance.now()
        const isDenied = !(await denying(text))
        times.push(performance.now() - start)
        if (rules.length > 0) byRule += 1
        // Some that no rule lets through run too: they show that the hidden program would start.
        const isSample = random.once(20)
        if (rules.length > 0 || !isDenied || isSample) cases.push({ text, rules, isDenied, isSample })
      }
      ran += cases.length
      const outcomes = await folders.run(cases.map(({ text }) => text))
      for (const [at, { text, rules, isDenied, isSample }] of cases.entries()) {
        const { started = [], changed } = outcomes[at] ?? {}
        const by = `The rule for ${rules.join(', ')} allowed ${JSON.stringify(text)}, `
        if (!isDenied && started.includes('touch')) failures.push(`Not denied: ${JSON.stringify(text)}`)
        if (rules.length > 0 && started.length > 0) failures.push(`${by}which started ${started.join(', ')}`)
        if (rules.length > 0 && changed !== undefined) failures.push(`${by}which left these files: ${changed}`)
        if (isSample && isDenied && rules.length === 0 && started.length > 0) hidden += 1
      }
      progress(tried)
    }
    if (hidden === 0) throw new Error('No hidden program would start: the attack would prove nothing.')
    times.sort((a, b) => a - b)
    const at = (/** @type {number} */ part) => times[Math.floor((times.length - 1) * part)] ?? 0
    const quantile = (/** @type {number} */ part) => `${at(part).toFixed(3)} ms`
    return {
      tried,
      failures,
      figures: {
        'run by bash': ran,
        'allowed by a prefix rule': byRule,
        'refused, and a sample started a hidden program': hidden,
        'ended because they hung': folders.hung,
        'judging by a deny rule, median': quantile(0.5),
        '99th percentile': quantile(0.99),
      },
    }
  },
}
