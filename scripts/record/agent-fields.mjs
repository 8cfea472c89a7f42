// @ts-check
// Finds out how each agent uses each field, by running the distributions that imitate them over a skill that sets all
// fields. It needs the built packages.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** @param {string} file below `packages` @returns {Promise<any>} */
const built = file => import(new URL(`../../packages/${file}`, import.meta.url).href)

/** Returns a value of a field that differs from its default. @param {any} field */
const sampleOf = ({ type, choices = {}, otherwise }) =>
  ({
    boolean: String(otherwise !== true),
    word: Object.keys(choices).at(-1),
    effort: 'high',
    map: '{a: [b]}',
    patterns: '[another]',
  })[/** @type {string} */ (type)] ?? 'another'

const body =
  '$ARGUMENTS $ARGUMENTS[0] $0 now ${CLAUDE_SKILL_DIR} ${CLAUDE_PLUGIN_ROOT} ${CLAUDE_SESSION_ID} {baseDir}\n\n!`true`\n'

const words = { used: 'used', ignored: '–', other: 'otherwise' }

/** @returns {Promise<string>} a table of fields × agents */
export async function fieldsTable() {
  const { agentsNamed } = await built('distributions/dist/agents.js')
  const { compat } = await built('inspect/dist/compat.js')
  const { processHost } = await built('core/dist/index.js')
  const { fieldTable } = await built('core/dist/fields.js')
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-fields-'))
  try {
    const file = path.join(folder, 'project/.claude/skills/one/SKILL.md')
    mkdirSync(path.dirname(file), { recursive: true })
    mkdirSync(path.join(folder, 'project/.git'))
    const lines = fieldTable.map((/** @type {any} */ field) => `${field.name}: ${sampleOf(field)}\n`)
    writeFileSync(file, `---\n${lines.join('')}---\n${body}`)
    const [reference] = await agentsNamed(['standard'])
    const { agents, skills } = await compat({
      reference,
      agents: await agentsNamed(),
      host: processHost({ cwd: path.join(folder, 'project'), home: path.join(folder, 'home'), env: {} }),
    })
    const cells = skills[0].agents
    const fields = cells[0].fields.map((/** @type {{ field: string }} */ { field }) => field)
    const rows = fields.map((/** @type {string} */ field) => {
      const uses = cells.map((/** @type {any} */ cell) =>
        cell.fields.find((/** @type {any} */ one) => one.field === field),
      )
      return `| \`${field}\` | ${uses.map((/** @type {any} */ one) => (one === undefined ? '–' : Reflect.get(words, one.use))).join(' | ')} |`
    })
    const heads = agents.map((/** @type {any} */ { name, checked }) => `${name} ${checked.version}`)
    return `| field | ${heads.join(' | ')} |\n|---|${heads.map(() => '---|').join('')}\n${rows.join('\n')}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
