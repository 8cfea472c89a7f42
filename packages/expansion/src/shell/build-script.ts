import type { Quoting, Quotings, Reference } from '../template/embedded/quoting.js'
import type { EvaluateContext, Token } from '../template/expander.js'
import type { Shell } from '../template/shell.js'
import { whyRefused } from './refusal.js'

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
 * Scans until it is settled which references are taken. One is enough unless a reference holds what is quoting or a
 * calculation to the shell.
 */
const mostScans = 8

/** A reference that a variable takes the place of. */
interface Taken {
  readonly child: Token
  /** In the script. */
  readonly place: Reference
  readonly quoting: Quoting
  readonly name: string
  readonly value: string
}

/**
 * Puts a variable in the place of each reference that has a value in an embedded command. A value never becomes script
 * text: it travels in the environment. All else is read as a part of the script: what stays as it is written is what
 * the shell will see, such as a reference without a value or one that the shell does not look into, whose value is not
 * asked for. See docs/reference/expansion.md, "Embedded commands".
 * @returns a clause that says why it cannot run, where that is so
 */
export async function buildScript(
  token: Token,
  shell: Shell,
  value: EvaluateContext['value'],
): Promise<BuiltScript | { readonly refused: string }> {
  const { start, end } = token.inner ?? token
  const source = token.text.slice(start - token.start, end - token.start)
  if (source.includes('\0')) return { refused: 'the command holds a NUL, which no program can be given' }
  const found = await takenReferences(token, source, shell, value)
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
  if (refused !== undefined) return { refused }
  return {
    script,
    values: Object.fromEntries(taken.map(({ name, value: text }) => [name, text])),
    lastCommand: built.slice(lastCommandAt),
  }
}

/**
 * Which references are taken out of a script, and what the script then is to the shell. Those without a value are put
 * back before it is read again: `${a[x]}` is none of ours, and only as a part of the script does it tell what it does.
 */
async function takenReferences(
  token: Token,
  source: string,
  shell: Shell,
  value: EvaluateContext['value'],
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
    // What has no value comes first: it may be what made others look quoted.
    left = hasNone.size > 0 ? left.filter(child => !hasNone.has(child)) : taken.map(({ child }) => child)
  }
  return { refused: 'it cannot be told which of its references the shell looks into' }
}

function isEscape({ text }: Token): boolean {
  return text.startsWith('\\')
}

/**
 * The backslashes of escaped references that the shell would keep, as between single quotes: they are for us, and go.
 * Everywhere else an escape means the same to the shell.
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
  return escapes.filter(place => quotings[places.indexOf(place)] === 'literal')
}

function whyNot(reference: string, name: string, value: string): string | undefined {
  if (value.includes('\0')) return `the value of ${reference} holds a NUL, which no command can be given`
  if (Buffer.byteLength(value) + name.length + 2 <= maxVariableBytes) return undefined
  return `the value of ${reference} is larger than the 128 KiB that a command can be given`
}
