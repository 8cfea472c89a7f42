import {
  defineProvider,
  isAbortError,
  mayModelInvoke,
  mayUserInvoke,
  SkillsError,
  type Catalog,
  type CatalogEntry,
  type Provider,
  type Skills,
} from '@skills/core'
import { Invoker, Session, type AgentContext, type Outcome, type RunRequest } from '@skills/invocation'
import type { AgentDistribution } from './compat-types.js'

/** Properties of a skill that can be observed from outside, each with the words for reporting a difference. */
export const facets = {
  name: 'what it is invoked by',
  title: 'what it is shown as',
  told: 'what the model is told',
  model: 'whether the model may invoke it',
  user: 'whether a person may invoke it',
  active: 'when it is offered',
  aliases: 'its other names',
  runs: 'where it runs',
  agent: 'which agent runs it',
  asked: 'which model is asked',
  effort: 'how much effort is made',
  granted: 'which tools need no question',
  only: 'which tools there are',
  removed: 'which tools there are not',
  hooks: 'hooks',
  text: 'the text that the model gets',
  shell: 'which shell runs its commands',
  failing: 'what a failing command does',
  again: 'whether its text is given again after the conversation was shortened',
  kept: 'what tools show of it',
} as const

export type Facet = keyof typeof facets
export const facetNames = Object.keys(facets) as readonly Facet[]
export type Facets = Readonly<Record<Facet, string>>

/** Receives a sub-agent's request in place of a model. Nothing runs. */
export interface RequestRecorder {
  readonly plugin: Provider<'runner'>
  readonly requests: RunRequest[]
}

export function requestRecorder(): RequestRecorder {
  const requests: RunRequest[] = []
  const plugin = defineProvider({
    kind: 'runner',
    id: 'recorder',
    setup: () => ({
      run(request) {
        requests.push(request)
        return { text: '' }
      },
    }),
  })
  return { plugin, requests }
}

/** Text that a person types after the name. */
const args = 'first-word second-word'

/** Skill to be observed. */
export interface Observed {
  readonly entry: CatalogEntry
  /** Its text in the listing; undefined if it is not listed. */
  readonly listed: string | undefined
  /** Part that identifies the skill. It is replaced before two skills are compared. */
  readonly own: string
  /** Property of a command that the field sets, for a field that is only stored. */
  readonly kept?: string | undefined
}

/** Invokes a sample skill, which embeds no command, and returns the properties that the agent shows for it. */
export async function facetsOf(
  { entry, listed, own, kept }: Observed,
  catalog: Catalog,
  skills: Skills,
  { invoker, shell }: AgentDistribution,
  { requests }: RequestRecorder,
): Promise<Facets> {
  const { command } = entry
  const plain = (value: unknown): string => (JSON.stringify(value) ?? '').replaceAll(own, '@')
  if (command.type !== 'prompt') throw new TypeError('A probe is a prompt.')
  const session = Session.open(skills, { id: `probe-${own}` })
  const before = requests.length
  const caller = mayUserInvoke(command) ? 'user' : 'model'
  const run = await new Invoker(skills, { ...invoker, session, onAsk: () => 'allow' })
    .invoke({ name: entry.name, caller, args })
    .then(
      (outcome: Outcome) => ({ outcome }),
      (error: unknown) => {
        if (isAbortError(error) || !SkillsError.is(error)) throw error
        return { error }
      },
    )
  const [request] = requests.slice(before)
  const { hooks } = await session.value()
  const again = session.invoked.restore().length > 0
  await session.close()
  const outcome = 'outcome' in run ? run.outcome : undefined
  const context: AgentContext = outcome?.contextModifier?.({}) ?? {}
  const { alwaysAllowRules, onlyTools, disallowedTools } = context.toolPermissionContext ?? {}
  return {
    name: plain(entry.name),
    title: plain(command.displayName),
    told: plain(listed ?? ''),
    model: String(mayModelInvoke(command)),
    user: String(mayUserInvoke(command)),
    active: plain(entry.dormant ?? entry.barred),
    aliases: plain(command.aliases.filter(alias => isCalled(entry, alias, catalog))),
    runs:
      'error' in run
        ? `fails: ${run.error.code}`
        : `${outcome?.data.status}${command.background === true ? ', at once' : ''}`,
    agent: plain(request?.agentType),
    asked: plain(request?.model ?? context.options?.mainLoopModel),
    effort: plain(request?.effort ?? context.effortValue ?? context.options?.maxThinkingTokens),
    granted: plain(alwaysAllowRules?.command),
    only: plain(request?.tools.only ?? onlyTools),
    removed: plain(request?.tools.without ?? disallowedTools),
    hooks: plain(hooks.skills.length),
    text: plain(
      request?.messages ?? outcome?.newMessages.filter(({ type }) => type === 'user').map(({ content }) => content),
    ),
    shell: shell === false ? '' : command.shell,
    failing: shell === false ? '' : plain(command.onShellError),
    again: String(again),
    kept: kept === undefined ? '' : plain(Reflect.get(command, kept)).replace(/^(?:\[\]|\{\})$/, ''),
  }
}

function isCalled(entry: CatalogEntry, alias: string, catalog: Catalog): boolean {
  try {
    return catalog.lookup(alias) === entry
  } catch (error) {
    if (SkillsError.is(error) && error.code === 'E_AMBIGUOUS_NAME') return false
    throw error
  }
}
