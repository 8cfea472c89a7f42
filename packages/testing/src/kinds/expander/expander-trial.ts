import { fakeHost } from '../../fake-host.js'
import { KindTrial, type KindFixture } from '../kind-trial.js'
import { skillNamed } from '../entries.js'
import type { MaybePromise, PromptCommand } from '@skills/core'
import type { ContractRule } from '../../contract/contract-rule.js'
import type { EvaluateContext, expand, ExpandContext, Expander, LexContext } from '@skills/expansion'
import type { Token } from '@skills/expansion/internal'

/** Text with a token for the expander, and the expected result. */
export interface ExpanderSample {
  readonly template: string
  /** Arguments of the skill. Default: none. */
  readonly args?: string
  readonly becomes: string
}

/** Text with one token that is replaced with a value. */
export interface Brought {
  readonly template: string
  /**
   * Arguments, if the value comes from them. Every other value is the user's own and is not given to skills of servers.
   */
  readonly args?: string
}

/**
 * Returns a text that expands to exactly this value, with no white space around it.
 * @param value any text without NUL and without a line break at its end
 */
export type Bring = (value: string) => MaybePromise<Brought>

/** Expander with sample texts. */
export interface ExpanderFixture extends KindFixture<Expander> {
  /** `expand` of `@skills/expansion`, which runs the expander. */
  readonly expand: typeof expand
  /** Samples, at least one. */
  readonly samples: readonly ExpanderSample[]
  readonly bring?: Bring
  /** Fields of the skill that the expander reads, such as `baseDir`. */
  readonly command?: Partial<PromptCommand>
}

/** Ability that an expander may lack: `bring`, if it never inserts text from elsewhere. */
export type ExpanderLack = 'bring'

/** Makes an expander with sample texts. Called once a case, and twice if a rule needs two expanders. */
export type MakeExpander = () => MaybePromise<ExpanderFixture>

export type ExpanderRule = ContractRule<ExpanderTrial, ExpanderLack>

export interface Evaluated {
  readonly token: Token
  readonly context: EvaluateContext
}

export interface Expanded {
  readonly text: string
  /** Number of tokens. */
  readonly tokens: number
}

/** Running expander with a record of its calls. */
export class Expanding {
  readonly expander: Expander
  readonly fixture: ExpanderFixture
  /** Tokens that were evaluated. */
  readonly evaluated: Evaluated[] = []
  lexed = 0
  /** Number of permission requests that it made. */
  asked = 0
  /** Called when it starts to evaluate a token. */
  onEvaluate: () => void = () => {}
  readonly #trial: ExpanderTrial

  constructor(trial: ExpanderTrial, fixture: ExpanderFixture, expander: Expander) {
    this.#trial = trial
    this.fixture = fixture
    this.expander = expander
  }

  /** Returns the expanded text. A failure breaks the rule. */
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

  /** Makes the context of a trusted skill without arguments for which every permission is allowed. */
  contextWith(parts: Partial<ExpandContext> = {}): ExpandContext {
    const { host, command } = this.fixture
    return {
      command: skillNamed('alpha', command),
      args: '',
      trust: 'trusted',
      host: fakeHost(host),
      signal: new AbortController().signal,
      authorize: async ({ isFree }) => {
        // A free request, which is allowed unless a rule denies it, does not count as a question.
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

  /** Returns the fixture's `bring()`. The rule is broken if it has none. */
  bringing({ fixture }: Expanding): Bring {
    return fixture.bring ?? this.lacking('fixture', 'bring')
  }
}

/** Texts that are special to some expander, or to code that replaces parts of a text carelessly. */
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
