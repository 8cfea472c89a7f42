import type { Quoting, Quotings, Reference } from '../template/embedded/quoting.js'
import type { EvaluateContext, Token } from '../template/expander.js'
import type { Shell } from '../template/shell.js'
import { whyRefused } from './refusal.js'

/** Script with variables in place of values, and the values. */
export interface BuiltScript {
  readonly script: string
  /** Values by variable. */
  readonly values: Readonly<Record<string, string>>
  /** Text of the last simple command that no other command contains. */
  readonly lastCommand: string
}

/** Most bytes of one environment variable on this system, its name and a terminator included. */
const maxVariableBytes = 128 * 1024

const variablePrefix = 'SKILL_ARG_'

/**
 * Most scans to find the references to replace. One scan is enough, unless a reference without a value looks like
 * quoting or a calculation to the shell.
 */
const mostScans = 8

/** Reference that is replaced by a variable. */
interface Taken {
  readonly child: Token
  /** Place in the script. */
  readonly place: Reference
  readonly quoting: Quoting
  readonly name: string
  readonly value: string
}

/**
 * Replaces each reference with a value in an embedded command by a variable. The value itself never becomes script
 * text: it is passed in the environment. Every other reference stays in the script as it is written, so that the shell
 * reads it. See docs/reference/expansion.md, "Embedded commands".
 * @param single treatment of references between single quotes
 * @returns the script, or a clause that says why it cannot run
 */
export async function buildScript(
  token: Token,
  shell: Shell,
  value: EvaluateContext['value'],
  single: 'kept' | 'replaced',
): Promise<BuiltScript | { readonly refused: string }> {
  const { start, end } = token.inner ?? token
  const source = token.text.slice(start - token.start, end - token.start)
  if (source.includes('\0')) return { refused: 'the command holds a NUL, and a program cannot receive a NUL' }
  const found = await takenReferences(token, source, shell, value, single)
  if ('refused' in found) return found
  const { taken, lastCommand } = found
  const pieces: string[] = []
  let done = 0
  let lastCommandAt = lastCommand
  const escapes = (await keptEscapes(token, source, shell, taken)).map(place => ({ place, taken: undefined }))
  for (const { place, taken: reference } of [
    ...taken.map(one => ({ place: one.place, taken: one })),
    ...escapes,
  ].toSorted((a, b) => a.place.start - b.place.start)) {
    if (reference === undefined) {
      pieces.push(source.slice(done, place.start))
      if (place.start < lastCommand) lastCommandAt -= 1
      done = place.end
      continue
    }
    const { quoting, name } = reference
    const written = shell.variable(name, quoting, source.charAt(place.end))
    pieces.push(source.slice(done, place.start), written)
    if (place.start < lastCommand) lastCommandAt += written.length - (place.end - place.start)
    done = place.end
  }
  pieces.push(source.slice(done))
  const built = pieces.join('')
  const script = shell.dropsReturns === true ? built.replaceAll('\r\n', '\n') : built
  const refused = await whyRefused(shell, script, taken)
  // Between single quotes a reference may be meant for the program, as `$1` for awk, and not for the skill.
  if (refused !== undefined && taken.some(({ quoting }) => quoting === 'single'))
    return buildScript(token, shell, value, 'kept')
  if (refused !== undefined) return { refused }
  return {
    script,
    values: Object.fromEntries(taken.map(({ name, value: text }) => [name, text])),
    lastCommand: built.slice(lastCommandAt),
  }
}

/**
 * Finds the references to replace, and how the shell reads the script then. References without a value are put back
 * before the script is read again: `${a[x]}` may be the shell's own, and changes how the rest is read.
 */
async function takenReferences(
  token: Token,
  source: string,
  shell: Shell,
  value: EvaluateContext['value'],
  single: 'kept' | 'replaced',
): Promise<(Pick<Quotings, 'lastCommand'> & { readonly taken: readonly Taken[] }) | { readonly refused: string }> {
  const { start } = token.inner ?? token
  const variables = new Map<string, { readonly name: string; readonly value: string } | undefined>()
  let count = 0
  const variableOf = async (child: Token): Promise<{ readonly name: string; readonly value: string } | undefined> => {
    const key = JSON.stringify([child.expander, child.text])
    if (variables.has(key)) return variables.get(key)
    const text = await value(child)
    const variable = text === undefined ? undefined : { name: `${variablePrefix}${count++}`, value: text }
    variables.set(key, variable)
    return variable
  }
  let left = token.children.filter(child => !isEscape(child))
  for (let scan = 0; scan < mostScans; scan += 1) {
    const places = left.map(child => ({ start: child.start - start, end: child.end - start }))
    const { quotings, ...read } = await shell.quotings(source, places)
    const taken: Taken[] = []
    const hasNone = new Set<Token>()
    for (const [index, child] of left.entries()) {
      const [place, quoting = 'literal'] = [places[index], quotings[index]]
      if (place === undefined || quoting === 'literal' || quoting === 'unread') continue
      if (quoting === 'single' && single === 'kept') continue
      const variable = await variableOf(child)
      if (variable === undefined) {
        hasNone.add(child)
        continue
      }
      const refused = whyNot(child.text, variable.name, variable.value)
      if (refused !== undefined) return { refused }
      taken.push({ child, place, quoting, ...variable })
    }
    if (taken.length === left.length) return { taken, ...read }
    // References without a value are put back first, since they may have made others look quoted.
    left = hasNone.size > 0 ? left.filter(child => !hasNone.has(child)) : taken.map(({ child }) => child)
  }
  return { refused: 'its quoting is unclear, so its references cannot be replaced safely' }
}

function isEscape({ text }: Token): boolean {
  return text.startsWith('\\')
}

/**
 * Returns the backslashes of escaped references that the shell would keep, as between single quotes. They are removed.
 * Elsewhere the shell treats an escape the same way.
 */
async function keptEscapes(
  token: Token,
  source: string,
  shell: Shell,
  taken: readonly Taken[],
): Promise<readonly Reference[]> {
  const { start } = token.inner ?? token
  const escapes = token.children
    .filter(isEscape)
    .map(child => ({ start: child.start - start, end: child.start - start + 1 }))
  if (escapes.length === 0) return []
  const places = [...taken.map(({ place }) => place), ...escapes].toSorted((a, b) => a.start - b.start)
  const { quotings } = await shell.quotings(source, places)
  return escapes.filter(place => isKept(quotings[places.indexOf(place)]))
}

function isKept(quoting: Quoting | undefined): boolean {
  return quoting === 'literal' || quoting === 'single'
}

function whyNot(reference: string, name: string, value: string): string | undefined {
  if (value.includes('\0')) return `the value of ${reference} holds a NUL, and a command cannot receive a NUL`
  if (Buffer.byteLength(value) + name.length + 2 <= maxVariableBytes) return undefined
  return `the value of ${reference} is larger than 128 KiB, the limit for a command`
}
