import { planAdd, readManifest, type Plan } from '@skills/install'
import { askAndApply } from '../../installing/ask-and-apply.js'
import { exitCodes, type Io } from '../../io.js'
import { firstNames } from '../../output/first-names.js'
import { printableLine } from '../../output/printable.js'
import { cut } from '../../output/width.js'
import { asUsageError, UsageError } from '../../arguments/usage-error.js'
import { withInstall } from '../../installing/install-context.js'
import type { AddOptions } from '@skills/install/internal'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills add SOURCE`. See docs/reference/install.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const {
    args: [source = ''],
    has,
    texts,
  } = invocation
  const skills = texts('--skill')
  if (has('--all') && skills.length > 0) throw new UsageError('Give --skill or --all, not both.')
  return withInstall(
    invocation,
    io,
    async context => {
      if (has('--list')) {
        const { withOffered } = await import('@skills/install/internal')
        const { printOffer } = await import('../../installing/offer-text.js')
        return asUsageError(async () =>
          withOffered(source, skills, context, async offer => printOffer(offer, source, invocation, io)),
        )
      }
      const options: AddOptions = {
        skills,
        all: has('--all'),
        link: has('--link'),
        agents: texts('--agent'),
        findAgents: true,
        ...choosing(io, has('--json')),
      }
      const plan = await asUsageError(async () => planAdd(source, options, context))
      if (plan === undefined) return exitCodes.interrupted
      const { others } = plan
      if (has('--all') && others.length > 0 && !has('--json')) io.stderr.write(othersLine(source, others, plan.skills))
      const known = readManifest(context.place.manifest)
      const code = await askAndApply(plan, invocation, io, context)
      // Skills that were installed before are written for the new agents too.
      const isNew = Object.keys(plan.agents).some(agent => !known.agents.includes(agent))
      const hasOthers = Object.keys(known.skills).some(name => !plan.skills.some(one => one.name === name))
      if (code === exitCodes.ok && isNew && hasOthers)
        await (await import('@skills/install')).sync({ replace: has('--force') }, context)
      return code
    },
    { isQuiet: has('--quiet'), isLarge: has('--allow-large') },
  )
}

/** Returns a line about skills of a source that it does not bring. One whose name is taken is named by its path. */
function othersLine(source: string, others: Plan['others'], skills: Plan['skills']): string {
  const taken = new Set(skills.map(({ name }) => name))
  const named = others.map(({ name, path }) => (taken.size === taken.add(name).size ? path : name))
  const which = others.length === 1 ? 'more skill of' : 'more skills of'
  return `skills: ${others.length} ${which} ${printableLine(source)} ${others.length === 1 ? 'is' : 'are'} not among those that it brings: ${printableLine(firstNames(named, 5))}. Add one: --skill NAME or its path.\n`
}

/** Returns the prompt for choosing among several skills, if there is a terminal. */
function choosing({ prompter, signal, stderr: { columns } }: Io, json: boolean): Pick<AddOptions, 'choose'> {
  if (prompter === undefined || json) return {}
  return {
    choose: async found => {
      const names = new Set<string>()
      const twins = new Set(found.flatMap(({ name }) => (names.size === names.add(name).size ? name : [])))
      // A path only tells skills of one name apart.
      const choices = found.map(({ name, path, description }, at) => ({
        value: String(at),
        label: cut(
          [name, ...(twins.has(name) ? [`(${path})`] : []), description].map(printableLine).join('  '),
          columns - 8,
        ),
      }))
      const chosen = await prompter.chooseSome(`Which of ${found.length} skills? (--all takes all)`, choices, signal)
      return chosen && found.filter((_, at) => chosen.includes(String(at)))
    },
  }
}
