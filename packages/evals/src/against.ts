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
  /** Name of the skill that `cases` belong to. */
  name: s.text().required(),
  /** Text that the model gets in place of the skill's `description` and `when_to_use`. */
  description: s.text().required(),
  trials: s.number({ above: 0 }).default(20),
})

export interface AgainstOptions extends s.OptionsOf<typeof againstOptions> {}

/** Results of one skill under two descriptions. */
export interface Against {
  readonly name: string
  /** Trials with the right result: `own` with the description of the file, `other` with the given one. */
  readonly own: Proportion
  readonly other: Proportion
  /** Rate of `other` minus rate of `own`. */
  readonly difference: Difference
  /** Verdict on `other`: `same` if the trials found no difference. */
  readonly verdict: Verdict
  /** Trials a query: made and planned. */
  readonly trials: { readonly made: number; readonly planned: number }
  /** Number of trials that were skipped because `maxCost` was reached. */
  readonly left: number
  /** Cost of both in dollars, or undefined without a price. */
  readonly cost: number | undefined
  /** Results of each round. */
  readonly rounds: readonly { readonly own: SkillTriggers; readonly other: SkillTriggers }[]
}

/**
 * Compares how well a model picks a skill under its own and another description. Runs one trial of each query under
 * each description in turn, until the results of the two descriptions clearly differ. See docs/reference/evals.md,
 * "Comparison".
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
      // Both run at the same time, so each may spend half of what is left.
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

/** Returns the distribution with another description of one skill for its model. */
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
