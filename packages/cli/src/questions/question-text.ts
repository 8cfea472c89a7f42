import { shownName } from '@skills/core'
import { bodyText } from '../output/body-text.js'
import { embeddedIn, type EmbeddedRules } from './embedded-in.js'
import { bar } from '../output/folded.js'
import { printableLine, printable } from '../output/printable.js'
import { shownPath } from '../output/shown-path.js'
import { styleOf } from '../output/style.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'
import type { PermissionDecision, PermissionRequest } from '@skills/rules'

interface AskedAbout {
  readonly request: PermissionRequest
  readonly decision: PermissionDecision
  readonly embedded: EmbeddedRules
}

/**
 * Returns everything that an answer needs: which skill of which file, what it requests, and exactly what would run.
 * Foreign text has a bar at the start of each line, so that it cannot imitate the program's own lines.
 */
export async function questionText(
  { request, decision, embedded }: AskedAbout,
  { isColorless }: Invocation,
  io: Io,
  signal: AbortSignal,
): Promise<string> {
  const {
    tool,
    content,
    entry: { name, command },
    values = {},
  } = request
  const style = styleOf(io.stderr, io.env, isColorless)
  const prompt = command.type === 'prompt' ? command : undefined
  const place = prompt?.filePath === undefined ? '' : ` (${shownPath(prompt.filePath, io.cwd)})`
  const lines = [
    style.bold(`${printableLine(decision.message)}?`),
    `  the skill  ${shownName(name)} of ${printableLine(command.source)}${place}`,
  ]
  if (tool !== 'Skill') {
    lines.push(`  would run  with ${printableLine(tool)}:`, ...barred(content))
    for (const [variable, value] of Object.entries(values))
      lines.push(`  where ${printable(variable)} is:`, ...barred(value))
  } else if (prompt !== undefined) {
    const { args } = request
    if (args !== '') lines.push('  arguments', ...barred(args))
    if (prompt.allowedTools.length > 0)
      lines.push(`  allows itself  ${prompt.allowedTools.map(printableLine).join(', ')}`)
    const { model, effort, hooks } = prompt
    if (model !== undefined) lines.push(`  changes the model to  ${printableLine(model)}`)
    if (effort !== undefined) lines.push(`  changes the effort to  ${printableLine(String(effort))}`)
    if (hooks !== undefined && hooks !== null) lines.push('  brings hooks along')
    const body = await prompt.load(args, { signal })
    for (const { script } of embeddedIn(body, prompt, embedded)) lines.push('  embeds', ...barred(script))
  }
  return `\n${lines.join('\n')}\n`
}

function barred(text: string): readonly string[] {
  return bodyText({ template: text })
    .text.replace(/\n$/, '')
    .split('\n')
    .map(line => `${bar}${line}`)
}
