import type { ExpandedToken, Token } from '@skills/expansion/internal'
import type { PermissionDecision, PermissionRequest } from '@skills/rules'

/** Request to run an embedded command, and its result. */
export interface CommandWish {
  /**
   * Command as it would run, with references to variables in place of values. Undefined if no permission was requested.
   */
  readonly request?: Pick<PermissionRequest, 'tool' | 'content' | 'values'>
  /** Undefined if no permission was requested: embedded commands are switched off, or this one never runs. */
  readonly decision?: PermissionDecision
  /** True if no rule decides and nobody answered. */
  readonly isOpen?: boolean
}

/**
 * Origin of a piece of an expanded text. `frame` is text around the whole body. The origin of a piece from another
 * package's expander is the id of that expander.
 */
export type Origin = 'text' | 'argument' | 'variable' | 'command' | 'file' | 'frame' | (string & {})

/** Piece of an expanded text. */
export interface Segment {
  readonly origin: Origin
  /** Id of its expander. */
  readonly expander?: string | undefined
  /** Text in the body; undefined for a frame, which is not in the body. */
  readonly written?: string | undefined
  /** Position of the piece: `offset` in the body in UTF-16 code units, `line` and `column` in the file, both from 1. */
  readonly at?: { readonly offset: number; readonly line: number; readonly column: number } | undefined
  /** Text after expansion. */
  readonly value: string
  /** True if an expander replaced the text. */
  readonly isReplaced: boolean
  /** Pieces inside this one, such as the arguments of a command. */
  readonly parts: readonly Segment[]
  readonly wish?: CommandWish | undefined
}

/** Text that an expander put before and after the whole body. */
export interface Frame {
  readonly expander: string
  readonly before?: string | undefined
  readonly after?: string | undefined
}

interface Pieces {
  /** Text dropped before the body. Positions include it. Default: nothing. */
  readonly dropped?: string
  /** Number of lines in the file before its body. Default: 0. */
  readonly linesBefore?: number
  readonly body: string
  readonly text: string
  readonly tokens: readonly ExpandedToken[]
  readonly frames: readonly Frame[]
  readonly wishes: ReadonlyMap<Token, CommandWish>
}

/** Splits an expanded text into pieces, in order. The values of all pieces, joined, are the text. */
export function segmentsOf({
  body,
  dropped = '',
  linesBefore = 0,
  text,
  tokens,
  frames,
  wishes,
}: Pieces): readonly Segment[] {
  const places = placesIn(dropped + body, linesBefore)
  const placeOf = (offset: number): ReturnType<typeof places> => places(dropped.length + offset)
  const valueOf = new Map(tokens.map(({ token, value }) => [token, value]))
  const nested = new Set(tokens.flatMap(({ token }) => token.children))
  const segmentOf = (token: Token): Segment => {
    const value = valueOf.get(token)
    return {
      origin: originOf(token),
      expander: token.expander,
      written: token.text,
      at: placeOf(token.start),
      value: value ?? token.text,
      isReplaced: value !== undefined,
      parts: token.children.map(segmentOf),
      wish: wishes.get(token),
    }
  }
  const literal = (start: number, end: number): readonly Segment[] => {
    const written = body.slice(start, end)
    return written === ''
      ? []
      : [{ origin: 'text', written, at: placeOf(start), value: written, isReplaced: false, parts: [] }]
  }
  const frame = (expander: string, value: string): Segment => ({
    origin: 'frame',
    expander,
    value,
    isReplaced: true,
    parts: [],
  })

  const before = frames.flatMap(one => (one.before === undefined ? [] : [frame(one.expander, `${one.before}\n\n`)]))
  const inBody: Segment[] = []
  let end = 0
  for (const token of tokens
    .map(one => one.token)
    .filter(one => !nested.has(one))
    .toSorted((a, b) => a.start - b.start)) {
    inBody.push(...literal(end, token.start), segmentOf(token))
    end = token.end
  }
  inBody.push(...literal(end, body.length))
  const after = text.slice([...before, ...inBody].reduce((length, { value }) => length + value.length, 0))
  return [
    ...before,
    ...inBody,
    ...(after === '' ? [] : [frame(frames.find(one => one.after !== undefined)?.expander ?? '', after)]),
  ]
}

function originOf({ expander, data, inner }: Token): Origin {
  switch (expander) {
    // An escaped command contains no command.
    case 'shell':
      return inner === undefined ? 'text' : 'command'
    case 'files':
      return 'file'
    case 'text':
      return kindOf(data)
    default:
      return expander
  }
}

/** Returns the origin of a token from its expander for arguments and variables. */
function kindOf(data: unknown): Origin {
  const kind = typeof data === 'object' && data !== null && 'kind' in data ? data.kind : undefined
  if (kind === 'dollar') return 'text'
  return kind === 'variable' || kind === 'folder' ? 'variable' : 'argument'
}

/** Returns a function that converts an offset to line and column. */
function placesIn(
  body: string,
  linesBefore: number,
): (offset: number) => { readonly offset: number; readonly line: number; readonly column: number } {
  const starts = [0]
  for (let at = body.indexOf('\n'); at !== -1; at = body.indexOf('\n', at + 1)) starts.push(at + 1)
  return offset => {
    let low = 0
    for (let high = starts.length - 1; low < high;) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { offset, line: linesBefore + low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}
