import { forEachChild, parse, type SyntaxNode } from 'unbash'
import { mostCharacters } from './simple-command.js'

/** Most words that are checked: each costs an access to the disk. */
const mostWords = 500

/**
 * Returns every word of a script that may name a file, without its quotes. Words after redirections, after an option
 * and after `=` are included. Names that the script composes while it runs are not included.
 */
export function filesInScript(tool: string, script: string, values: Readonly<Record<string, string>> = {}): string[] {
  const found = new Set<string>(Object.values(values))
  for (const word of tool.toLowerCase() === 'bash' ? wordsOf(script) : [script]) {
    if (found.size > mostWords) break
    // A word may be a script itself, as after `bash -c`.
    const words = [word, ...word.split(/[\s"'`;|&()<>=@:,]+/), ...(/^-[a-z]/i.test(word) ? [word.slice(2)] : [])]
    for (const one of words) if (one !== '') found.add(one)
  }
  return [...found]
}

function wordsOf(script: string): readonly string[] {
  const words: string[] = []
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Word') words.push(node.value)
    forEachChild(node, visit)
  }
  if (script.length <= mostCharacters) visit(parse(script))
  return words
}
