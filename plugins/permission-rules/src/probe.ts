import { nameKey } from '@skills/core'
import type { PermissionRequest } from '@skills/invocation'
import { allowedNames, forbiddenNames, type Candidate } from './entry-names.js'
import { isShell } from './rule.js'
import { possibleCommands } from './possible-commands.js'
import { simpleCommand, simplePowerShellCommand, unwrapped } from './simple-command.js'
import type { Probe } from './rule-set.js'

/** The form in which rules that forbid are compared: whatever the case and the white space. */
export function broadForm(text: string): string {
  return nameKey(text).toLowerCase().replace(/\s+/g, ' ')
}

/** What a request is when somebody may be allowed it: what it is for sure. */
export function strictProbe({ tool, content, entry, values }: PermissionRequest): Probe {
  if (tool === 'Skill') return namesProbe(tool, allowedNames(entry))
  const text = isShell(tool) ? withoutBlanks(content) : content
  const whole = [candidate(nameKey(text))]
  if (!isShell(tool)) return { tools: [tool], whole, open: whole }
  const words = (tool === 'Bash' ? simpleCommand : simplePowerShellCommand)(text, values)
  return { tools: [tool], whole, open: words === undefined ? [] : unwrapped(words).map(candidate) }
}

/** What a request is when it may be forbidden: anything that it might be. */
export function broadProbe({ tool, content, entry, values }: PermissionRequest): Probe {
  if (tool === 'Skill') return namesProbe('skill', forbiddenNames(entry))
  const texts = (isShell(tool) ? possibleCommands(content, values) : [content]).map(text => candidate(broadForm(text).trim()))
  return { tools: [broadForm(tool)], whole: texts, open: texts }
}

function namesProbe(tool: string, names: readonly Candidate[]): Probe {
  const ofServers = names.flatMap(({ text }) => text.startsWith('mcp__') ? [text] : [])
  return { tools: [tool, ...ofServers], whole: names, open: names }
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
