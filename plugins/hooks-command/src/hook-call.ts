import type { GroupCall } from '@skills/process-group'
import type { Host, PromptCommand } from '@skills/core'
import type { CheckedOptions } from './options.js'

/** Settings of a plugin's user. Their names cannot be shell variables. */
const setting = /\$\{(user_config\.[\w.-]+)\}/g

/**
 * Makes the call of a hook. The shell runs the command without start-up files; values are in the environment. No value
 * becomes part of the script.
 * @throws SkillsError `E_INVALID_SKILL` for a variable of a plugin that has no value
 */
export function hookCall(
  script: string,
  command: PromptCommand,
  host: Pick<Host, 'cwd' | 'env' | 'sessionId'>,
  { program, skillFolder }: Pick<CheckedOptions, 'program' | 'skillFolder'>,
  stdin: string,
): GroupCall {
  const values: Record<string, string | undefined> = {
    CLAUDE_PLUGIN_ROOT: valueOf(command, 'CLAUDE_PLUGIN_ROOT') ?? command.baseDir,
    ...(skillFolder && { CLAUDE_SKILL_DIR: command.baseDir }),
    CLAUDE_PROJECT_DIR: host.cwd,
    CLAUDE_SESSION_ID: host.sessionId,
    // Reading this variable creates the folder, so it is read only for a script that uses it.
    ...(script.includes('CLAUDE_PLUGIN_DATA') && { CLAUDE_PLUGIN_DATA: valueOf(command, 'CLAUDE_PLUGIN_DATA') }),
  }
  let count = 0
  const built = script.replaceAll(setting, (written, name: string) => {
    const value = valueOf(command, name)
    if (value === undefined) return written
    const variable = `SKILL_HOOK_${count++}`
    values[variable] = value
    return `\${${variable}}`
  })
  return {
    program,
    args: ['--noprofile', '--norc', '-c', '--', built],
    env: { ...host.env, ...values },
    isScript: true,
    stdin,
  }
}

/** Returns the value of a variable from the skill's source; undefined if the source has none. */
function valueOf(command: PromptCommand, name: string): string | undefined {
  if (!('resolveVariable' in command) || typeof command.resolveVariable !== 'function') return undefined
  const value: unknown = command.resolveVariable(name)
  return typeof value === 'string' ? value : undefined
}
