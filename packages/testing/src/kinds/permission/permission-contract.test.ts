import { SkillsError } from '@skills/core'
import { permissionContract } from '@skills/testing'
import type { MakePermission, NeutralRule, PermissionLack } from '@skills/testing/internal'
import { testPermission } from '@skills/testing/vitest'
import { expect, test } from 'vitest'
import { failuresOf } from '../../../test/failures-of.js'
import { SmallPermission } from '../../../test/small-permission.js'
import type { PermissionDecision, PermissionRequest } from '@skills/rules'

type Check = (request: PermissionRequest, call: { readonly signal: AbortSignal }) => PermissionDecision
/** Fault in a provider that is otherwise sound. */
type Fault = (
  sound: SmallPermission,
  check: Check,
) => Partial<Pick<SmallPermission, 'check' | 'matches' | 'namesOf' | 'scriptsOf' | 'covers'>>

function made(fault: Fault = () => ({})): MakePermission {
  return rules => ({
    provider: {
      kind: 'permission',
      id: 'small',
      setup() {
        const sound = new SmallPermission(rules)
        const check = sound.check.bind(sound)
        return Object.assign(sound, fault(sound, check))
      },
    },
  })
}

testPermission('a sound permission provider', made())

const allow: PermissionDecision = { behavior: 'allow', message: 'It may.', decisionReason: { type: 'default' } }
/** Allows the requests for which `isWrong` is true, and leaves the others to the sound provider. */
const allowing =
  (isWrong: (request: PermissionRequest, rules: readonly NeutralRule[]) => boolean): Fault =>
  (sound, check) => ({ check: (request, call) => (isWrong(request, sound.rules) ? allow : check(request, call)) })
let calls = 0

// At least one faulty provider a case; each fails that case alone.
const mutants: readonly (readonly [caseName: string, fault: string, fault_: Fault, says: string])[] = [
  [
    'deny-wins',
    'lets a question that comes first stand for a denial',
    (sound, check) => ({
      check(request, call) {
        const first = sound.rules.find(rule => rule.behavior !== 'allow' && sound.matches(rule, request))
        const decision = check(request, call)
        return first?.behavior === 'ask' ? { ...decision, behavior: 'ask' } : decision
      },
    }),
    '"ask" instead of "deny" under the rules allow Skill(alpha), ask Skill(alpha), deny Skill(alpha)',
  ],
  [
    'ask-wins',
    'takes the first of what asks and what allows',
    (sound, check) => ({
      check(request, call) {
        const decision = check(request, call)
        return decision.behavior === 'ask' &&
          sound.rules.find(rule => sound.matches(rule, request))?.behavior === 'allow' &&
          request.trust === 'trusted'
          ? allow
          : decision
      },
    }),
    '"allow" instead of "ask" under the rules allow Skill(alpha), allow Skill, ask Skill(alpha)',
  ],
  [
    'default',
    'allows a tool that it does not know',
    allowing(({ tool }) => tool === 'Frobnicate'),
    'Frobnicate("") is decided with "allow"',
  ],
  [
    'untrusted',
    'lets a rule allow a skill that is not trusted',
    allowing(({ tool, trust }, rules) => tool === 'Skill' && trust === 'untrusted' && rules.length === 1),
    'Skill("alpha") of an untrusted skill',
  ],
  [
    'remote',
    'lets PowerShell run for a server',
    allowing(({ tool, trust }) => tool === 'PowerShell' && trust === 'remote'),
    'PowerShell("git status") of a server',
  ],
  [
    'grants',
    'lets a skill allow itself what is denied',
    allowing(
      ({ granted, trust }, rules) =>
        granted !== undefined && trust === 'trusted' && rules[0]?.rule === 'Bash(git:*)' && rules.length === 1,
    ),
    '"allow" instead of "deny" under the rules deny Bash(git:*)',
  ],
  [
    'grants',
    'lets a skill allow itself',
    allowing(
      ({ granted, tool, trust }) => trust === 'trusted' && tool === 'Skill' && granted?.includes('Skill') === true,
    ),
    'which no skill can allow itself to be',
  ],
  [
    'deny-by-any-name',
    'goes by what was typed',
    (sound, check) => ({
      check: (request, call) =>
        request.tool === 'Skill' && request.content.includes('/') && sound.rules.length === 2
          ? allow
          : check(request, call),
    }),
    'Skill("/alpha") is decided with "allow" instead of "deny" under the rules allow Skill, deny Skill(alpha), asked for as /alpha',
  ],
  [
    'allow-by-name',
    'lets a rule allow what has the name for an alias',
    sound => ({
      namesOf: (behavior, request) => [
        ...SmallPermission.prototype.namesOf.call(sound, behavior, request),
        ...request.entry.command.aliases,
      ],
    }),
    'since "alpha" is only its alias',
  ],
  [
    'whole-names',
    'takes a prefix for the beginning of a word',
    sound => ({
      covers: (pattern, text, gap) =>
        SmallPermission.prototype.covers.call(sound, pattern, text, gap === ':' ? '' : gap),
    }),
    'Skill("alphabet") is decided with "allow"',
  ],
  [
    'own-tools',
    "takes what is no skill's for the host itself",
    allowing(({ entry: { command } }) => command.type !== 'prompt'),
    'is decided with "allow" instead of "deny"',
  ],
  [
    'simple-commands',
    'does not see what follows on another line',
    sound => ({
      scriptsOf: (behavior, script, pattern) =>
        SmallPermission.prototype.scriptsOf.call(
          sound,
          behavior,
          behavior === 'allow' && pattern.endsWith('*') ? script.replace(/\n.*/s, '') : script,
          pattern,
        ),
    }),
    'Bash("git status\\nid") is decided with "allow"',
  ],
  [
    'exact-scripts',
    'lets more words follow',
    sound => ({
      covers: (pattern, text, gap) =>
        SmallPermission.prototype.covers.call(sound, pattern === 'git status' ? 'git status:*' : pattern, text, gap),
    }),
    'Bash("git status --short") is decided with "allow"',
  ],
  [
    'denied-scripts',
    'looks at the first command alone',
    sound => ({
      scriptsOf: (behavior, script, pattern) =>
        SmallPermission.prototype.scriptsOf.call(sound, behavior, script, pattern).slice(0, 1),
    }),
    'Bash("ls; rm -rf x") is decided with "allow" instead of "deny"',
  ],
  [
    'decision',
    'repeats the script in its message',
    (_sound, check) => ({
      check(request, call) {
        const decision = check(request, call)
        return { ...decision, message: `${decision.message} ${request.content}` }
      },
    }),
    'has no message of one line but',
  ],
  [
    'decision',
    'does not say where its rule comes from',
    (_sound, check) => ({
      check(request, call) {
        const {
          decisionReason: { source: _, ...decisionReason },
          ...decision
        } = check(request, call)
        return { ...decision, decisionReason }
      },
    }),
    'was made by a rule and does not say by which',
  ],
  [
    'suggestions',
    'suggests to allow the whole tool',
    (_sound, check) => ({
      check(request, call) {
        const decision = check(request, call)
        return decision.suggestions === undefined
          ? decision
          : {
              ...decision,
              suggestions: [
                { type: 'addRules', rules: [{ toolName: request.tool }], behavior: 'allow', destination: 'session' },
              ],
            }
      },
    }),
    'which was suggested for something else',
  ],
  [
    'suggestions',
    'suggests nothing',
    (_sound, check) => ({
      check(request, call) {
        const { suggestions: _, ...decision } = check(request, call)
        return decision
      },
    }),
    'has no suggestions',
  ],
  [
    'determinism',
    'counts',
    (_sound, check) => ({
      check: (request, call) => ({ ...check(request, call), message: `This is question ${++calls}.` }),
    }),
    'or in other words',
  ],
  [
    'pure',
    'sorts what it is asked about',
    (_sound, check) => ({
      check(request, call) {
        Object.assign(request, { args: 'seen' })
        return check(request, call)
      },
    }),
    'check() changed the request that it was given.',
  ],
  [
    'abort',
    'fails in its own way',
    (_sound, check) => ({
      check(request, call) {
        if (call.signal.aborted) throw new Error('Stopped.')
        return check(request, call)
      },
    }),
    'rejected with no AbortError but: Stopped.',
  ],
]

test.each(mutants)('%s fails for a provider that %s', async (name, _fault, fault, says) => {
  expect(await failuresOf(permissionContract(made(fault)))).toEqual({ [name]: expect.stringContaining(says) })
})

test.each<PermissionLack>(['rules', 'scripts', 'grants', 'default', 'suggestions'])(
  'a provider that is said to do without %s and does not fails "without" alone',
  async lack => {
    expect(await failuresOf(permissionContract(made(), { without: { [lack]: 'It has none.' } }))).toEqual({
      without: expect.stringContaining(`"${lack}", although`),
    })
  },
)

test('there is a faulty provider for every case', () => {
  expect(new Set([...mutants.map(([name]) => name), 'without'])).toEqual(
    new Set(permissionContract(made()).map(({ name }) => name)),
  )
})

test('a provider that cannot be made, or set up, is said to be', async () => {
  const [first] = permissionContract(() => {
    throw new SkillsError('E_INVALID_OPTION', 'That is no rule.')
  })
  await expect(first?.run()).rejects.toThrow(/ make\(\) failed: That is no rule\./)
  const [second] = permissionContract(() => ({
    provider: {
      kind: 'permission',
      id: 'unfit',
      setup() {
        throw new Error('There is no file.')
      },
    },
  }))
  await expect(second?.run()).rejects.toThrow(/"unfit" .*: There is no file\./)
})
