import * as s from '@skills/core/schema'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { messageOf, SkillsError } from '@skills/core'
import { isJsonObject, systemCode, parseJson } from '@skills/files/internal'
import { readWholeFile } from '@skills/files'
import { maskSecrets } from '@skills/state/secrets'
import { namedRoot, type Root } from '@skills/state/writer'
import type { Asked, AskModel, ModelAnswer } from './model.js'

const recordingsOptions = s.options('new Recordings()', {
  /** Absolute path of the folder for recordings. It has one folder for each skill. */
  dir: s.text().required(),
  /**
   * Absolute path of the working folder. Links in it or in a repository on the way to the recordings are not followed.
   * Default: `dir`.
   */
  cwd: s.text(),
  /** `replay` asks no model and needs neither a key nor the network. */
  mode: s.oneOf('record', 'replay').required(),
  /** Name of the model. */
  model: s.text().required(),
  /** Paths that differ between machines, by the word that replaces each: `{ project: '/home/me/work' }`. */
  places: s.record(s.text()).required(),
  /** Values that are never written, such as keys in environment variables. */
  secrets: s.list(s.text()).required(),
})

export interface RecordingsOptions extends s.OptionsOf<typeof recordingsOptions> {}

/** Query or task whose recording no longer matches, and the part of the request that changed. */
export interface Stale {
  readonly skill: string
  readonly id: string
  /** `none` if nothing was recorded. */
  readonly changed: 'listing' | 'tools' | 'conversation' | 'model' | 'none'
}

interface Recorded {
  readonly id: string
  readonly trial: number
  readonly step: number
  readonly parts: Readonly<Record<string, string>>
}

/** Formats of common API keys. */
const keyShape =
  /\b(?:sk|pk|rk)-[\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bAKIA[A-Z\d]{16}\b|\bAIza[\w-]{30,}|\bxox[abprs]-[\w-]{10,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g

/** Answers of a model, each stored under the digest of its request. See docs/reference/evals.md, "Recordings". */
export class Recordings {
  readonly #stale = new Map<string, Stale>()
  /** Number of answers that came from a recording. */
  replayed = 0

  private readonly options: RecordingsOptions

  constructor(given: RecordingsOptions) {
    this.options = recordingsOptions.read(given)
  }

  /** Queries whose requests differ from the recorded ones. */
  get stale(): readonly Stale[] {
    return [...this.#stale.values()]
  }

  /** @param ask called for answers that are not recorded, which are then recorded; never called in a replay */
  over(ask: AskModel): AskModel {
    const { mode } = this.options
    return async (asked, signal, before) => {
      const parts = this.#partsOf(asked)
      const { skill, id, trial, step } = asked
      const digest = hash(JSON.stringify([skill, id, trial, step, parts]))
      const folder = `${this.options.dir}/${encodeURIComponent(skill)}`
      const known = answerIn(this.#out(await readIfThere(`${folder}/${digest}.json`)))
      if (known !== undefined) {
        this.replayed += 1
        return { ...known, isRecorded: true }
      }
      if (mode === 'replay') {
        const stale: Stale = { skill, id, changed: await this.#changed(folder, { id, trial, step, parts }) }
        this.#stale.set(`${skill}\0${id}`, stale)
        throw new SkillsError('E_UNKNOWN_NAME', `Nothing is recorded for this request: ${reasons[stale.changed]}`, {
          hint: 'Record this request again with a model: --record.',
        })
      }
      const answer = await ask(asked, signal, before).catch((error: unknown) => {
        // A server may repeat in its error the key that it refuses.
        const shown = maskSecrets(messageOf(error), this.options.secrets)
        throw signal.aborted || shown === messageOf(error) ? error : new Error(shown)
      })
      const recorded = { version: 1, id, trial, step, model: this.options.model, parts, answer }
      const text = `${this.#in(JSON.stringify(recorded, undefined, 1))}\n`
      this.#root.write(`${encodeURIComponent(skill)}/${digest}.json`, text, { replaces: 'ours' })
      return answer
    }
  }

  /**
   * Writes a report beside the recordings, without secrets and without paths of this machine. Throws `E_WRITE` if a
   * link is in its place or on the way to it.
   */
  writeReport(report: object): void {
    this.#root.write('last-report.json', this.#in(JSON.stringify(report)), { replaces: 'ours' })
  }

  get #root(): Root {
    const { dir, cwd = dir } = this.options
    return namedRoot(dir, cwd)
  }

  #partsOf({ call: { prompt, tools } }: Asked): Recorded['parts'] {
    const [system, ...rest] = prompt
    const parts = { model: this.options.model, listing: system, tools, conversation: rest }
    return Object.fromEntries(
      Object.entries(parts).map(([part, value]) => [part, hash(this.#in(JSON.stringify(value ?? null)))]),
    )
  }

  /** Replaces secrets and paths of this machine in text that is to be written. */
  #in(json: string): string {
    const { secrets, places } = this.options
    let text = json
    for (const secret of secrets.toSorted((a, b) => b.length - a.length))
      if (secret.length >= 8) text = text.replaceAll(JSON.stringify(secret).slice(1, -1), '<secret>')
    text = text.replace(keyShape, '<secret>')
    for (const [word, path] of Object.entries(places).toSorted(([, a], [, b]) => b.length - a.length))
      if (path !== '') text = text.replaceAll(JSON.stringify(path).slice(1, -1), `<${word}>`)
    return text
      .replaceAll(/[^"\s]*\/skills-eval-[\w-]+\.tmp/g, '<workspace>')
      .replaceAll(/eval-session-[\da-f-]{36}/g, '<session>')
  }

  #out(text: string): string {
    return Object.entries(this.options.places).reduce(
      (all, [word, path]) => all.replaceAll(`<${word}>`, JSON.stringify(path).slice(1, -1)),
      text,
    )
  }

  async #changed(folder: string, { id, trial, step, parts }: Recorded): Promise<Stale['changed']> {
    for (const file of await filesIn(folder)) {
      const one = objectIn(await readIfThere(`${folder}/${file}`))
      if (one?.['id'] !== id || one['trial'] !== trial || one['step'] !== step || !isJsonObject(one['parts'])) continue
      const before = one['parts']
      const order = ['model', 'listing', 'tools', 'conversation'] as const
      return order.find(part => before[part] !== parts[part]) ?? 'conversation'
    }
    return 'none'
  }
}

const reasons: Readonly<Record<Stale['changed'], string>> = {
  model: 'the recording was made with another model.',
  listing: 'the listing of skills for the model has changed.',
  tools: 'the tools have changed.',
  conversation: 'the query, the text of a skill or an answer of a tool has changed.',
  none: 'this query was never recorded.',
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

async function readIfThere(path: string): Promise<string> {
  const file = await readWholeFile(path)
  if (file === undefined) return ''
  if ('bytes' in file) return file.bytes.toString('utf8')
  throw new Error(file.problem.message)
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter(file => file.endsWith('.json'))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

/** Parses a JSON object. Returns undefined for text that is cut off or is not an object. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(text === '' ? 'null' : text)
    return isJsonObject(value) ? value : undefined
  } catch {
    // Undefined is the answer for text that does not parse.
    return undefined
  }
}

function answerIn(text: string): ModelAnswer | undefined {
  const answer = objectIn(text)?.['answer']
  if (!isJsonObject(answer)) return undefined
  const { content, finish, inputTokens, outputTokens } = answer
  return Array.isArray(content) && typeof finish === 'string'
    ? { content, finish, inputTokens: Number(inputTokens), outputTokens: Number(outputTokens) }
    : undefined
}
