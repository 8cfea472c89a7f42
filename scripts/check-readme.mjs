#!/usr/bin/env node
// @ts-check
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { codeBlocks } from '../packages/config/code-blocks.mjs'
import { root, workspacePackages } from '../packages/config/workspace.mjs'

// Code in a README is not compiled; so each block has to be a copy of a compiled file. This script checks that it is.

const write = process.argv.includes('--write')
const compiled = compiledFiles()
let checked = 0
let problems = 0

for (const file of documents()) {
  const absolute = path.join(root, file)
  if (!existsSync(absolute)) {
    problems++
    console.error(`${file} is missing`)
    continue
  }
  const before = readFileSync(absolute, 'utf8')
  const lines = before.split(/\r?\n/)
  const { blocks, strays } = codeBlocks(lines)
  const wrong = strays.map(
    ({ line, from }) =>
      `${file}:${line + 1}: no TypeScript or JavaScript block stands behind "from ${from}": put it there, or take the comment away`,
  )
  // From the last block to the first, so that a block that grows moves no line number that is still needed.
  for (const block of blocks.toReversed()) {
    checked++
    const wanted = wantedLines(block)
    const at = `${file}:${block.start + 1}`
    if (typeof wanted === 'string') wrong.unshift(`${at}: ${wanted}`)
    else if (
      !sameLines(
        lines.slice(block.start + 1, block.end).map(line => withoutIndent(line, block.indent)),
        wanted,
      )
    ) {
      if (write)
        lines.splice(block.start + 1, block.end - block.start - 1, ...wanted.map(line => line && block.indent + line))
      else wrong.unshift(`${at}: differs from ${block.from}; node scripts/check-readme.mjs --write copies it`)
    }
  }
  for (const line of wrong) console.error(line)
  problems += wrong.length
  const after = lines.join('\n')
  if (write && after !== before) {
    writeFileSync(absolute, after)
    console.log(`${file}: updated`)
  }
}

console.log(`${checked} code blocks, ${problems} problems`)
process.exitCode = problems > 0 ? 1 : 0

function documents() {
  const pages = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.md'),
  )
  const published = workspacePackages().filter(
    ({ folder, manifest }) => /^(packages|plugins)\//.test(folder) && !manifest.private,
  )
  return ['README.md', ...published.map(({ folder }) => `${folder}/README.md`), ...pages.map(name => `docs/${name}`)]
}

/**
 * @param {import('../packages/config/code-blocks.mjs').Block} block
 * @returns {string[] | string} the lines it must hold, or what is wrong with where it says it comes from
 */
function wantedLines({ from, language }) {
  if (!from) return `a ${language} block needs a comment before it: <!-- from path/to/file.ts#region-name -->`
  const [file = '', region] = from.split('#', 2)
  const absolute = path.join(root, file)
  if (!existsSync(absolute)) return `${file} does not exist`
  if (!compiled.has(absolute)) return `${file} is not compiled: tsconfig.json does not include it`
  const lines = readFileSync(absolute, 'utf8').split(/\r?\n/)
  const chosen = region === undefined ? lines : regionLines(lines, region)
  if (!chosen) return `${file} has no complete "// #region ${region}"`
  const trimmed = trimBlankEnds(dedent(chosen.filter(line => !/^\s*\/\/ #(end)?region\b/.test(line))))
  return trimmed.length > 0 ? trimmed : `${from} is empty`
}

/**
 * @param {readonly string[]} lines
 * @param {string} name
 */
function regionLines(lines, name) {
  const start = lines.findIndex(line => line.trim() === `// #region ${name}`)
  const end = lines.findIndex((line, index) => index > start && line.trim() === `// #endregion ${name}`)
  return start === -1 || end === -1 ? undefined : lines.slice(start + 1, end)
}

/** @param {readonly string[]} lines */
function dedent(lines) {
  const indents = lines.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length)
  const least = Math.min(...indents)
  return lines.map(line => line.slice(least).trimEnd())
}

/** @param {readonly string[]} lines */
function trimBlankEnds(lines) {
  const first = lines.findIndex(line => line !== '')
  const last = lines.findLastIndex(line => line !== '')
  return first === -1 ? [] : lines.slice(first, last + 1)
}

/**
 * @param {string} line
 * @param {string} indent
 */
function withoutIndent(line, indent) {
  return line.startsWith(indent) ? line.slice(indent.length) : line
}

/**
 * @param {readonly string[]} left
 * @param {readonly string[]} right
 */
function sameLines(left, right) {
  return left.map(line => line.trimEnd()).join('\n') === right.join('\n')
}

/** @returns {Set<string>} absolute paths of what `npm run types` checks */
function compiledFiles() {
  const { config, error } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile)
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'))
  return new Set(ts.parseJsonConfigFileContent(config, ts.sys, root).fileNames.map(name => path.normalize(name)))
}
