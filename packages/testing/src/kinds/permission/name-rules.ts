import { entryOf, skillNamed } from '../entries.js'
import { requestFor, type PermissionRule } from './permission-trial.js'

/** Rules for matching a skill by each of its names. */
export const nameRules: readonly PermissionRule[] = [
  {
    name: 'deny-by-any-name',
    rule: 'an alias, a slash before the name or another case slips past no rule that denies',
    needs: ['rules'],
    async check(trial) {
      const command = skillNamed('alpha', { aliases: ['al'], displayName: 'The Alpha' })
      const entry = entryOf(command)
      for (const content of ['alpha', '/alpha', 'al', '/al', 'ALPHA', 'The Alpha'])
        await trial.expect(
          ['deny'],
          requestFor(entry, { content }),
          ['allow Skill', 'deny Skill(alpha)'],
          `, asked for as ${content}`,
        )
      await trial.expect(['deny'], requestFor(entry), ['allow Skill', 'deny Skill(/alpha)'])
      await trial.expect(['deny'], requestFor(entryOf(command, { name: 'user:alpha', isQualified: true })), [
        'allow Skill',
        'deny Skill(user:alpha)',
      ])
    },
  },
  {
    name: 'allow-by-name',
    rule: 'a rule that allows a skill allows no other one that calls itself so',
    needs: ['rules'],
    async check(trial) {
      await trial.expect(['allow'], requestFor('alpha'), ['allow Skill(alpha)'])
      const other = entryOf(skillNamed('omega', { aliases: ['alpha'], displayName: 'alpha' }))
      for (const content of ['omega', 'alpha', '/alpha'])
        await trial.expect(
          ['ask', 'deny'],
          requestFor(other, { content }),
          ['allow Skill(alpha)'],
          ', since "alpha" is only its alias',
        )
    },
  },
  {
    name: 'whole-names',
    rule: 'a name in a rule is a whole name, and its prefix ends where a part of the name does',
    needs: ['rules'],
    async check(trial) {
      for (const name of ['alphabet', 'alpha-2', 'my-alpha', 'alpha:sub'])
        await trial.expect(['ask', 'deny'], requestFor(name), ['allow Skill(alpha)'])
      for (const name of ['alpha', 'alpha:sub', 'alpha:sub:part'])
        await trial.expect(['allow'], requestFor(name), ['allow Skill(alpha:*)'])
      await trial.expect(['ask', 'deny'], requestFor('alphabet'), ['allow Skill(alpha:*)'])
    },
  },
]
