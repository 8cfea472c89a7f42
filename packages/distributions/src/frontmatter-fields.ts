import type { FrontmatterData, OwnFrontmatter } from '@skills/skill-md/internal'

/** Why a file makes no skill, in the words of every reader. */
export const noFrontmatter: OwnFrontmatter = {
  problem: {
    code: 'missing-opening-fence',
    message: 'This program finds no frontmatter here: it must begin with `---` on the first line.',
    hint: 'Begin the file with `---`, without anything before it, and close the frontmatter with `---`.',
  },
}

export function notYaml(reason: string, line: number): OwnFrontmatter {
  return {
    problem: {
      code: 'invalid-yaml',
      message: `This program does not read the frontmatter: the YAML ${reason}.`,
      hint: 'Put the value in quotes; `skills lint --fix` does it.',
      line,
    },
  }
}

export const notPairs: OwnFrontmatter = {
  problem: {
    code: 'not-a-mapping',
    message: 'This program finds no `key: value` pairs in the frontmatter.',
    hint: 'Write `name: …` and `description: …`.',
  },
}

/** A field that must be there and that this program takes as text alone. */
export function notText(field: string, value: unknown): OwnFrontmatter {
  const isMissing = value === undefined || value === null || value === ''
  return {
    problem: {
      code: isMissing ? 'missing-field' : 'invalid-text',
      field,
      message: isMissing
        ? `\`${field}\` is missing, and a skill must have it.`
        : `This program reads no skill whose \`${field}\` is no text.`,
      hint: isMissing ? `Write \`${field}\` into its frontmatter.` : `Put \`${field}\` in quotes.`,
    },
  }
}

export function isPairs(value: unknown): value is FrontmatterData {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** A key of the map itself: `__proto__` and the like give none. */
export function own(pairs: FrontmatterData, key: string): unknown {
  return Object.hasOwn(pairs, key) ? pairs[key] : undefined
}

/** The number of the line, from 1, on which an offset stands. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** A name in one line: white space of any kind becomes one space. */
export function inOneLine(text: string): string {
  return text.replace(/[\s\u0085]+/gu, ' ').trim()
}

/** Whether nothing ends a line in it: not only a line feed does. */
export function isOneLine(text: string): boolean {
  return !/[\n\r\u2028\u2029]/.test(text)
}
