import { hostile, type ExpanderRule, type ExpanderTrial } from './expander-trial.js'
import type { PermissionDecision } from '@skills/rules'

const secret = 'brought in by the contract'

/** Rules for the expanded text, and for the sources from which text may be inserted. */
export const textRules: readonly ExpanderRule[] = [
  {
    name: 'samples',
    rule: 'each of the texts that it is meant for becomes what it is said to become, as often as it stands there',
    async check(trial) {
      const expanding = await trial.expanding()
      for (const { template, args = '', becomes } of expanding.fixture.samples) {
        const found = await expanding.textOf(template, { args })
        expectBecome(trial, template, found, becomes)
        const [text, expected] = [template, becomes].map(one => Array(3).fill(one).join('\n\n'))
        expectBecome(trial, template, await expanding.textOf(text ?? '', { args }), expected, ' three times')
      }
    },
  },
  {
    name: 'verbatim',
    rule: 'what is brought into a text stays as it is, where an expander would replace it too, and is not looked into again',
    needs: ['bring'],
    async check(trial) {
      const expanding = await trial.expanding()
      const bring = trial.bringing(expanding)
      for (const value of [...hostile, ...expanding.fixture.samples.map(({ template }) => template)]) {
        const { template, args = '' } = await trial.unchecked('bring() failed', async () => bring(value))
        const found = await expanding.textOf(`Before ${template} after.`, { args })
        if (found !== `Before ${value} after.`)
          trial.broken(`where ${JSON.stringify(value)} was brought in, the text is ${JSON.stringify(found)}.`)
      }
    },
  },
  {
    name: 'arguments',
    rule: 'arguments reach a text only where it refers to them',
    async check(trial) {
      const expanding = await trial.expanding()
      const text = 'Nothing here refers to anything.\n'
      for (const args of hostile) {
        const { text: found, tokens } = await expanding.expanded(text, { args })
        if (tokens > 0 || !found.includes(text))
          trial.broken(
            `with the arguments ${JSON.stringify(args)} a text that refers to nothing became ${JSON.stringify(found)}.`,
          )
        for (const sample of expanding.fixture.samples) {
          if (sample.args !== undefined) continue
          const other = await expanding.textOf(sample.template, { args })
          if (!other.includes(sample.becomes))
            expectBecome(trial, sample.template, other, sample.becomes, ` with the arguments ${JSON.stringify(args)}`)
        }
      }
    },
  },
  {
    name: 'once',
    rule: 'the work is in proportion to the text: each place is looked at once, each token evaluated once, and permission asked for once',
    async check(trial) {
      const [one, many] = [await trial.expanding(), await trial.expanding()]
      for (const { template, args = '' } of one.fixture.samples) {
        for (const expanding of [one, many]) Object.assign(expanding, { lexed: 0, asked: 0 })
        const { tokens } = await one.expanded(template, { args })
        const text = Array.from({ length: 8 }, () => template).join('\n\n')
        const all = await many.expanded(text, { args })
        if (all.tokens !== 8 * tokens)
          trial.broken(
            `${JSON.stringify(template)} has ${tokens} tokens, and eight times as much text has ${all.tokens}.`,
          )
        if (many.lexed > text.length)
          trial.broken(`in a text of ${text.length} characters it was asked ${many.lexed} times for a token.`)
        if (many.asked > all.tokens)
          trial.broken(`for ${all.tokens} tokens it asked for permission ${many.asked} times.`)
        if (many.asked !== 8 * one.asked)
          trial.broken(
            `it asks for permission ${one.asked} times, and in eight times as much text ${many.asked} times.`,
          )
      }
    },
  },
  {
    name: 'remote',
    rule: "nothing of the user's machine is brought into a text of a server",
    needs: ['bring'],
    async check(trial) {
      const expanding = await trial.expanding()
      const { template, args } = await trial.unchecked('bring() failed', async () => trial.bringing(expanding)(secret))
      if (args !== undefined) return
      const found = await trial.ended('the expansion', () => expanding.expand(template, { trust: 'remote' }))
      if ('value' in found && found.value.text.includes(secret))
        trial.broken(`in a text of a server ${JSON.stringify(template)} became ${JSON.stringify(found.value.text)}.`)
      if (expanding.asked > 0) trial.broken('permission was asked for on behalf of a server.')
    },
  },
  {
    name: 'leave',
    rule: 'what is not allowed, or is forbidden, is not done',
    needs: ['bring'],
    async check(trial) {
      const expanding = await trial.expanding()
      const { template, args = '' } = await trial.unchecked('bring() failed', async () =>
        trial.bringing(expanding)(secret),
      )
      let isAsked = false
      const no = (behavior: 'deny' | 'ask') => async (): Promise<PermissionDecision> => {
        isAsked = true
        return { behavior, message: 'No one may.', decisionReason: { type: 'default' } }
      }
      const forbids = async (): Promise<string> => {
        isAsked = true
        return 'A policy says no.'
      }
      for (const [how, parts] of [
        ['was denied', { authorize: no('deny') }],
        ['was left open', { authorize: no('ask') }],
        ['is forbidden', { forbids }],
      ] as const) {
        isAsked = false
        const found = await trial.ended('the expansion', () => expanding.expand(template, { args, ...parts }))
        if (isAsked && 'value' in found && found.value.text.includes(secret))
          trial.broken(`what ${how} was done all the same: ${JSON.stringify(found.value.text)}.`)
      }
    },
  },
  {
    name: 'abort',
    rule: 'a token whose evaluation is aborted rejects with an AbortError or gives its value, and the next expansion is whole',
    async check(trial) {
      const expanding = await trial.expanding()
      for (const { template, args = '', becomes } of expanding.fixture.samples) {
        const controller = new AbortController()
        expanding.onEvaluate = () => controller.abort()
        const outcome = await trial.ended('an expansion that was aborted', () =>
          expanding.expand(template, { args, signal: controller.signal }),
        )
        trial.expectAborted(outcome, 'an expansion that was aborted')
        expanding.onEvaluate = () => {}
        for (const { token, context } of expanding.evaluated.splice(0)) {
          const late = await trial.ended('evaluate()', async () =>
            expanding.expander.evaluate(token, { ...context, signal: AbortSignal.abort() }),
          )
          trial.expectGivenUp(late, 'evaluate() whose signal was aborted before')
        }
        const found = await expanding.textOf(template, { args })
        expectBecome(trial, template, found, becomes, ' after an aborted expansion')
      }
    },
  },
  {
    name: 'together',
    rule: 'the same text becomes the same every time, and expansions at the same time know nothing of each other',
    async check(trial) {
      const [expanding, other] = [await trial.expanding(), await trial.expanding()]
      const { bring } = expanding.fixture
      const all = await Promise.all(
        [expanding, other, expanding].flatMap(one =>
          one.fixture.samples.map(async ({ template, args = '', becomes }) => ({
            template,
            becomes,
            found: await one.textOf(template, { args }),
          })),
        ),
      )
      for (const { template, becomes, found } of all) expectBecome(trial, template, found, becomes, ' beside others')
      if (bring === undefined) return
      const values = await Promise.all(
        ['one', 'two', 'three'].map(async value => ({
          value,
          ...(await trial.unchecked('bring() failed', async () => bring(value))),
        })),
      )
      const texts = await Promise.all(values.map(({ template, args = '' }) => expanding.textOf(template, { args })))
      for (const [at, { value }] of values.entries())
        if (texts[at] !== value)
          trial.broken(`beside others ${JSON.stringify(texts[at])} was brought in instead of "${value}".`)
    },
  },
]

/** Breaks the rule unless a text became what is expected. @param when appended to the text in the message */
function expectBecome(
  trial: ExpanderTrial,
  text: string,
  found: string,
  expected: string | undefined,
  when = '',
): void {
  const [before, now, wanted] = [text, found, expected].map(one => JSON.stringify(one))
  if (now !== wanted) trial.broken(`${before}${when} became ${now} instead of ${wanted}.`)
}
