import { nameKey } from '@skills/core'
import { isShell } from './rule.js'
import { possibleCommands } from './possible-commands.js'
import { resolvedCommand, simpleCommand, simplePowerShellCommand, unwrapped } from './simple-command.js'
import type { Candidate, Probe } from './rule-set.js'

/** One use of a tool, as rules are held against it. */
export interface ToolUse {
  readonly tool: string
  /** Of a shell its script, of a tool for files the path; else whatever tells one use from another. */
  readonly content: string
  /** What travels beside a script in its environment, by variable. */
  readonly values?: Readonly<Record<string, string>> | undefined
}

/** The form in which rules that forbid are compared: whatever the case and the white space. */
export function broadForm(text: string): string {
  return nameKey(text).toLowerCase().replace(/\s+/g, ' ')
}

/** What a use is when it may be allowed: what it is for sure. Of a script what it begins with counts only if it is one simple command. */
export function strictProbe({ tool, content, values }: ToolUse): Probe {
  const text = isShell(tool) ? withoutBlanks(content) : content
  const whole = [candidate(nameKey(text))]
  if (!isShell(tool)) return { tools: [tool], whole, open: whole }
  const words = (tool === 'Bash' ? simpleCommand : simplePowerShellCommand)(text, values)
  const resolved = tool === 'Bash' && values !== undefined ? resolvedCommand(text, values) : undefined
  const open = [words, resolved].flatMap(one => one === undefined ? [] : unwrapped(one).map(candidate))
  return { tools: [tool], whole: resolved === undefined ? whole : [...whole, candidate(resolved.join(' '))], open }
}

/** What a use is when it may be forbidden: anything that it might be. */
export function broadProbe({ tool, content, values }: ToolUse): Probe {
  const texts = (isShell(tool) ? possibleCommands(content, values) : [content]).map(text => candidate(broadForm(text).trim()))
  return { tools: [broadForm(tool)], whole: texts, open: texts }
}

/** Without the white space around a script that a shell takes for such; to it other white space is part of a word. */
export function withoutBlanks(script: string): string {
  let [start, end] = [0, script.length]
  while (start < end && ' \t\n'.includes(script.charAt(start))) start++
  while (end > start && ' \t\n'.includes(script.charAt(end - 1))) end--
  return script.slice(start, end)
}

function candidate(text: string): Candidate {
  return { text, from: 0 }
}
