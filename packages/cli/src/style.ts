import pico from 'picocolors'
import type { Io, Output } from './io.js'

/** Paints text, or leaves it as it is. */
export type Style = ReturnType<typeof pico.createColors>

/** Colours for an output: on a terminal unless switched off, elsewhere only when FORCE_COLOR asks for them. */
export function styleOf(output: Output, env: Io['env'], isColorless: boolean): Style {
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== ''
  if (isColorless || isSet('NO_COLOR')) return pico.createColors(false)
  if (isSet('FORCE_COLOR')) return pico.createColors(env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false')
  return pico.createColors(output.isTerminal && env['TERM'] !== 'dumb')
}
