import type { Quoting, Quotings, Reference } from './quoting.js'

const piece = /"[^"$`\\]*"|'[^']*'|2>&1|\|\|?|&&|;|(?:(?!2>&1)[\w \t.,/:=@%+-])+/y

/**
 * Reads a script without loading a grammar, which takes longer than most commands run. Accepts scripts of plain words,
 * quotes without expansions, and `|`, `||`, `&&` and `;`, as most scripts are. Returns undefined for any other script.
 * @param references in order, without overlap
 */
export function plainQuotings(script: string, references: readonly Reference[]): Quotings | undefined {
  let text = ''
  let done = 0
  for (const { start, end } of references) {
    text += script.slice(done, start) + 'x'.repeat(end - start)
    done = end
  }
  text += script.slice(done)
  const quotings: Quoting[] = []
  let lastCommand = 0
  for (let at = 0; at < text.length;) {
    piece.lastIndex = at
    const [found] = piece.exec(text) ?? []
    if (found === undefined) return undefined
    const quoting = found.startsWith('"') ? 'quoted' : found.startsWith("'") ? 'single' : 'bare'
    at += found.length
    while ((references[quotings.length]?.start ?? Infinity) < at) quotings.push(quoting)
    if (/^[|&;]/.test(found)) lastCommand = at
  }
  return { quotings, lastCommand }
}
