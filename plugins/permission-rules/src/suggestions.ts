import type { PermissionRequest, RuleSuggestion } from '@skills/invocation'
import {
  escapeContent,
  isShell,
  mayRunMore,
  simpleCommand,
  simplePowerShellCommand,
  withoutBlanks,
} from '@skills/invocation/tool-rules'

export interface SuggestionOptions {
  /** Whether the prefix is suggested besides the exact name. */
  readonly prefixes: boolean
  /** Where a host is to save the rule. */
  readonly destination: string
}

/** The rules that would make a question unnecessary: exactly this, and what begins like it. */
export function suggestionsFor(
  { tool, content, entry, values = {} }: PermissionRequest,
  { prefixes, destination }: SuggestionOptions,
): readonly RuleSuggestion[] {
  const suggest = (ruleContent: string): RuleSuggestion => ({
    type: 'addRules',
    rules: [{ toolName: tool, ruleContent }],
    behavior: 'allow',
    destination,
  })
  if (!isShell(tool)) {
    const text = escapeContent(tool === 'Skill' ? entry.name : content)
    return prefixes && tool === 'Skill' ? [suggest(text), suggest(`${text}:*`)] : [suggest(text)]
  }
  const [name, second, ...rest] =
    (tool === 'Bash' ? simpleCommand : simplePowerShellCommand)(withoutBlanks(content), values) ?? []
  const isPlain = name !== undefined && !mayRunMore(name, second ?? '')
  // The next value may be anything, so only where it is sure to stay one word of a known command.
  const exact = isPlain || Object.keys(values).length === 0 ? [suggest(escapeContent(withoutBlanks(content)))] : []
  const isLonger = rest.length > 0 && second !== undefined && /^[a-z][a-z-]*$/.test(second)
  return prefixes && isPlain && isLonger ? [...exact, suggest(`${escapeContent(`${name} ${second}`)}:*`)] : exact
}
