import type { YamlFailure, YamlOutcome, YamlReader } from '../yaml/engine.js'
import { holdsColon, isReserved } from '../yaml/line-shape.js'
import { isUnsure } from './scan.js'
import { readFlatBlock } from './read-flat-block.js'

/** Thrown where it takes a YAML library to know. */
class NotSure extends Error {}

// One for all: nobody looks at where it came from.
const notSure = new NotSure('Only a YAML library can tell.')

/**
 * An engine that knows what the flat path knows, and of a text also that it surely is no YAML. It serves whoever reads with
 * {@link withoutLibrary}; of why it is none it knows nothing.
 */
const flatEngine: YamlReader = { load, loadBlock: load }

function load(text: string): YamlOutcome {
  // A carriage return by itself ends a line too, and half a character is none.
  if (text.includes('\r') || isUnsure(text) || /[\ud800-\udfff]/u.test(text)) return giveUp()
  return readSurely(text) ?? (isSurelyBroken(text) ? broken : giveUp())
}

/** Reads something without a YAML library; undefined where that does not go. */
export function withoutLibrary<T>(read: (engine: YamlReader) => T): T | undefined {
  try {
    return read(flatEngine)
  } catch (thrown) {
    if (thrown === notSure) return undefined
    throw thrown
  }
}

function giveUp(): never {
  throw notSure
}

function readSurely(text: string): YamlOutcome | undefined {
  const value = text.endsWith('\n') ? readFlatBlock(`${text}-`) : undefined
  // Without a key it may be nothing at all.
  return value === undefined || Object.keys(value).length === 0 ? undefined : { ok: true, value, duplicate: undefined, deficientLines: [] }
}

/** Whoever asks where and why needs a library to say it. */
const broken: YamlFailure = {
  ok: false,
  code: 'invalid-yaml',
  get reason() {
    return giveUp()
  },
  get line() {
    return giveUp()
  },
  get column() {
    return giveUp()
  },
}

/** A key at the margin with a value, up to the line's end. */
const pair = /^([A-Za-z_][\w.-]*): +(\S.*)$/gm

/**
 * Whether a text is no YAML whatever else it holds: what precedes one of its lines at the margin is read for certain, so nothing
 * goes on there, and the line cannot be.
 */
function isSurelyBroken(text: string): boolean {
  for (const { index, 2: value = '' } of text.matchAll(pair)) {
    if (!isBrokenValue(value, text, index)) continue
    return index === 0 || readSurely(text.slice(0, index)) !== undefined
  }
  return false
}

function isBrokenValue(value: string, text: string, index: number): boolean {
  if (isReserved(value)) return true
  if (/^[\dA-Za-z\u0080-\uffff]/.test(value)) return holdsColon(value)
  const close = value.startsWith('[') ? ']' : value.startsWith('{') ? '}' : undefined
  return close !== undefined && !text.includes(close, index)
}
