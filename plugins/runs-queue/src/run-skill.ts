import { createHash } from 'node:crypto'
import { SkillsError, type CatalogEntry, type Command, type Skills } from '@skills/core'
import { commandOf } from '@skills/skill-md'
import type { RunRecord } from '@skills/runs'

/**
 * Returns the skill stored with a run, as a command of the source `run`. No trust provider trusts it by default.
 * Undefined if the engine has the same text itself, if the run has no text, or if the engine's skill of that name is
 * switched off. Rejects with `E_RUN_CHANGED` if the text is not the permitted text, with `E_INVALID_SKILL` if it is not
 * a skill, and with `E_DENIED` if a gate keeps it out.
 */
export async function skillOfRun(skills: Skills, { skill }: RunRecord): Promise<CatalogEntry | undefined> {
  const { name, digest, text } = skill
  if (text === undefined) return undefined
  const { signal } = skills
  const catalog = await skills.catalog({ signal, names: [name] })
  if (catalog.disabled.some(entry => entry.name === name || entry.command.name === name)) return undefined
  const own = catalog.lookup(name)?.command
  if (own?.type === 'prompt' && (await own.digest?.({ signal })) === digest) return undefined
  const bytes = Buffer.from(text)
  if (createHash('sha256').update(bytes).digest('hex') !== digest)
    fail('E_RUN_CHANGED', `The text of "${name}" in the run is not the text that was permitted.`)
  const { command, diagnostics } = await commandOf(bytes, { name, source: 'run' }, signal)
  if (command === undefined)
    fail('E_INVALID_SKILL', `The text of "${name}" in the run is not a skill: ${diagnostics[0]?.message ?? ''}`)
  const reason = await barOf(skills, command)
  if (reason !== undefined) fail('E_DENIED', `The text of "${name}" in the run is not used: ${reason}`)
  return { name, command, provider: 'run', override: 'on', isQualified: false }
}

/** Returns the first reason of a gate. A gate that fails keeps the skill out. */
async function barOf(skills: Skills, command: Command): Promise<string | undefined> {
  const answers = await skills.use('gate').each(async (gate, call) => {
    const rules = await gate.rules?.(call)
    return { reason: rules?.source?.('run', 'run') ?? rules?.command?.(command) }
  })
  for (const { id, value } of answers) {
    // The answer in place of a failing gate has another form.
    const reason = 'reason' in value ? value.reason : `The gate "${id}" failed.`
    if (reason !== undefined) return reason
  }
  return undefined
}

function fail(code: 'E_RUN_CHANGED' | 'E_INVALID_SKILL' | 'E_DENIED', message: string): never {
  throw new SkillsError(code, message, { hint: 'Use a worker that has the same skill in its own sources.' })
}
