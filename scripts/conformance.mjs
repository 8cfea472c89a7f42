#!/usr/bin/env node
// @ts-check
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../packages/config/workspace.mjs'
import { distributions, notes, pending, rows } from './conformance-rows.mjs'

// The behaviour of each distribution is a table of rows, and the tests of a row name it by its number. This script runs
// them and writes which passed to docs/conformance.md.

export const page = path.join(root, 'docs/conformance.md')
export const conformanceFolder = 'packages/distributions/test/conformance'

/** @typedef {{ row: number, letter: string, sentence: string, state: 'passed' | 'failed' }} Tested */

/**
 * Lists every test that the files have, without running them: each as passed.
 * @returns {readonly Tested[]}
 */
export function listTests() {
  const files = readdirSync(path.join(root, conformanceFolder))
    .filter(name => name.endsWith('.test.ts'))
    .sort()
  return files.flatMap(name =>
    [
      ...readFileSync(path.join(root, conformanceFolder, name), 'utf8').matchAll(
        /^\s*row\(\s*(\d+),\s*'([A-Z]+)',\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/gm,
      ),
    ].flatMap(([, row = '', letters = '', single, double]) =>
      [...letters].map(letter => ({
        row: Number(row),
        letter,
        sentence: (single ?? double ?? '').replaceAll(/\\(['"])/g, '$1'),
        state: /** @type {const} */ ('passed'),
      })),
    ),
  )
}

/**
 * Renders the page for these outcomes.
 * @param {readonly Tested[]} tests
 */
export function render(tests) {
  const letters = Object.keys(distributions)
  /** @param {number} row @param {string} letter */
  const cell = (row, letter) => {
    const own = tests.filter(test => test.row === row && test.letter === letter)
    if (own.some(({ state }) => state === 'failed')) return 'failed'
    if (pending[row]?.letters.includes(letter) === true) return own.length === 0 ? 'not yet' : 'in part'
    return own.length === 0 ? '–' : 'passed'
  }
  const lines = [
    '# What the distributions do',
    '',
    'Each row is something that the distributions do in different ways, and tests that name it by its number:',
    `\`${conformanceFolder}\`. This page is written by \`node scripts/conformance.mjs\`, which runs them.`,
    '',
    '`passed`: all tests of the row passed. `in part`: they did, and something of the row is not there yet. `not yet`: nothing of it is there yet.',
    '`–`: the row says nothing of that distribution.',
    '',
    `| | row | ${letters.map(letter => distributions[letter]).join(' | ')} |`,
    `|---|---|${letters.map(() => '---|').join('')}`,
    ...rows.map(
      ([number, title]) => `| ${number} | ${title} | ${letters.map(letter => cell(number, letter)).join(' | ')} |`,
    ),
    '',
    '## What is tested',
    '',
    ...rows.flatMap(([number, title]) => {
      const own = tests.filter(({ row }) => row === number)
      const sentences = [...new Set(own.map(({ sentence }) => sentence))]
      /** @param {string} sentence */
      const names = sentence =>
        own
          .filter(test => test.sentence === sentence)
          .map(({ letter }) => distributions[letter])
          .join(', ')
      return [
        `**${number}, ${title}**`,
        '',
        ...sentences.map(sentence => `- ${sentence} (${names(sentence)})`),
        ...(pending[number] === undefined ? [] : [`- Not yet: ${pending[number].what}`]),
        ...(notes[number] ?? []).map(note => `- Note: ${note}`),
        '',
      ]
    }),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

/** @returns {readonly Tested[]} */
function run() {
  const temporary = mkdtempSync(path.join(tmpdir(), 'conformance-'))
  const report = path.join(temporary, 'report.json')
  try {
    spawnSync(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        conformanceFolder,
        '--typecheck=false',
        '--reporter=json',
        `--outputFile=${report}`,
      ],
      { cwd: root, stdio: 'inherit' },
    )
    /** @type {{ testResults: { assertionResults: { title: string, status: string }[] }[] }} */
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const outcomes = new Map(
      testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title, status }) => [title, status])),
    )
    return listTests().map(test => ({
      ...test,
      state: outcomes.get(`${test.row} ${test.letter}: ${test.sentence}`) === 'passed' ? 'passed' : 'failed',
    }))
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tests = run()
  writeFileSync(page, render(tests))
  const failed = tests.filter(({ state }) => state === 'failed')
  for (const { row, letter, sentence } of failed) console.error(`${row} ${letter}: ${sentence}`)
  console.log(`${tests.length - failed.length} of ${tests.length} passed; docs/conformance.md is written.`)
  process.exitCode = failed.length === 0 ? 0 : 1
}
