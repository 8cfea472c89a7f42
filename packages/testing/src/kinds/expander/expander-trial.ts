import { fakeHost } from '../../fake-host.js'
import { KindTrial, type KindFixture } from '../kind-trial.js'
import { skillNamed } from '../entries.js'
import type { MaybePromise, PromptCommand } from '@skills/core'
import type { ContractRule } from '../../contract/contract-rule.js'
import type { EvaluateContext, expand, ExpandContext, Expander, LexContext } from '@skills/expansion'
import type { Token } from '@skills/expansion/internal'

/** A text that has something in it for the expander, and what becomes of the whole text. */
export interface ExpanderSample {
  readonly template: string
  /** Default: none. */
  readonly args?: string
  readonly becomes: string
}

/** A text with one token in whose place a value comes to stand. */
export interface Brought {
  readonly template: string
  /** Set where the value comes by the arguments. Every other value is of the user's machine, and kept from servers. */
  readonly args?: string
}

/**
 * Gives a text, without white space around it, in whose place exactly this value comes to stand.
 * @param value any text without NUL, and without a line break at its end
 */
export type Bring = (value: string) => MaybePromise<Brought>

/** An expander, with texts for it. */
export interface ExpanderFixture extends KindFixture<Expander> {
  /** `expand` of `@skills/expansion`, which is what an expander works with. */
  readonly expand: typeof expand
  /** One at least. */
  readonly samples: readonly ExpanderSample[]
  readonly bring?: Bring
  /** What of the skill matters to the expander, such as its `baseDir`. */
  readonly command?: Partial<PromptCommand>
}

/** What an expander may do without: `bring`, since it never puts a text of others into one. */
export type ExpanderLack = 'bring'

/** Makes an expander with texts for it; called anew for every case, and twice where a rule is about two of them. */
export type MakeExpander = () => MaybePromise<ExpanderFixture>

export type ExpanderRule = ContractRule<ExpanderTrial, ExpanderLack>

export interface Evaluated {
  readonly token: Token
  readonly context: EvaluateContext
}

export interface Expanded {
  readonly text: string
  /** How many tokens there were. */
  readonly tokens: number
}

/** An expander at work, and what was asked of it and by it. */
export class Expanding {
  readonly expander: Expander
  readonly fixture: ExpanderFixture
  /** Every token that was evaluated. */
  readonly evaluated: Evaluated[] = []
  lexed = 0
  /** Times that it asked for permission. */
  asked = 0
  /** Called as soon as it works on a token. */
  onEvaluate: () => void = () => {}
  readonly #trial: ExpanderTrial

  constructor(trial: ExpanderTrial, fixture: ExpanderFixture, expander: Expander) {
    this.#trial = trial
    this.fixture = fixture
    this.expander = expander
  }

  /** What becomes of a text. A failure breaks the rule. */
  async textOf(template: string, parts: Partial<ExpandContext> = {}): Promise<string> {
    return (await this.expanded(template, parts)).text
  }

  async expanded(template: string, parts: Partial<ExpandContext> = {}): Promise<Expanded> {
    const { text, tokens } = await this.#trial.answer(
      `the expansion of ${JSON.stringify(template.slice(0, 200))}`,
      () => this.expand(template, parts),
    )
    return { text, tokens: tokens.length }
  }

  expand(template: string, parts: Partial<ExpandContext> = {}): ReturnType<ExpanderFixture['expand']> {
    const {
      provider: { id },
      expand,
    } = this.fixture
    return expand(template, [{ id, value: this.#watched() }], this.contextWith(parts))
  }

  /** A trusted skill without arguments that may do all that it asks for. */
  contextWith(parts: Partial<ExpandContext> = {}): ExpandContext {
    const { host, command } = this.fixture
    return {
      command: skillNamed('alpha', command),
      args: '',
      trust: 'trusted',
      host: fakeHost(host),
      signal: new AbortController().signal,
      authorize: async ({ isFree }) => {
        // What is done without a question, unless a rule says otherwise, is none.
        if (isFree !== true) this.asked += 1
        return { behavior: 'allow', message: 'It may.', decisionReason: { type: 'default' } }
      },
      forbids: async () => undefined,
      progress: () => {},
      ...parts,
    }
  }

  lexContext(parts: Partial<LexContext> = {}): LexContext {
    return {
      command: skillNamed('alpha', this.fixture.command),
      isFenced: false,
      isCode: false,
      isNested: false,
      ...parts,
    }
  }

  #watched(): Expander {
    const { expander } = this
    return {
      claims: expander.claims,
      lex: (text, at, context) => {
        this.lexed += 1
        return expander.lex(text, at, context)
      },
      evaluate: (token, context) => {
        this.evaluated.push({ token, context })
        const value = expander.evaluate(token, context)
        this.onEvaluate()
        return value
      },
      ...(expander.frame !== undefined && { frame: (tokens, context) => expander.frame?.(tokens, context) ?? {} }),
    }
  }
}

/** One check of one rule about expanders. */
export class ExpanderTrial extends KindTrial<Expander, MakeExpander> {
  async expanding(): Promise<Expanding> {
    const fixture = await this.made(async () => this.make())
    if (fixture.samples.length === 0)
      this.broken(
        'it cannot be checked, because there are no samples. Give a text that the expander makes something of.',
      )
    return new Expanding(this, fixture, (await this.start(fixture)).value)
  }

  /** What brings a text into another one, which the fixture has to have. */
  bringing({ fixture }: Expanding): Bring {
    return fixture.bring ?? this.lacking('fixture', 'bring')
  }
}

/** Texts that mean something to one expander or another, and to those who replace parts of a text carelessly. */
export const hostile: readonly string[] = [
  '$ARGUMENTS',
  '$0',
  '$1',
  '${ARGUMENTS}',
  '$ARGUMENTS[0]',
  '${CLAUDE_SKILL_DIR}',
  '{baseDir}',
  '$&',
  '$`',
  "$'",
  '$$',
  '$<name>',
  '!`id`',
  '```!\nid\n```',
  '$(id)',
  '`id`',
  '\\$0',
  '\\',
  '@/etc/passwd',
  '@SKILL.md',
  '"double" and \'single\'',
  'it\'s "half',
  'two\nlines',
  'line\r\nends',
  ' spaces  around ',
  '${SKILL_ARG_0}',
  '</command-args>',
  '%s %d {{x}} <%= y %>',
  '\u{1f600} e\u0301 \u202e',
]
