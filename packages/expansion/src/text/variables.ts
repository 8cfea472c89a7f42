import type { Host, PromptCommand } from '@skills/core'

/** Variables that a command has besides those of every skill, such as those of its plugin. */
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
 * True if a name may be the name of a variable. The value is looked up later, and only if the text contains the name,
 * because a look-up may create a folder.
 */
export function mayBeVariable(name: string, command: VariableContext['command']): boolean {
  return (
    ownVariables.has(name) ||
    command.resolveVariable !== undefined ||
    (command.variables !== undefined && Object.hasOwn(command.variables, name))
  )
}

/**
 * Returns the value of a variable; undefined if the variable is unknown or has no value. If the command refuses the
 * variable, throws the command's error.
 */
export function variableValue(name: string, context: VariableContext): string | undefined {
  const own = ownVariables.get(name)
  if (own !== undefined) return own(context)
  const { command } = context
  const given =
    command.variables !== undefined && Object.hasOwn(command.variables, name) ? command.variables[name] : undefined
  return typeof given === 'string' ? given : command.resolveVariable?.(name)
}
