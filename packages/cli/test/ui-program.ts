import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { cleanEnv, program } from './built.js'

/** Path of Debian's Chromium, or of the one in SKILLS_CHROMIUM; undefined if there is none. */
export const browserPath = [process.env['SKILLS_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  path => path !== undefined && existsSync(path),
)

/** End of the names of browser tests that do not run. */
export const notRun = browserPath === undefined ? ' (not run: there is no Chromium; apt-get install chromium)' : ''

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath ?? '',
    // Root cannot use Chromium's sandbox. Chromium would also look for updates of its own.
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-dev-shm-usage',
    ],
  })
}

export interface Ui {
  /** Address with the token. */
  readonly url: string
  readonly origin: string
  readonly pid: number
  /** Returns what it has printed so far. */
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

/** Saves a picture of a page in the folder of SKILLS_SCREENSHOTS, or in a temporary one whose path is printed. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), 'skills-ui-'))
    console.log(`Pictures of the pages are in ${folder}`)
  }
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns what axe-core reports about accessibility in a page. */
export async function findingsIn(page: Page): Promise<readonly string[]> {
  const result = await page.evaluate(`${axe}; axe.run()`)
  const { violations = [] } = result as { violations?: { id: string; nodes: { html: string }[] }[] }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}
