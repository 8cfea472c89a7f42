/** A here-document of bash that is announced and whose text is still to come. */
export interface Heredoc {
  readonly delimiter: string
  /** Whether the shell takes its text as it is. */
  readonly isLiteral: boolean
  /** Whether its lines may begin with tabs. */
  readonly isIndented: boolean
}

const announcement = /<<(-?)[ \t]*((?:'[^'\n]*'|"[^"\n]*"|\\.|[^\s;&|<>()'"\\])+)/y

/** The here-document that is announced at a position, and where the announcement ends. */
export function heredocAt(script: string, at: number): { readonly heredoc: Heredoc; readonly end: number } | undefined {
  announcement.lastIndex = at
  const [text, dash, word] = announcement.exec(script) ?? []
  if (text === undefined || word === undefined) return undefined
  const delimiter = word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, '$1$2$3')
  return { heredoc: { delimiter, isLiteral: delimiter !== word, isIndented: dash === '-' }, end: at + text.length }
}

/**
 * Where the text of a here-document ends that begins at `from`, and what follows it: `limit`, where what it stands in
 * ends, when nothing closes it.
 */
export function heredocEnd(
  script: string,
  from: number,
  { delimiter, isIndented }: Heredoc,
  limit: number,
): { readonly end: number; readonly next: number } {
  for (let at = from; at < limit;) {
    const stop = Math.min(lineEnd(script, at), limit)
    const line = script.slice(at, stop).replace(/\r$/, '')
    if ((isIndented ? line.replace(/^\t+/, '') : line) === delimiter)
      return { end: at, next: Math.min(stop + 1, limit) }
    at = stop + 1
  }
  return { end: limit, next: limit }
}

/** Where the line ends that a position is in, without its newline. */
export function lineEnd(script: string, at: number): number {
  const end = script.indexOf('\n', at)
  return end < 0 ? script.length : end
}
