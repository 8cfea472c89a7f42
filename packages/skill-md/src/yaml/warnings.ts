import type { EventType, State, YAMLException } from 'js-yaml'

/**
 * Most warnings for one text. For each the library copies from the whole text, so time would grow with the square of
 * its length.
 */
const maxWarnings = 5

/** Error that stops the YAML library at a text with too many meaningless directives. */
export class TooManyWarningsError extends Error {
  /** @param line 0-based line of the last one */
  constructor(readonly line: number) {
    super('has too many directives')
  }
}

/** Collects the YAML library's warnings for one text. */
export class Warnings {
  /** 0-based lines whose value continues with too little indentation; only the first ones if there are many. */
  readonly deficientLines: number[] = []
  private count = 0
  private state: State | undefined

  constructor(private readonly counting: (this: State, event: EventType, state: State) => void) {}

  readonly listen = (event: EventType, state: State): void => {
    this.state = state
    this.counting.call(state, event, state)
  }

  readonly take = ({ reason, mark }: YAMLException): void => {
    if (reason === 'deficient indentation') this.deficientLines.push(mark.line)
    if (++this.count < maxWarnings) return
    // Directives come before the first node.
    if (this.state === undefined) throw new TooManyWarningsError(mark.line)
    Object.assign(this.state, { onWarning: null })
  }
}
