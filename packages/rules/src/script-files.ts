import { forEachChild, parse, type SyntaxNode } from 'unbash'
import { mostCharacters } from './simple-command.js'

/** Words that are looked at: each costs a look at the disk. */
const mostWords = 500

/**
 * Every word of a script that may name a file, those behind redirections among them: without quotes, and what stands
 * behind an option or a `=`. What is put together while it runs is not among them.
 */
export function filesInScript(tool: string, script: string, values: Readonly<Record<string, string>> = {}): string[] {
  const found = new Set<string>(Object.values(values))
  for (const word of tool.toLowerCase() === 'bash' ? wordsOf(script) : [script]) {
    if (found.size > mostWords) break
    // A word may be a script itself, as of `bash -c`.
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
