import { isDeepStrictEqual } from 'node:util'
import { deepFrozen } from '../freeze.js'
import { hostile, type Expanding, type ExpanderRule } from './expander-trial.js'
import type { LexContext, Lexed } from '@skills/expansion'

/** Rules for the tokens that an expander recognises. */
export const lexRules: readonly ExpanderRule[] = [
  {
    name: 'claims',
    rule: 'every token begins with one of the characters that the expander claims, which are always the same',
    async check(trial) {
      const expanding = await trial.expanding()
      const { claims } = expanding.expander
      if (claims === '') trial.broken('it claims no character, so that no one would ever ask it.')
      for (const { template, args = '' } of expanding.fixture.samples)
        if ((await expanding.expanded(template, { args })).tokens === 0)
          trial.broken(`in ${JSON.stringify(template)} there is no token.`)
      for (const [text, at, context] of questions(expanding)) {
        if (!claims.includes(text.charAt(at)) && ask(expanding, text, at, context) !== undefined)
          trial.broken(
            `it recognises a token that begins with ${JSON.stringify(text.charAt(at))}, which it does not claim.`,
          )
      }
      if (expanding.expander.claims !== claims) trial.broken('it claims other characters than before.')
    },
  },
  {
    name: 'lex-bounds',
    rule: 'a token ends behind where it begins and within the text, and its inner part lies within it',
    async check(trial) {
      const expanding = await trial.expanding()
      for (const [text, at, context] of questions(expanding)) {
        if (!expanding.expander.claims.includes(text.charAt(at))) continue
        const { end, inner } = ask(expanding, text, at, context) ?? {}
        const where = `in ${JSON.stringify(text)} at ${at}`
        if (end === undefined) continue
        if (!Number.isInteger(end) || end <= at || end > text.length)
          trial.broken(`${where} there is a token that ends at ${end}, in a text of ${text.length}.`)
        if (inner !== undefined && !(at <= inner.start && inner.start <= inner.end && inner.end <= end))
          trial.broken(
            `${where} there is a token up to ${end} whose inner part goes from ${inner.start} to ${inner.end}.`,
          )
      }
    },
  },
  {
    name: 'lex-pure',
    rule: 'whether there is a token depends on the text, the place and the context alone, and to ask changes nothing',
    async check(trial) {
      const expanding = await trial.expanding()
      const asked = questions(expanding).filter(([text, at]) => expanding.expander.claims.includes(text.charAt(at)))
      const answers = asked.map(([text, at, context]) => ask(expanding, text, at, deepFrozen(context)))
      for (const [index, [text, at, context]] of [...asked.entries()].toReversed()) {
        const again = ask(expanding, text, at, context)
        if (!isDeepStrictEqual(again, answers[index]))
          trial.broken(
            `in ${JSON.stringify(text)} at ${at} it recognised ${spanOf(answers[index], at)} first and ${spanOf(again, at)} when it was asked again.`,
          )
      }
    },
  },
  {
    name: 'plain',
    rule: 'a text without the characters that it claims comes back as it is, byte for byte, and so does each of those characters alone',
    async check(trial) {
      const expanding = await trial.expanding()
      const claimed = new Set(expanding.expander.claims)
      const texts = [
        'Plain words.\n',
        'CRLF\r\nand\ttabs  \n\n\n',
        '\u{1f468}\u200d\u{1f469} e\u0301 \ud800 \0 \u2028 end',
        ...hostile,
      ].map(text => Array.from(text, character => (claimed.has(character) ? '' : character)).join(''))
      const alone = [...claimed].flatMap(character => [
        `a ${character} b`,
        `a ${character}`,
        `${character} b`,
        character,
      ])
      for (const text of ['', ...texts, ...alone]) {
        const found = await expanding.textOf(text)
        if (expanding.expander.frame === undefined ? found !== text : !found.includes(text))
          trial.broken(`${JSON.stringify(text)} became ${JSON.stringify(found)}.`)
      }
    },
  },
]

/** Positions in many texts: the samples, every beginning of a sample, and tokens of other expanders. */
function questions(expanding: Expanding): readonly (readonly [text: string, at: number, context: LexContext])[] {
  const templates = expanding.fixture.samples.map(({ template }) => template)
  const texts = [
    ...templates,
    ...templates.flatMap(text => Array.from({ length: Math.min(text.length, 40) }, (_, at) => text.slice(0, at + 1))),
    ...hostile,
  ]
  return texts.flatMap(text =>
    [{}, { isCode: true }, { isFenced: true }, { isNested: true }].flatMap(parts => {
      const context = expanding.lexContext(parts)
      return Array.from({ length: text.length }, (_, at) => [text, at, context] as const)
    }),
  )
}

function ask({ expander }: Expanding, text: string, at: number, context: LexContext): Lexed | undefined {
  return expander.lex(text, at, context)
}

function spanOf(lexed: Lexed | undefined, at: number): string {
  return lexed === undefined ? 'nothing' : `a token from ${at} to ${lexed.end}`
}
