#!/usr/bin/env node
// node bench/ui.mjs [--counts 1,1000,60000]: measures the page of `skills ui` in Chromium with that many skills: the
// time to the first visible rows and to an answer of the filter, the server's memory beyond that of `skills watch`, and
// the size of the script. Pictures go to the folder of SKILLS_SCREENSHOTS, if it is set. Ends with 1 if a limit is
// exceeded.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { plainTree } from './trees.mjs'

const { values } = parseArgs({ options: { counts: { type: 'string', default: '1,1000,60000' } } })
const cli = fileURLToPath(new URL('../packages/cli/dist/skills.cjs', import.meta.url))
const page = new URL('../packages/cli/dist/page/', import.meta.url)
const { chromium } = createRequire(new URL('../packages/cli/package.json', import.meta.url))('playwright-core')
const pictures = process.env.SKILLS_SCREENSHOTS
const folder = mkdtempSync(`${tmpdir()}/skills-ui-bench-`)
const views = ['skills', 'budget', 'audit', 'needs', 'sources', 'agents']

try {
  report('script of the first view, compressed, KB', 150, scriptBytes() / 1000)
  for (const count of values.counts.split(',').map(Number)) await measure(count)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(count) {
  const home = `${folder}/home-${count}`
  mkdirSync(home, { recursive: true })
  const project = plainTree(folder, count)
  const watch = await start('watch', /skill/, project, home)
  const plain = memoryOf(watch.child.pid)
  await watch.end()
  const ui = await start('ui', /http:\S+/, project, home)
  const browser = await chromium.launch({
    executablePath: process.env.SKILLS_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage'],
  })
  try {
    const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    // The cost of Chromium's own first page is left out.
    await tab.goto(ui.found)
    await tab.locator('.skill').first().waitFor()
    const loads = []
    for (let load = 0; load < 3; load++) {
      const begun = performance.now()
      await tab.reload({ waitUntil: 'commit' })
      await tab.locator('.skill').first().waitFor()
      loads.push(performance.now() - begun)
    }
    const rows = await tab.locator('.side output').textContent()
    report(`${count} (${rows}): first rows, best of 3, ms`, count > 1000 ? 3000 : 500, Math.min(...loads))
    const answers = []
    for (const words of ['b', 'bu', 'buil', 'build d', 'zzzz', '']) {
      answers.push(
        await tab.evaluate(async text => {
          const field = document.querySelector('input[type=search]')
          const from = performance.now()
          field.value = text
          field.dispatchEvent(new Event('input', { bubbles: true }))
          // The frame after the one in which the rows are inserted.
          await new Promise(done => requestAnimationFrame(() => setTimeout(done)))
          return performance.now() - from
        }, words),
      )
    }
    report(`${count} skills: an answer of the filter, slowest, ms`, 50, Math.max(...answers))
    report(`${count} skills: memory of the server beyond watch, MiB`, 60, memoryOf(ui.child.pid) - plain)
    if (pictures === undefined) return
    mkdirSync(pictures, { recursive: true })
    for (const view of views) {
      await tab.goto(`${new URL(ui.found).origin}/#/${view}`)
      await tab.locator('.rows, h1').first().waitFor({ timeout: 120_000 })
      await tab.locator('.pad[role=status]').waitFor({ state: 'detached', timeout: 120_000 })
      await tab.screenshot({ path: `${pictures}/${view}-${count}.png` })
    }
  } finally {
    await browser.close()
    await ui.end()
  }
}

/** Starts a command, and waits until its output matches `wanted`. */
async function start(command, wanted, cwd, home) {
  const child = spawn(process.execPath, [cli, command, '--cwd', cwd, '--home', home], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise(done => child.once('close', done))
  let said = ''
  const found = await new Promise((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        said += String(chunk)
        const [text] = wanted.exec(said) ?? []
        if (text !== undefined) done(text)
      })
    child.once('close', () => fail(new Error(`skills ${command} ended: ${said}`)))
  })
  return { child, found, end: () => (child.kill('SIGTERM'), ended) }
}

/** Returns the resident memory of a process in MiB. */
function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

function scriptBytes() {
  const names = readdirSync(new URL('assets/', page)).filter(name => /^index-.*\.js$/.test(name))
  return names.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(`assets/${name}`, page))).length, 0)
}

function report(title, bound, figure) {
  const isHeld = figure <= bound
  if (!isHeld) process.exitCode = 1
  console.log(`${isHeld ? 'ok   ' : 'OVER '} ${title}: ${figure.toFixed(1)} (at most ${bound})`)
}
