import { escapeContent, isShell, type PermissionRequest, type RuleSuggestion } from '@skills/rules'
import {
  escapePath,
  isHarmless,
  openPrefix,
  simpleCommand,
  simplePowerShellCommand,
  type FileProbe,
  withoutBlanks,
} from '@skills/rules/internal'

export interface SuggestionOptions {
  /** True if the prefix is suggested besides the exact name. */
  readonly prefixes: boolean
  /** Settings file in which a host saves the rule. */
  readonly destination: string
}

interface About extends SuggestionOptions {
  /** Files that a file tool is called with; undefined for any other tool. */
  readonly files: FileProbe['files'] | undefined
}

/**
 * Suggests rules that would make a question unnecessary. One rule is for exactly this call. If the table of programs
 * shows that calls with the same beginning are harmless, another rule is for all of these calls.
 */
export function suggestionsFor(
  { tool, content, entry, values = {} }: PermissionRequest,
  { prefixes, destination, files }: About,
): readonly RuleSuggestion[] {
  const suggest = (ruleContent: string): RuleSuggestion => ({
    type: 'addRules',
    rules: [{ toolName: tool, ruleContent }],
    behavior: 'allow',
    destination,
  })
  if (files !== undefined) {
    // A second path to the file, such as a link, needs a rule too.
    const [only, ...others] = files.flatMap(({ certain }) => certain)
    const rule = only === undefined || others.length > 0 ? undefined : escapePath(only)
    return rule === undefined ? [] : [suggest(rule)]
  }
  if (!isShell(tool)) {
    const text = escapeContent(tool === 'Skill' ? entry.name : content)
    return prefixes && tool === 'Skill' ? [suggest(text), suggest(`${text}:*`)] : [suggest(text)]
  }
  const words = (tool === 'Bash' ? simpleCommand : simplePowerShellCommand)(withoutBlanks(content), values) ?? []
  // The next value may be anything, so only if it surely stays one word of a known command.
  const isSure = Object.keys(values).length === 0 || isHarmless(words, 2)
  const prefix = prefixes ? openPrefix(words) : undefined
  return [
    ...(isSure ? [suggest(escapeContent(withoutBlanks(content)))] : []),
    ...(prefix === undefined ? [] : [suggest(`${escapeContent(prefix.join(' '))}:*`)]),
  ]
}
