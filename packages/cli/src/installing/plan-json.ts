import type { Plan } from '@skills/install'
import type { PlannedSkill } from '@skills/install/internal'

/** Returns a plan as JSON. `refused`, `drifted` and `others` are present only if they have entries. */
export function planJson(
  { digest, skills, agents, found, unwired, refused, drifted, others }: Plan,
  installed: boolean,
): object {
  return {
    installed,
    consent: digest,
    agents,
    found,
    unwired: unwired.map(({ name, trace, error: { code, message } }) => ({ name, trace, code, message })),
    skills: skills.map(skillJson),
    ...(drifted.length > 0 && { drifted }),
    ...(others.length > 0 && { others: others.map(({ name, path }) => ({ name, path })) }),
    ...(refused.length > 0 && {
      refused: refused.map(({ name, path, error: { code, message } }) => ({ name, path, code, message })),
    }),
  }
}

function skillJson({ name, locked, files, lines, powers, difference, compat }: PlannedSkill): Record<string, unknown> {
  return { name, ...locked, changes: files, lines, level: powers.level ?? null, ...difference, compat }
}
