import * as s from '@skills/core/schema'
import { createSkills, defineProvider, loadResult, type PromptCommand } from '@skills/core'
import {
  decided,
  newcombe,
  proportion,
  sumOf,
  type Count,
  type Difference,
  type Proportion,
  type Verdict,
} from './statistics.js'
import { triggers, triggersOptions, type SkillTriggers } from './triggers.js'
import type { EvalDistribution } from './outcomes.js'

const { skills: _skills, distribution: _distribution, firstTrial: _firstTrial, ...ofTriggers } = triggersOptions.shape

const againstOptions = s.options('against()', {
  ...ofTriggers,
  distribution: s.typed<EvalDistribution>('an eval distribution').required(),
  /** The skill that `cases` are of. */
  name: s.text().required(),
  /** What its model is told in place of its description and `when_to_use`. */
  description: s.text().required(),
  trials: s.number({ above: 0 }).default(20),
})

export interface AgainstOptions extends s.OptionsOf<typeof againstOptions> {}

/** Two descriptions of one skill, side by side. */
export interface Against {
  readonly name: string
  /** Trials that did as they should, with the description of the file and with the other. */
  readonly own: Proportion
  readonly other: Proportion
  /** The other less its own. */
  readonly difference: Difference
  /** Of the other: `same` where the trials could not tell them apart. */
  readonly verdict: Verdict
  /** Trials of each query that were made of those that were planned. */
  readonly trials: { readonly made: number; readonly planned: number }
  /** Of these, those that `maxCost` was not enough for. */
  readonly left: number
  /** Dollars, of both; undefined without a price. */
  readonly cost: number | undefined
  /** The trials of each round. */
  readonly rounds: readonly { readonly own: SkillTriggers; readonly other: SkillTriggers }[]
}

/**
 * Whether a skill is picked better under another description: a trial of each query under both in turn, until they can
 * be told apart. See docs/reference/evals.md, "Comparison".
 * @throws SkillsError `E_UNKNOWN_NAME`, `E_INVALID_OPTION`; AbortError
 */
export async function against(given: AgainstOptions): Promise<Against> {
  const { distribution, name, description, ...options } = againstOptions.read(given)
  const planned = options.trials
  const own = createSkills(distribution)
  const other = createSkills(withDescription(distribution, name, description))
  try {
    const cases = new Map([...options.cases].filter(([skill]) => skill === name))
    const queries = cases.get(name)?.queries.length ?? 0
    const rounds: { readonly own: SkillTriggers; readonly other: SkillTriggers }[] = []
    const sum = (which: 'own' | 'other'): Count => sumOf(rounds.map(round => round[which].right))
    let verdict: Verdict | undefined
    let cost = options.price && 0
    let left = 0
    for (let round = 0; round < planned && verdict === undefined; round++) {
      // Both ask at one time: half of what is left is for each.
      const maxCost = options.maxCost === undefined ? undefined : (options.maxCost - (cost ?? 0)) / 2
      const made = await Promise.all(
        [own, other].map(skills =>
          triggers({ ...options, maxCost, cases, skills, distribution, trials: 1, firstTrial: round }),
        ),
      )
      cost = options.price && made.reduce((all, one) => all + (one.cost ?? 0), cost ?? 0)
      const [one, two] = made.map(({ skills }) => skills[0])
      if (one === undefined || two === undefined || made.some(trials => trials.left > 0)) {
        left = planned - round
        break
      }
      rounds.push({ own: one, other: two })
      verdict = decided(sum('other'), sum('own'), planned * queries)
    }
    return {
      name,
      own: proportion(sum('own')),
      other: proportion(sum('other')),
      difference: newcombe(sum('other'), sum('own')),
      verdict: verdict ?? 'same',
      trials: { made: rounds.length, planned },
      left,
      cost,
      rounds,
    }
  } finally {
    await own.close()
    await other.close()
  }
}

/** The same, but for what its model is told of one skill. */
function withDescription(distribution: EvalDistribution, name: string, description: string): EvalDistribution {
  const plain = createSkills(distribution)
  const source = defineProvider({
    kind: 'source',
    id: 'described',
    setup: () => ({
      source: 'described',
      async list({ signal }) {
        const command = (await plain.catalog({ signal })).get(name)?.command
        return loadResult({ commands: command?.type === 'prompt' ? [described(command, description)] : [] })
      },
      dispose: () => plain.close(),
    }),
  })
  return {
    ...distribution,
    plugins: [source, ...(distribution.plugins ?? [])],
    precedence: ['described', ...(distribution.precedence ?? [])],
  }
}

function described(command: PromptCommand, description: string): PromptCommand {
  return new Proxy(command, {
    get(target, key) {
      if (key === 'description') return description
      if (key === 'whenToUse') return undefined
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
