import * as s from '@skills/core/schema'
import { createHash } from 'node:crypto'
import { SkillsError } from '@skills/core'
import { builtFolder, readingWorker, reportFiles } from './page-files.js'
import { Reader } from './reading/reader.js'
import { questionKinds } from './question-kinds.js'
import { keyOf, type Question, type Reading, type UiAnswers } from './api.js'

const reportOptions = s.options('makeReport()', {
  /** Milliseconds since the epoch, for the line that states when it was made. */
  now: s.number().required(),
  /** Most skills with all details. With more, the file would be too large for browsers. */
  most: s.number().default(1000),
  /** Absolute path of the built files of this package. Default: those of this package. */
  builtDir: s.text(),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

export interface ReportOptions extends s.OptionsOf<typeof reportOptions> {}

/** Milliseconds for reading all bodies. Without a limit, a report might never be finished. */
const mostReading = 20_000
const tooSlow: Reading = { problem: 'other requests took too long', mayTakeLonger: false }

/**
 * Makes the page as one file that works from disk. It contains everything that can be viewed, sends no requests and
 * allows no changes. Its content policy allows its own script and style by their digests, and no request. See
 * docs/reference/ui.md.
 */
export async function makeReport(answers: UiAnswers, given: ReportOptions): Promise<string> {
  const { now, most, builtDir = builtFolder(), signal } = reportOptions.read(given)
  const said: Record<string, unknown> = {}
  const unanswered: Record<string, string> = {}
  /** Adds an answer. If there is none, the reason is put in its place, and the rest of the report is still made. */
  const put = async (question: Question, asked: object, answer: () => Promise<unknown>): Promise<void> => {
    const key = keyOf(question, asked)
    try {
      said[key] = await answer()
    } catch (error) {
      if (!SkillsError.is(error)) throw error
      unanswered[key] = error.message
    }
  }
  const skills = [...(await answers.skills({}))]
  const special: Partial<Record<Question, () => Promise<unknown>>> = {
    about: async () => ({ ...(await answers.about({})), agents: [] }),
    skills: async () => skills,
    audit: async () => [...(await answers.audit({}))],
  }
  for (const question of Object.keys(questionKinds) as Question[]) {
    if (!questionKinds[question].inReport || question === 'skill') continue
    // Each of these is asked without options.
    const plain = (): Promise<unknown> =>
      (answers[question as keyof UiAnswers] as (asked: object) => Promise<unknown>)({})
    await put(question, {}, special[question] ?? plain)
  }
  const reader = new Reader(readingWorker(builtDir))
  let spent = 0
  try {
    for (const { name, path } of skills.slice(0, most)) {
      signal?.throwIfAborted()
      const asked = { name, ...(path !== null && { path }) }
      await put('skill', asked, async () => {
        const page = await answers.skill(asked)
        const begun = performance.now()
        const text = page.shown?.body ?? ''
        const reading = spent < mostReading ? await reader.read(text, { signal }) : tooSlow
        spent += performance.now() - begun
        return { ...page, reading, isEditable: false }
      })
    }
  } finally {
    await reader.close()
  }
  const { script, style } = await reportFiles(builtDir)
  // `<` is escaped, so that no text can end the element. JSON reads the escape as the same character.
  const data = JSON.stringify({ answers: said, unanswered, at: new Date(now).toISOString() }).replaceAll('<', '\\u003c')
  const code = script.replaceAll('</script', '<\\/script')
  const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = `default-src 'none'; script-src ${digest(code)}; style-src ${digest(style)}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width">',
    '<meta name="referrer" content="no-referrer">',
    '<title>Skills</title>',
    `<style>${style}</style>`,
    '<div id="page"></div>',
    `<script type="application/json" id="report">${data}</script>`,
    `<script>${code}</script>`,
    '</html>',
    '',
  ].join('\n')
}
