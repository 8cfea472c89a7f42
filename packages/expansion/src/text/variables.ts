import type { Host, PromptCommand } from '@skills/core'

/**
 * What a command may know of variables besides those of every skill, such as those of the plugin that it comes from.
 */
interface WithVariables {
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  resolveVariable?(name: string): string | undefined
}

export interface VariableContext {
  readonly command: PromptCommand & WithVariables
  readonly host: Host
  readonly sessionId?: string | undefined
  readonly effort?: string | number | undefined
}

type Value = (context: VariableContext) => string | undefined

const ownVariables: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['CLAUDE_SKILL_DIR', ({ command }) => command.baseDir],
  ['CLAUDE_SESSION_ID', ({ host, sessionId = host.sessionId }) => sessionId],
  ['CLAUDE_PROJECT_DIR', ({ host }) => (host.platform === 'win32' ? host.cwd.replaceAll('\\', '/') : host.cwd)],
  ['CLAUDE_EFFORT', ({ command, effort = command.effort }) => (effort === undefined ? undefined : String(effort))],
])

/**
 * Whether a name may be one of a variable; its value is asked for only where it stands, since some are made by that.
 */
export function mayBeVariable(name: string, command: VariableContext['command']): boolean {
  return (
    ownVariables.has(name) ||
    command.resolveVariable !== undefined ||
    (command.variables !== undefined && Object.hasOwn(command.variables, name))
  )
}

/**
 * The value of a variable; undefined for one that is unknown or has none. Throws what the command throws for one it
 * refuses.
 */
export function variableValue(name: string, context: VariableContext): string | undefined {
  const own = ownVariables.get(name)
  if (own !== undefined) return own(context)
  const { command } = context
  const given =
    command.variables !== undefined && Object.hasOwn(command.variables, name) ? command.variables[name] : undefined
  return typeof given === 'string' ? given : command.resolveVariable?.(name)
}
