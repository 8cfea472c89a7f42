import { scriptQuotings, type EvaluateContext, type Quoting, type Shell, type Token } from '@skills/template'
import { whyEvaluated } from './evaluated.js'

/** A script without values, and what travels beside it. */
export interface BuiltScript {
  readonly script: string
  /** By variable. */
  readonly values: Readonly<Record<string, string>>
  /** The last simple command that no other contains. */
  readonly lastCommand: string
}

/** Bytes that the system takes for one variable, with its name and a terminator. */
const maxVariableBytes = 128 * 1024

const variablePrefix = 'SKILL_ARG_'

/**
 * Puts a variable in the place of each reference in an embedded command. A value never becomes script text: it travels in the
 * environment, whatever the script does with it. References that the shell does not look into stay as they are written, and nobody
 * is asked for their value. See docs/reference.md, "Embedded commands".
 * @returns a clause that says why it cannot run, where that is so
 */
export async function buildScript(
  token: Token, shell: Shell, value: EvaluateContext['value'],
): Promise<BuiltScript | { readonly refused: string }> {
  const { start, end } = token.inner ?? token
  const source = token.text.slice(start - token.start, end - token.start)
  if (source.includes('\0')) return { refused: 'the command holds a NUL, which no program can be given' }
  // An escape means the same to the shell.
  const references = token.children.filter(({ text }) => !text.startsWith('\\'))
  const places = references.map(child => ({ start: child.start - start, end: child.end - start }))
  const { quotings, lastCommand, evaluated } = scriptQuotings(shell, source, places)
  const values: Record<string, string> = {}
  // Each once, however often the script refers to it.
  const put = new Map<string, { readonly reference: string; readonly value: string }>()
  const names = new Map<string, string | undefined>()
  const pieces: string[] = []
  let [done, count] = [0, 0]
  let lastCommandAt = lastCommand
  for (const [index, child] of references.entries()) {
    const place = places[index]
    const quoting = quotings[index]
    if (place === undefined || quoting === undefined || quoting === 'literal' || quoting === 'unread') continue
    const key = JSON.stringify([child.expander, child.text])
    if (!names.has(key)) {
      const found = await value(child)
      const name = `${variablePrefix}${count}`
      if (found !== undefined) {
        values[name] = found
        count += 1
      }
      names.set(key, found === undefined ? undefined : name)
      const refused = found === undefined ? undefined : whyNot(child.text, name, found)
      if (refused !== undefined) return { refused }
    }
    const name = names.get(key)
    if (name === undefined) continue
    if (quoting === 'number' && !/^[+-]?\d+$/.test(values[name] ?? '')) {
      return { refused: `the value of ${child.text} stands where the shell calculates, and is no whole number` }
    }
    put.set(name, { reference: child.text, value: values[name] ?? '' })
    const written = variableText(name, quoting, shell, source.charAt(place.end))
    pieces.push(source.slice(done, place.start), written)
    if (place.start < lastCommand) lastCommandAt += written.length - (place.end - place.start)
    done = place.end
  }
  const refused = whyEvaluated([...put.values()], evaluated)
  if (refused !== undefined) return { refused }
  pieces.push(source.slice(done))
  const script = pieces.join('')
  // A carriage return at the end of a line is a part of the last word to bash.
  return { script: shell === 'bash' ? script.replaceAll('\r\n', '\n') : script, values, lastCommand: script.slice(lastCommandAt) }
}

function whyNot(reference: string, name: string, value: string): string | undefined {
  if (value.includes('\0')) return `the value of ${reference} holds a NUL, which no command can be given`
  if (Buffer.byteLength(value) + name.length + 2 <= maxVariableBytes) return undefined
  return `the value of ${reference} is larger than the 128 KiB that a command can be given`
}

function variableText(name: string, quoting: Quoting, shell: Shell, next: string): string {
  if (shell === 'bash') return quoting === 'bare' ? `"\${${name}}"` : `\${${name}}`
  if (quoting === 'bare') return `"$env:${name}"`
  // In text the name would go on with what stands behind it, in any alphabet.
  return /[\w:?]|[^\0-\x7F]/.test(next) ? `\${env:${name}}` : `$env:${name}`
}
