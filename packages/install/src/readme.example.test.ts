import { expect, it } from 'vitest'
// #region usage
import { applyPlan, installContext, planAdd } from '@skills/install'
import type { Host } from '@skills/core'
import type { Plan } from '@skills/install'

/** Adds a skill of a source, once a person has agreed to what it can do. */
async function add(source: string, skill: string, host: Host, ask: (plan: Plan) => Promise<boolean>) {
  const context = installContext({ host, signal: new AbortController().signal })
  const plan = await planAdd(source, { skills: [skill] }, context)
  if (plan === undefined) return false
  const isAgreed = await ask(plan)
  if (isAgreed) await applyPlan(plan, { agreed: plan.digest }, context)
  else plan.discard()
  return isAgreed
}
// #endregion usage
import { machine, skill } from '../test/places.js'

it('adds what was agreed to', async () => {
  const at = machine({ 'project/shared/deploy/SKILL.md': skill('deploy', 'Run !`date`.') })
  const seen: string[] = []
  const ask = async ({ skills }: Plan): Promise<boolean> => {
    seen.push(...skills.flatMap(({ difference }) => difference.gained.map(({ code }) => code)))
    return seen.length > 0
  }
  expect(await add('./shared', 'deploy', at.host, ask)).toBe(true)
  expect(seen).toEqual(['embedded-command'])
})
