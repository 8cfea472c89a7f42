import { isDeepStrictEqual } from 'node:util'
import { deepFrozen } from '../freeze.js'
import { entryOf, skillNamed } from '../entries.js'
import { doubtful, requestFor, scriptFor, type PermissionRule, type PermissionTrial } from './permission-trial.js'
import type { PermissionDecision, PermissionRequest, RuleSuggestion } from '@skills/rules'

const someRules = ['allow Skill(alpha)', 'deny Skill(beta)', 'ask Skill(gamma)', 'allow Bash(git:*)', 'deny Bash(rm:*)']
const someRequests: readonly PermissionRequest[] = [
  ...['alpha', 'beta', 'gamma', 'delta'].map(name => requestFor(name)),
  scriptFor('git status'),
  scriptFor('ls\nrm x'),
  scriptFor('make "$X"\n', { values: { X: 'a\nb' } }),
  requestFor('alpha', { tool: 'Frobnicate', content: 'one\ntwo' }),
  ...doubtful.flatMap(parts => [requestFor(parts.entry, parts), scriptFor('id', parts)]),
]

/** Rules for the form of a decision, and for giving the same decision every time. */
export const answerRules: readonly PermissionRule[] = [
  {
    name: 'decision',
    rule: 'every decision has a behaviour, a message of one line and a reason, and says which rule decided',
    async check(trial) {
      const { check } = await trial.with(...someRules)
      for (const request of someRequests) expectDecision(trial, request, await check(request))
    },
  },
  {
    name: 'suggestions',
    rule: 'a question suggests to allow exactly this, and what begins like it, and each of these rules does so',
    needs: ['suggestions', 'rules', 'default'],
    async check(trial) {
      for (const [request, other] of [
        [requestFor('alpha'), requestFor('omega')],
        [scriptFor('git log --oneline'), scriptFor('npm publish')],
      ] as const) {
        const { behavior, suggestions = [] } = await (await trial.with()).check(request)
        if (behavior !== 'ask') continue
        if (suggestions.length === 0)
          trial.broken(`the question about ${request.tool}(${request.content}) has no suggestions.`)
        for (const suggestion of suggestions) {
          const rules = suggestion.rules.map(rule => `${suggestion.behavior} ${written(rule)}`)
          await trial.expect(['allow'], request, rules, ', which was suggested')
          await trial.expect(['ask', 'deny'], other, rules, ', which was suggested for something else')
        }
        const [exact, ...prefixes] = suggestions
        if (exact !== undefined && prefixes.some(prefix => isDeepStrictEqual(prefix.rules, exact.rules)))
          trial.broken(`the question about ${request.tool}(${request.content}) suggests the same rule twice.`)
      }
    },
  },
  {
    name: 'determinism',
    rule: 'one question has one answer: asked again, of another provider with the same rules, and what was asked in between',
    async check(trial) {
      const [first, second] = [await trial.with(...someRules), await trial.with(...someRules)]
      const answers: PermissionDecision[] = []
      for (const request of someRequests) answers.push(await first.check(request))
      for (const [at, request] of [...someRequests.entries()].toReversed()) {
        for (const again of [await first.check(request), await second.check(request)]) {
          if (!isDeepStrictEqual(again, answers[at]))
            trial.broken(
              `${request.tool}(${JSON.stringify(request.content)}) was decided with "${answers[at]?.behavior ?? ''}" and then, asked again, with "${again.behavior}" or in other words.`,
            )
        }
      }
    },
  },
  {
    name: 'pure',
    rule: 'to decide changes nothing of what is asked about',
    async check(trial) {
      const { check } = await trial.with(...someRules)
      const granted = ['Bash(git:*)', 'Read']
      const request = scriptFor('git status', {
        granted,
        values: { X: 'y' },
        entry: entryOf(skillNamed('alpha', { allowedTools: granted, metadata: { a: 1 } })),
      })
      const before = plain(request)
      await check(request)
      if (plain(request) !== before) trial.broken('check() changed the request that it was given.')
      await check(deepFrozen(request))
    },
  },
  {
    name: 'abort',
    rule: 'a question whose signal was aborted before rejects with an AbortError or is answered as ever, and the next one is answered',
    async check(trial) {
      const { permission, check } = await trial.with(...someRules)
      const expected = await (await trial.with(...someRules)).check(requestFor('alpha'))
      const outcome = await trial.ended('check()', async () =>
        permission.check(requestFor('alpha'), { signal: AbortSignal.abort() }),
      )
      const what = 'check() whose signal was aborted before'
      if (trial.expectGivenUp(outcome, what))
        trial.expectSame(`the answer of ${what}`, outcome.value.behavior, expected.behavior)
      const { behavior } = await check(requestFor('alpha'))
      trial.expectSame('the answer of the next check() after an aborted one', behavior, expected.behavior)
    },
  },
]

function expectDecision(
  trial: PermissionTrial,
  { tool, content }: PermissionRequest,
  { behavior, message, decisionReason: { type, rule, source }, suggestions = [] }: PermissionDecision,
): void {
  const what = `the decision about ${tool}(${JSON.stringify(content)})`
  if (!['allow', 'deny', 'ask'].includes(behavior)) trial.broken(`${what} has the behaviour "${String(behavior)}".`)
  if (message.trim() === '' || /[\r\n\u2028\u2029]/.test(message))
    trial.broken(`${what} has no message of one line but ${JSON.stringify(message)}.`)
  if (!['rule', 'safe', 'default', 'host', 'unreadable', 'failure'].includes(type))
    trial.broken(`${what} has a reason of the type "${String(type)}".`)
  if (type === 'rule' && (rule === undefined || rule === '' || source === undefined || source === ''))
    trial.broken(`${what} was made by a rule and does not say by which, or where that comes from.`)
  if (behavior !== 'ask' && suggestions.length > 0)
    trial.broken(`${what} is "${behavior}" and suggests rules all the same.`)
  for (const one of suggestions)
    if (one.type !== 'addRules' || one.destination === '' || one.rules.length === 0)
      trial.broken(`${what} suggests what is no rule: ${JSON.stringify(one)}.`)
}

function written({ toolName, ruleContent }: RuleSuggestion['rules'][number]): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`
}

function plain(value: unknown): string {
  return JSON.stringify(value)
}
