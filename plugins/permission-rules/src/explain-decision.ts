import type { CallContext, Command, Note, SetupContext } from '@skills/core'
import type { Permission } from '@skills/rules'

/** Returns notes about a command that say how the rules decide about its name, and which rule decides. */
export function explainDecision(permission: Permission, { use }: Pick<SetupContext<'trust'>, 'use'>) {
  return async (query: string, command: Command | undefined, { signal }: CallContext): Promise<readonly Note[]> => {
    if (command?.type !== 'prompt') return []
    const trust =
      (await use('trust').first((one, call) => one.judge(command, false, call), { signal }))?.level ?? 'untrusted'
    // A qualified name is asked about under that name.
    const isQualified = query !== command.name && query.endsWith(`:${command.name}`)
    const name = isQualified ? query : command.name
    const entry = { name, command, provider: '', override: 'on', isQualified } as const
    const {
      behavior,
      message,
      decisionReason: { type, rule, source },
    } = await permission.check({ tool: 'Skill', content: name, entry, trust, caller: 'model', args: '' }, { signal })
    // The text in parentheses of a question says why it is asked.
    const open = message.indexOf('(')
    const note = open >= 0 && message.endsWith(')') ? message.slice(open + 1, -1) : undefined
    const byRule = `the rule ${rule ?? ''} of ${source ?? ''} decides this`
    const because =
      note ??
      (type === 'rule'
        ? byRule
        : type === 'safe'
          ? 'the skill sets nothing that needs permission, and embeds no command'
          : 'no rule covers it')
    // Typing is consent, so a person may run without a question what a model is asked about.
    const outcome = {
      allow: `Invoking "${name}" needs no permission`,
      deny: `Invoking "${name}" is denied`,
      ask: `When a model invokes "${name}", a person is asked`,
    }[behavior]
    return [{ text: `${outcome}: ${because}.` }]
  }
}
