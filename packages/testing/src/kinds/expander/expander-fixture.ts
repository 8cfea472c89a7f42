import type { MaybePromise, PromptCommand } from '@skills/core'
import type { Expander, expand } from '@skills/invocation/template'
import type { KindFixture } from '../kind-fixture.js'

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
  /** `expand` of `@skills/invocation/template`, which is what an expander works with. */
  readonly expand: typeof expand
  /** One at least. */
  readonly samples: readonly ExpanderSample[]
  readonly bring?: Bring
  /** What of the skill matters to the expander, such as its `baseDir`. */
  readonly command?: Partial<PromptCommand>
}

/** What an expander may do without: `bring`, since it never puts a text of others into one. */
export type ExpanderLack = 'bring'
