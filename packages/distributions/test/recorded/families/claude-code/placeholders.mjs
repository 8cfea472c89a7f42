// @ts-check

const references = [
  '$0',
  '$1',
  '$2',
  '$9',
  '$00',
  '$01',
  '$10',
  '$ARGUMENTS',
  '$ARGUMENTS[0]',
  '$ARGUMENTS[1]',
  '$ARGUMENTS[01]',
  '$ARGUMENTS[12]',
  '$ARGUMENTS[]',
  '$ARGUMENTS[x]',
  '$ARGUMENT',
  '$arguments',
  '${ARGUMENTS}',
  '${0}',
  '${1:-x}',
  '$one',
  '$two-x',
  '$two',
  '$3rd',
  '$_a',
  '${one}',
  '$ONE',
  '$one[0]',
  '$0[0]',
  '$#',
  '$@',
  '$*',
  '$$',
  '$',
  '\\$0',
  '\\\\$0',
  '\\$ARGUMENTS',
  '\\$one',
  '\\$x',
  '\\$',
  '${CLAUDE_PROJECT_DIR}',
  '${CLAUDE_SESSION_ID}',
  '\\${CLAUDE_SESSION_ID}',
  '$CLAUDE_SESSION_ID',
  '${HOME}',
  '{baseDir}',
  '${CLAUDE_PLUGIN_ROOT}',
]
const between = [
  '',
  '',
  '',
  ' ',
  ' ',
  ' ',
  '.',
  ',',
  '-',
  '_',
  'x',
  '5',
  '/',
  '[',
  ']',
  ':',
  '%',
  '`',
  '"',
  "'",
  '\\',
  '$',
  '{',
  '}',
  '(',
  'é',
  '技',
  '\n',
  '\n\n',
  '\n```\n',
  '<!--',
  '#',
  '!',
  ' ! ',
  '*',
]
const lines = [
  '',
  'a',
  'a b c',
  '"a b" c',
  "it's",
  '$1 $0',
  '$ARGUMENTS x',
  '$one',
  '!x y',
  'a\\b c',
  '#1',
  '  a  ',
  'k=v',
  '<b> &',
  'a b c d e f g h i j k l',
  '$& $$',
  '%s',
  '{"k":1}',
  '-x --y=z',
  '"a \\"b" c',
]
const fields = [
  '',
  '',
  '',
  'arguments: [one, two-x, 3rd, _a]\n',
  'arguments: one two-x\n',
  'arguments:\n  - one\n  - two-x\n',
  'arguments: [two-x, one, one]\n',
  'argument-hint: "[one] [two-x]"\n',
]

/**
 * Placeholders in a body: which are replaced, with what, and when the arguments come after the body.
 * @type {import('../areas.mjs').Area}
 */
export const area = {
  batches(random) {
    const batch = () => {
      /** @type {Record<string, string>} */
      const files = {}
      const steps = Array.from({ length: 150 }, (_, at) => {
        const count = 1 + random.number(4)
        const parts = Array.from({ length: count }, () => random.one(references) + random.one(between))
        const body = `${random.one(between)}${parts.join('')}`
        files[`project/.claude/skills/s${at}/SKILL.md`] = `---\ndescription: D.\n${random.one(fields)}---\n[${body}]\n`
        const args = random.one(lines)
        return { prompt: `/s${at}${args === '' ? '' : ` ${args}`}` }
      })
      return { files, steps }
    }
    return [batch(), batch(), batch()]
  },
}
