import {
  createSkills,
  defineProvider,
  loadResult,
  promptCommand,
  type Diagnostic,
  type LocalCommand,
  type Plugin,
  type PromptCommand,
  type Skills,
} from '@skills/core'
import { fakeClock, fakeHost, type FakeClock } from '@skills/testing'
import { invocationKinds, type Executor, type Hooks, type HookVerdict, type Invocation } from '@skills/invocation'
import type { Permission } from '@skills/rules'
import { formatterKind } from '@skills/invocation/skill-tool'
import { runsKind, type Runs } from '@skills/runs'
import { onTestFinished } from 'vitest'
import { AgentSession } from '@skills/host/session'
import type { SessionDistribution } from '@skills/host/internal'
import { converse, type ConversationOptions, type ConversationProgress } from '../src/index.js'
import type { Conversation } from '../src/conversation.js'
import type { SessionHost } from '../src/conversation-options.js'
import type { ScriptedModel } from './scripted-model.js'

export interface Setting extends Partial<ConversationOptions> {
  readonly model: ScriptedModel
  readonly distribution?: SessionDistribution
  readonly commands?: readonly (PromptCommand | LocalCommand)[]
  /** Number of skills that a listing has room for. Default: all. */
  readonly room?: number
  /** Default: allows everything. */
  readonly check?: Permission['check']
  /** Returns the answer of the hooks of an event. */
  readonly hooks?: (...asked: Parameters<Hooks['decide']>) => HookVerdict | undefined
  readonly execute?: Executor['execute']
  /** Default: the engine has no runs. */
  readonly runs?: Runs
}

export interface Conversing {
  readonly skills: Skills
  /** Opens further conversations of the engine. */
  readonly host: SessionHost
  readonly conversation: Conversation
  readonly clock: FakeClock
  readonly progress: ConversationProgress[]
  /** Returns the texts that the user saw, and the calls. */
  readonly shown: () => readonly string[]
  readonly diagnostics: Diagnostic[]
  readonly invocations: Invocation[]
}

export function skill(name: string, parts: Partial<PromptCommand> = {}): PromptCommand {
  return promptCommand({
    name,
    source: 'user',
    description: `Does ${name}.`,
    load: () => ({ template: `How to ${name}.` }),
    ...parts,
  })
}

/**
 * Opens a conversation in an engine whose executor returns the body of a skill, and limits or allows tools as the skill
 * says.
 */
export async function conversing({
  commands = [],
  room = Infinity,
  check,
  hooks,
  execute,
  runs,
  distribution,
  ...options
}: Setting): Promise<Conversing> {
  const [progress, diagnostics, invocations]: [ConversationProgress[], Diagnostic[], Invocation[]] = [[], [], []]
  const clock = fakeClock()
  const inline: Executor['execute'] =
    execute ??
    (({ command: { name, allowedTools, disallowedTools, model, effort }, body }) => ({
      data: { success: true, commandName: name, status: 'inline' },
      newMessages: [
        { type: 'user', content: `<command-message>${name}</command-message>` },
        { type: 'user', isMeta: true, content: 'template' in body ? body.template : body.blocks },
      ],
      contextModifier: context => ({
        ...context,
        toolPermissionContext: { alwaysAllowRules: { command: allowedTools }, disallowedTools },
        ...(model !== undefined && { options: { mainLoopModel: model } }),
        ...(effort !== undefined && { effortValue: effort }),
      }),
    }))
  const plugins: Plugin[] = [
    defineProvider({
      kind: 'source',
      id: 'test',
      setup: () => ({ source: 'user', list: () => loadResult({ commands }) }),
    }),
    defineProvider({
      kind: 'permission',
      id: 'test',
      setup: () => ({
        check: check ?? (() => ({ behavior: 'allow', message: 'Yes.', decisionReason: { type: 'host' } })),
      }),
    }),
    defineProvider({
      kind: 'formatter',
      id: 'test',
      setup: () => ({
        format(entries, { searchTool }) {
          const lines = entries.slice(0, room).map(({ name }) => ({ name, text: `- ${name}`, shown: 'whole' as const }))
          const omitted = entries.slice(room).map(({ name }) => name)
          return {
            text: [
              ...lines.map(({ text }) => text),
              ...(omitted.length > 0 ? [`(search with ${searchTool})`] : []),
            ].join('\n'),
            entries: lines,
            omitted,
            truncated: [],
            budgetChars: 1000,
            usedChars: 0,
          }
        },
      }),
    }),
    ...(['inline', 'fork'] as const).map(id =>
      defineProvider({
        kind: 'executor',
        id,
        setup: () => ({
          execute(invocation, call) {
            invocations.push(invocation)
            return inline(invocation, call)
          },
        }),
      }),
    ),
  ]
  if (hooks !== undefined)
    plugins.push(
      defineProvider({
        kind: 'hooks',
        id: 'test',
        setup: () => ({ register: () => () => undefined, decide: (...asked) => hooks(...asked) ?? {} }),
      }),
    )
  if (runs !== undefined) plugins.push(defineProvider({ kind: 'runs', id: 'test', setup: () => runs }))
  const skills = createSkills({
    kinds: [...invocationKinds, formatterKind, runsKind],
    plugins,
    host: fakeHost({ clock }),
    onDiagnostic: one => void diagnostics.push(one),
  })
  onTestFinished(() => skills.close())
  const host = sessionsOf(skills, distribution)
  const conversation = await converse(host, {
    progress: event => void progress.push(event),
    onDiagnostic: one => void diagnostics.push(one),
    ...options,
  })
  const shown = (): readonly string[] =>
    progress.flatMap(event => {
      if (event.type === 'text') return event.text
      if (event.type === 'tool') return `[${event.tool} ${event.content}]`
      if (event.type === 'message') return `[${event.hookEvent}] ${event.text}`
      return 'message' in event ? `[${event.type}] ${event.message}` : []
    })
  return { skills, host, conversation, clock, progress, diagnostics, invocations, shown }
}

/** Makes the part of the result of `openSkills()` that a conversation needs from an engine. */
export function sessionsOf(skills: Skills, distribution?: SessionDistribution): SessionHost {
  return { session: (options, call) => AgentSession.open(skills, { distribution, ...options }, call) }
}
