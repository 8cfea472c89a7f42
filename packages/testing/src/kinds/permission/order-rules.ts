import { entryOf, ownEntry, skillNamed } from '../entries.js'
import { doubtful, requestFor, scriptFor, type PermissionRule } from './permission-trial.js'

/** Rules for which of several permission rules decides, and for the decision without a matching rule. */
export const orderRules: readonly PermissionRule[] = [
  {
    name: 'deny-wins',
    rule: 'a rule that denies wins over those that allow and ask, in any order they stand',
    needs: ['rules'],
    async check(trial) {
      for (const deny of ['deny Skill(alpha)', 'deny Skill']) {
        for (const rules of orders(['allow Skill(alpha)', 'ask Skill(alpha)', deny]))
          await trial.expect(['deny'], requestFor('alpha'), rules)
      }
    },
  },
  {
    name: 'ask-wins',
    rule: 'a rule that asks wins over those that allow, in any order they stand',
    needs: ['rules'],
    async check(trial) {
      for (const rules of orders(['allow Skill(alpha)', 'allow Skill', 'ask Skill(alpha)']))
        await trial.expect(['ask'], requestFor('alpha'), rules)
    },
  },
  {
    name: 'default',
    rule: 'what no rule speaks of is asked about or denied, above all a tool that no one knows and a skill that cannot be read',
    needs: ['default'],
    async check(trial) {
      const unreadable = skillNamed('alpha', {
        model: undefined,
        load() {
          throw new Error('It cannot be read.')
        },
      })
      const requests = [
        requestFor('alpha'),
        requestFor('alpha', { tool: 'Frobnicate', content: '' }),
        scriptFor('git status'),
        requestFor(entryOf(unreadable)),
        requestFor(entryOf(skillNamed('alpha', { model: undefined, load: () => ({ template: '!`id`' }) }))),
      ]
      for (const request of requests)
        for (const rules of [[], ['allow Skill(other)', 'allow Bash(ls)']])
          await trial.expect(['ask', 'deny'], request, rules)
    },
  },
  {
    name: 'untrusted',
    rule: 'no rule allows a tool to a skill that is not trusted, nor such a skill itself',
    needs: ['rules', 'scripts'],
    async check(trial) {
      for (const parts of doubtful)
        await trial.expect(['ask', 'deny'], scriptFor('git status', parts), [
          'allow Bash',
          'allow Bash(git:*)',
          'allow Bash(git status)',
        ])
      for (const parts of doubtful.slice(0, 1))
        await trial.expect(['ask', 'deny'], requestFor(parts.entry, parts), ['allow Skill(alpha)'])
    },
  },
  {
    name: 'own-tools',
    rule: "the rules hold for a tool of the host's own, on whose behalf there is no skill",
    needs: ['rules', 'scripts', 'default'],
    async check(trial) {
      const own = (content: string) => scriptFor(content, { entry: ownEntry, input: { command: content } })
      await trial.expect(['allow'], own('git status'), ['allow Bash(git:*)'])
      await trial.expect(['deny'], own('git status'), ['allow Bash', 'deny Bash(git:*)'])
      await trial.expect(['ask', 'deny'], own('git status; id'), ['allow Bash(git:*)'])
      await trial.expect(['ask', 'deny'], own('git status'), [])
    },
  },
  {
    name: 'remote',
    rule: 'what a server sends never runs anything, under any rules',
    async check(trial) {
      for (const parts of doubtful.slice(1)) {
        for (const tool of ['Bash', 'PowerShell'])
          await trial.expect(
            ['ask', 'deny'],
            requestFor(parts.entry, { ...parts, tool, content: 'git status', granted: [tool] }),
            ['allow Skill', 'allow Bash', 'allow PowerShell'],
          )
      }
    },
  },
  {
    name: 'grants',
    rule: 'what a skill allows itself counts for tools alone, once the skill is trusted, and never against a rule that denies or asks',
    needs: ['grants', 'rules', 'scripts'],
    async check(trial) {
      const granted = ['Bash(git:*)', 'Skill', 'Skill(alpha)']
      await trial.expect(['allow'], scriptFor('git status', { granted }), [])
      await trial.expect(['deny'], scriptFor('git status', { granted }), ['deny Bash(git:*)'])
      await trial.expect(['ask'], scriptFor('git status', { granted }), ['ask Bash(git:*)'])
      await trial.expect(
        ['ask', 'deny'],
        requestFor('alpha', { granted }),
        [],
        ', which no skill can allow itself to be',
      )
      for (const parts of doubtful)
        await trial.expect(['ask', 'deny'], scriptFor('git status', { granted, ...parts }), [])
    },
  },
]

/** Returns every order of some rules. */
function orders(rules: readonly string[]): readonly (readonly string[])[] {
  if (rules.length < 2) return [rules]
  return rules.flatMap((first, at) => orders(rules.toSpliced(at, 1)).map(rest => [first, ...rest]))
}
