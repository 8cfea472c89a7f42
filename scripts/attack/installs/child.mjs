// @ts-check
// node child.mjs ACTION FOLDER: makes one change of what is installed, in a process that can be killed.
import { applyPlan, ci, planAdd, planUpdate, removeSkills } from '@skills/install'
import { contextOf } from './places.mjs'

const [action = '', folder = ''] = process.argv.slice(2)
const context = contextOf(folder)

/** @param {import('@skills/install').Plan | undefined} plan */
const apply = async plan => plan && applyPlan(plan, { agreed: plan.digest, replace: true }, context)

/** @type {Readonly<Record<string, () => unknown>>} */
const actions = {
  add: async () => apply(await planAdd('./shared', { all: true }, context)),
  update: async () => apply(await planUpdate(undefined, context)),
  remove: () => removeSkills(['one'], { replace: true }, context),
  ci: () => ci({}, context),
}
await actions[action]?.()
