import type { FrontmatterData, OwnFrontmatter } from '@skills/skill-md/internal'

/** Problem of a file without frontmatter, the same for every reader. */
export const noFrontmatter: OwnFrontmatter = {
  problem: {
    code: 'missing-opening-fence',
    message: 'The file has no frontmatter: it must begin with `---` on the first line.',
    hint: 'Begin the file with `---`, without anything before it, and close the frontmatter with `---`.',
  },
}

/** Hint for a value that YAML reads as something else. */
export const quoteHint = 'Put the value in quotes; `skills lint --fix` does it.'

export function notYaml(reason: string, line: number): OwnFrontmatter {
  return {
    problem: {
      code: 'invalid-yaml',
      message: `The frontmatter is not read: the YAML ${reason}.`,
      hint: quoteHint,
      line,
    },
  }
}

/** Most characters of a key on one line with its value. */
const longestKey = 1024

/** Finds a key that is too long for YAML. Returns its line, from 0; below 0 if there is none. */
export function longKeyIn(block: string): number {
  if (block.length <= longestKey) return -1
  return block.split('\n').findIndex(line => line.search(/:(?:\s|$)/) > longestKey)
}

export const notPairs: OwnFrontmatter = {
  problem: {
    code: 'not-a-mapping',
    message: 'The frontmatter has no `key: value` pairs.',
    hint: 'Write `name: …` and `description: …`.',
  },
}

/** Makes the problem of a required field that is missing or is not text. */
export function notText(field: string, value: unknown): OwnFrontmatter {
  const isMissing = value === undefined || value === null || value === ''
  return {
    problem: {
      code: isMissing ? 'missing-field' : 'invalid-text',
      field,
      message: isMissing
        ? `\`${field}\` is missing; every skill must have this field.`
        : `A skill whose \`${field}\` is not text is not loaded.`,
      hint: isMissing ? `Write \`${field}\` into its frontmatter.` : `Put \`${field}\` in quotes.`,
    },
  }
}

/** Makes the problem of a field that has to be a map. */
export function notMap(field: string): OwnFrontmatter {
  return {
    problem: {
      code: 'invalid-map',
      field,
      message: `A skill whose \`${field}\` is not a map is not loaded.`,
      hint: `Write \`${field}\` as \`key: value\` lines.`,
    },
  }
}

export function isPairs(value: unknown): value is FrontmatterData {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** Returns the value of an own key. Undefined for an inherited key such as `__proto__`. */
export function own(pairs: FrontmatterData, key: string): unknown {
  return Object.hasOwn(pairs, key) ? pairs[key] : undefined
}

/** Returns the line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Puts a name on one line: white space of any kind becomes one space. */
export function inOneLine(text: string): string {
  return text.replace(/[\s\u0085]+/gu, ' ').trim()
}

/** True if the text has no line break of any kind. */
export function isOneLine(text: string): boolean {
  return !/[\n\r\u2028\u2029]/.test(text)
}

export const oddMark = 'has an anchor or a tag with signs that it cannot have'

/**
 * True if a value begins with an anchor or a tag with characters that our YAML library takes and those of some programs
 * refuse. Lines of block scalars are texts.
 */
export function hasOddMark(lines: readonly string[]): boolean {
  let block = Infinity
  return lines.some(line => {
    const indent = line.search(/\S/)
    if (indent < 0 || indent > block) return false
    block = /(?:^|[\s:-])[|>][\d+-]*[ \t]*$/.test(line) ? indent : Infinity
    return /^[^:#]*:[ \t]+(?:&[\w-]*[^\w\s-]|![^\s<]*["#\\{}|^`])/.test(line)
  })
}
