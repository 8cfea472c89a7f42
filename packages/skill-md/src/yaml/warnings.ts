import type { EventType, State, YAMLException } from 'js-yaml'

/**
 * Warnings of one text. With each the library copies from the whole text, so that time would grow with the square of
 * its length.
 */
const maxWarnings = 5

/** Thrown out of the library by a text with more directives that mean nothing. */
export class TooManyWarningsError extends Error {
  /** @param line 0-based line of the last */
  constructor(readonly line: number) {
    super('has too many directives')
  }
}

/** What the YAML library warns of in one text. */
export class Warnings {
  /** 0-based lines whose value goes on left of where it has to: the first of them, where there are many. */
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
