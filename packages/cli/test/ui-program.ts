import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { cleanEnv, program } from './built.js'

/** Debian's Chromium, or another that is named; undefined on a machine without one. */
export const browserPath = [process.env['SKILLS_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  path => path !== undefined && existsSync(path),
)

/** What the names of browser tests end with where they do not run. */
export const notRun = browserPath === undefined ? ' (not run: there is no Chromium; apt-get install chromium)' : ''

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath ?? '',
    // Chromium refuses its sandbox to root, and looks for updates of its own.
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-dev-shm-usage',
    ],
  })
}

export interface Ui {
  /** With the token. */
  readonly url: string
  readonly origin: string
  readonly pid: number
  /** What it has told the person so far. */
  said(): string
  close(): Promise<void>
}

/** Starts `skills ui` in a folder, with a home beside it. */
export async function startUi(cwd: string, home: string, args: readonly string[] = []): Promise<Ui> {
  const child = spawn(process.execPath, [program, 'ui', '--cwd', cwd, '--home', home, ...args], {
    env: cleanEnv(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  let stderr = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', chunk => {
      stderr += String(chunk)
      const found = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/.exec(stderr)?.[0]
      if (found !== undefined) resolve(found)
    })
    child.once('close', () => reject(new Error(`skills ui ended: ${stderr}`)))
  })
  return {
    url,
    origin: new URL(url).origin,
    pid: child.pid ?? 0,
    said: () => stderr,
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

let folder = process.env['SKILLS_SCREENSHOTS']

/** Keeps a picture of a page: in the folder of SKILLS_SCREENSHOTS, else in one that is printed. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), 'skills-ui-'))
    console.log(`Pictures of the pages are in ${folder}`)
  }
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds wrong in a page for people who do not see it or use no mouse. */
export async function findingsIn(page: Page): Promise<readonly string[]> {
  const result = await page.evaluate(`${axe}; axe.run()`)
  const { violations = [] } = result as { violations?: { id: string; nodes: { html: string }[] }[] }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}
