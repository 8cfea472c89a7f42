#!/usr/bin/env node
// @ts-check
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import path from 'node:path'
import { root } from '../packages/config/workspace.mjs'

// node scripts/field-docs.mjs [--write]: whether the table of fields in the docs and the JSON Schema that is published
// are those of the table in packages/skill-md/src/fields/field-table.ts, which has to be built. With --write they are
// written.

const write = process.argv.includes('--write')
const { acceptedBy, fieldTable, keysOf, skillSchema } = await import(
  pathToFileURL(path.join(root, 'packages/skill-md/dist/index.js')).href
)

/** @param {string} text */
const code = text => `\`${text}\``
/** @param {any} field */
const row = field =>
  `| ${keysOf(field).map(code).join(', ')} | ${acceptedBy(field)}${registered(field)}${field.limit === undefined ? '' : `, ${field.limit.toLocaleString('en')} characters`} | ${field.default === 'none' ? '–' : field.default} | ${field.effect} | ${field.readers} | ${field.asks ? 'yes' : 'no'} | ${field.standard === true ? 'yes' : 'no'} |`
/** @param {any} field */
function registered({ words }) {
  return words === undefined ? '' : `, or the id of ${words === 'shell' ? 'a shell' : 'an executor'} that is registered`
}

const table = [
  '| field, and other spellings that are read | value | default | effect | acts on it | asks for permission | open standard |',
  '|---|---|---|---|---|---|---|',
  ...fieldTable.map(row),
].join('\n')

const docs = path.join(root, 'docs/reference/fields.md')
const before = readFileSync(docs, 'utf8')
const marked = /(<!-- fields -->\n)[\s\S]*?(\n<!-- \/fields -->)/
const after = before.replace(marked, (_, begin, end) => `${begin}${table}${end}`)
const schemaFile = path.join(root, 'packages/skill-md/skill.schema.json')
const schema = `${JSON.stringify(skillSchema(), undefined, 2)}\n`

let problems = marked.test(before) ? 0 : 1
if (problems > 0) console.error('docs/reference/fields.md has no <!-- fields -->.')
for (const { file, text } of [
  { file: docs, text: after },
  { file: schemaFile, text: schema },
]) {
  if (write) writeFileSync(file, text)
  else if (readOr(file) !== text) {
    problems++
    console.error(
      `${path.relative(root, file)} differs from the table of fields; node ${path.relative(process.cwd(), fileURLToPath(import.meta.url))} --write makes it so`,
    )
  }
}
process.exitCode = problems > 0 ? 1 : 0

/** @param {string} file */
function readOr(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It is not there yet, which is one of the differences.
    return undefined
  }
}
