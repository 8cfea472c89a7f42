import { expect, onTestFinished, test } from 'vitest'
import { SkillsError } from '@skills/core'
// #region usage
import { makeReport, serveUi, type UiAnswers } from '@skills/ui'

/** Serves the page until the signal aborts, and returns the address to open. */
async function look(answers: UiAnswers, signal: AbortSignal): Promise<string> {
  const server = await serveUi(answers, { onProblem: message => process.emitWarning(message) })
  signal.addEventListener('abort', () => void server.close())
  return server.url
}

/** Returns the page as one file that works from disk. */
const report = (answers: UiAnswers): Promise<string> => makeReport(answers, { now: Date.now() })
// #endregion usage

const listing = {
  text: '',
  place: 'reminder',
  contextWindow: null,
  budgetChars: null,
  usedChars: 0,
  entries: [],
  sources: [],
  omitted: [],
  truncated: [],
  kept: [],
}

const unanswered = async (): Promise<never> => {
  throw new Error('This is not asked here.')
}

const answers: UiAnswers = {
  about: async () => ({
    version: '1',
    distribution: 'standard',
    cwd: '/</script><script>',
    home: '/home',
    precedence: [],
    places: [],
    incomplete: [],
    problems: [],
    agents: [],
  }),
  skills: async () => [],
  listing: async () => listing,
  health: async () => ({
    contextWindow: 200_000,
    costs: [],
    needsTrust: [],
    unasked: 0,
    almost: [],
    moved: [],
    repairs: [],
    unchecked: 0,
  }),
  compat: async () => ({ agents: [], skills: [] }),
  agents: unanswered,
  given: unanswered,
  audit: async () => [],
  needs: async () => [],
  evals: async () => ({ report: null }),
  runs: async () => [],
  skill: unanswered,
  run: async ({ id }) => {
    throw new SkillsError('E_RUN_UNKNOWN', `There is no run ${id}.`, { hint: 'List them.' })
  },
  answer: unanswered,
  file: unanswered,
  check: unanswered,
  save: unanswered,
  move: unanswered,
}

test('the page is served to who has the token, and a report holds it as one file', async () => {
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  const url = await look(answers, ended.signal)
  const page = await fetch(url)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const token = new URL(url).hash.slice('#token='.length)
  const session = await fetch(new URL('/api/session', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  const headers = { authorization: `Bearer ${JSON.parse(await session.text()).secret}` }
  const asked = await fetch(new URL('/api/skills', url), { headers })
  expect(await asked.json()).toEqual([])
  const wrong = await fetch(new URL('/api/listing?asked={"window":1}', url), { headers })
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    expect.stringMatching(/^\/api\/listing .*"window".*agent, contextWindow, pinned, off/),
  ])
  const none = await fetch(new URL('/api/run?asked={"id":"x"}', url), { headers })
  expect([none.status, await none.text()]).toEqual([404, expect.stringContaining(' run x.')])
  const html = await report(answers)
  expect(html).not.toContain('/</script><script>')
  expect(html).toContain("script-src 'sha256-")
})
