import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** A file of the page. */
export interface PageFile {
  readonly bytes: Buffer
  readonly type: string
}

/** The files of the page. Each is read once: however often a stranger asks, its bytes are in memory once. */
export class PageFiles {
  readonly #folder: string
  readonly #read = new Map<string, Promise<Buffer>>()

  /** @param builtDir absolute */
  constructor(builtDir: string) {
    this.#folder = `${builtDir}/page`
  }

  /** A file by its address; undefined where there is none. Only names of our own build lead to a file. */
  async at(pathname: string): Promise<PageFile | undefined> {
    const name = pathname === '/' ? 'index.html' : /^\/(assets\/[\w-]+\.(?:js|css))$/.exec(pathname)?.[1]
    const type = types[name?.split('.').at(-1) ?? '']
    if (name === undefined || type === undefined) return undefined
    const file = `${this.#folder}/${name}`
    if (!this.#read.has(name) && !existsSync(file)) return undefined
    const reading = this.#read.get(name) ?? readFile(file)
    this.#read.set(name, reading)
    return { bytes: await reading, type }
  }
}

/** The script and the style sheet that a report holds. */
export async function reportFiles(builtDir: string): Promise<{ readonly script: string; readonly style: string }> {
  const [script, style] = await Promise.all(
    ['report.js', 'report.css'].map(name => readFile(`${builtDir}/report/${name}`, 'utf8')),
  )
  return { script: script ?? '', style: style ?? '' }
}

/** The worker that reads Markdown: an ES module of this package, CommonJS in a program that has all in one folder. */
export const readingWorker = (builtDir: string): string =>
  existsSync(`${builtDir}/reading-worker.cjs`) ? `${builtDir}/reading-worker.cjs` : `${builtDir}/reading-worker.js`

/** The folder that this package was built to, also when its sources run. Throws where it was not built. */
export function builtFolder(): string {
  const found = ['.', '../dist']
    .map(path => fileURLToPath(new URL(path, import.meta.url)))
    .find(folder => existsSync(`${folder}/page/index.html`))
  if (found === undefined) throw new Error('The page of @skills/ui is not built: run npm run build.')
  return found
}
