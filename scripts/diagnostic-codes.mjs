// @ts-check
// Makes docs/diagnostics.md from the packages' tables of diagnostic codes. Without --write it only checks that the page
// is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { root, workspacePackages } from '../packages/config/workspace.mjs'

/** Modules that export their table of codes, by package; the others have it in diagnostic-codes.json. */
const exported = new Map([['packages/skill-md', ['src/parse/problems.ts', 'src/fields/field-types.ts']]])

/**
 * Reads each package's diagnostic codes, by folder: from the code to its meaning, worded as the end of a sentence.
 * @param {string} [base] the repository, absolute
 * @returns {Map<string, Readonly<Record<string, string>>>}
 */
export function diagnosticCodes(base = root) {
  return new Map(
    workspacePackages(base).flatMap(({ folder, directory }) => {
      const file = path.join(directory, 'diagnostic-codes.json')
      const tables =
        exported.get(folder)?.map(name => exportedCodes(readFileSync(path.join(directory, name), 'utf8'))) ?? []
      const own = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
      const codes = Object.assign({}, ...tables, own)
      return Object.keys(codes).length === 0 ? [] : [/** @type {const} */ ([folder, codes])]
    }),
  )
}

/**
 * @param {string} source of a module that exports `…Codes = { 'code': 'what it says' }`
 * @returns {Record<string, string>}
 */
function exportedCodes(source) {
  const [, table = ''] = /^export const \w+Codes = \{\n([^]*?)^\}/m.exec(source) ?? []
  return Object.fromEntries(
    Array.from(table.matchAll(/^ {2}'([\w-]+)':\s+(?:'(.*)'|"(.*)"),$/gm), ([, code = '', single, double]) => [
      code,
      single ?? double ?? '',
    ]),
  )
}

/**
 * Renders the whole page.
 * @param {string} [base] the repository, absolute
 */
export function diagnosticsPage(base = root) {
  const rows = [...diagnosticCodes(base)].flatMap(([folder, codes]) =>
    Object.entries(codes).map(([code, says]) => ({ code, says, owner: `@skills/${path.basename(folder)}` })),
  )
  rows.sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : a.owner < b.owner ? -1 : 1))
  return `# Codes of diagnostics

Every code that our packages report, with its package and its meaning. \`node scripts/diagnostic-codes.mjs --write\`
makes this page from the \`diagnostic-codes.json\` of each package. Other packages have codes of their own. The fields of
a diagnostic are in [errors.md](reference/errors.md#diagnostics).

| code | package | meaning |
|---|---|---|
${rows.map(({ code, owner, says }) => `| \`${code}\` | \`${owner}\` | ${says.replaceAll('|', '\\|')} |`).join('\n')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = path.join(root, 'docs/diagnostics.md')
  const text = diagnosticsPage()
  if (process.argv.includes('--write')) writeFileSync(page, text)
  else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
    process.stderr.write(
      'docs/diagnostics.md is not what the packages say. Run node scripts/diagnostic-codes.mjs --write\n',
    )
    process.exitCode = 1
  }
}
