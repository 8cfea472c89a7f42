import type { Io, Output } from '../io.js'

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const

/** Functions that colour text, or return it unchanged. */
export type Style = Readonly<Record<keyof typeof codes, (text: string) => string>>

const painted =
  (open: number, close: number) =>
  (text: string): string => {
    // After coloured text inside the text, the outer colour starts again.
    const inside = text.replaceAll(`\u001b[${close}m`, `\u001b[${close}m\u001b[${open}m`)
    return `\u001b[${open}m${inside}\u001b[${close}m`
  }

/**
 * Returns the functions that colour text.
 * @param isOn false for functions that return the text unchanged
 */
export function palette(isOn: boolean): Style {
  return Object.fromEntries(
    Object.entries(codes).map(([name, [open, close]]) => [name, isOn ? painted(open, close) : String]),
  ) as Style
}

/**
 * Returns the colours of an output. A terminal has them unless they are switched off; other outputs only if FORCE_COLOR
 * is set.
 */
export function styleOf(output: Output, env: Io['env'], isColorless: boolean): Style {
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== ''
  if (isColorless || isSet('NO_COLOR')) return palette(false)
  if (isSet('FORCE_COLOR')) return palette(env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false')
  return palette(output.isTerminal && env['TERM'] !== 'dumb')
}
