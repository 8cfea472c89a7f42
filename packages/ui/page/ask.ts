import { useEffect, useRef, useState } from 'preact/hooks'
import { listen as listenToServer } from './events.js'
import { authorization, leave } from './session.js'
import { sentence } from './sentence.js'
import { questionKinds } from '../src/question-kinds.js'
import { keyOf, type PageAnswer, type PageQuestion, type Change, type Question, type Report } from '../src/api.js'

declare const isBuiltAsReport: boolean

/** True if this page is a report: a file without a server. */
export const isReport = isBuiltAsReport

const report = isReport ? (JSON.parse(document.getElementById('report')?.textContent ?? '{}') as Report) : undefined

export const reportedAt = report?.at

/** Returns the answer of the server or of the report. Rejects with a sentence for the person. */
export async function ask<Name extends Question>(
  question: Name,
  asked: PageQuestion<Name>,
  signal?: AbortSignal,
): Promise<PageAnswer<Name>> {
  if (report !== undefined) {
    const { answers, unanswered } = report
    const key = keyOf(question, asked)
    // A question with a name only gets the answer for the first file of that name.
    const of = <Told>(all: Readonly<Record<string, Told>>): Told | undefined =>
      all[key] ?? Object.entries(all).find(([one]) => one.startsWith(`${key.slice(0, -1)},`))?.[1]
    const found = of(answers)
    if (found === undefined) throw new Error(of(unanswered) ?? 'This is not part of the report.')
    return found as PageAnswer<Name>
  }
  const isPost = questionKinds[question].isChange
  const key = keyOf(question, asked) === question
  const response = await fetch(
    isPost || key ? `/api/${question}` : `/api/${question}?asked=${encodeURIComponent(JSON.stringify(asked))}`,
    {
      signal: signal ?? null,
      headers: { authorization: authorization(), ...(isPost && { 'content-type': 'application/json' }) },
      ...(isPost && { method: 'POST', body: JSON.stringify(asked) }),
    },
  )
  if (response.status === 401) leave()
  // A refused save is an answer: it contains the reason.
  if (!response.ok && response.status !== 409) throw new Error((await response.text()).trim())
  const answer = (await response.json()) as PageAnswer<Name>
  if (question === 'save' || question === 'move') forget('skills')
  if (question === 'answer') forget('runs')
  return answer
}

type Listener = (change: Change) => void
const listeners = new Set<Listener>()

/** Last answer to a question, which the next view that asks it shows at once. */
interface Kept {
  readonly value: unknown
  readonly about: Change
  /** True until its subject changes; it is then asked for again. */
  readonly isFresh: boolean
}

/** Answers by their keys, the one used last at the end. */
const kept = new Map<string, Kept>()
/** Most answers to keep. The table of all agents may be large. */
const mostKept = 32
/** Number of changes so far. An answer that was asked for before a change is not fresh. */
const changes: Record<Change, number> = { skills: 0, runs: 0 }

function keep(key: string, one: Kept): void {
  kept.delete(key)
  kept.set(key, one)
  for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest)
}

/** Marks the answers about a subject as out of date. */
function forget(change: Change): void {
  changes[change] += 1
  for (const [key, one] of kept) if (one.about === change) kept.set(key, { ...one, isFresh: false })
}
/** Reason why the page no longer follows the disk, or ''. In a report it is always ''. */
export const connection = { problem: '', told: new Set<() => void>() }

/** Starts to follow the disk. */
export function follow(): void {
  const tell = (change: Change): void => {
    forget(change)
    for (const listen of listeners) listen(change)
  }
  listenToServer({
    onChange: tell,
    onConnection(problem) {
      const wasAway = connection.problem !== ''
      connection.problem = problem
      // Changes while the server was away were not reported.
      if (wasAway && problem === '') for (const change of ['skills', 'runs'] as const) tell(change)
      for (const look of connection.told) look()
    },
  })
}

export interface Answered<Value> {
  /** Last answer to this question. It stays while the next one is awaited. */
  readonly value: Value | undefined
  readonly problem: string | undefined
  readonly isAsking: boolean
  /** Asks again although nothing is known to have changed. */
  readonly again: () => void
}

type State<Value> = Omit<Answered<Value>, 'again'>

/**
 * Asks a question, and asks again when the question or its subject changes. An answer is kept for the next view that
 * asks the same question.
 */
export function useAnswer<Name extends Question>(
  question: Name,
  asked: PageQuestion<Name>,
  about: Change = 'skills',
): Answered<PageAnswer<Name>> {
  const key = keyOf(question, asked)
  const [state, setState] = useState<State<PageAnswer<Name>>>({
    value: kept.get(key)?.value as PageAnswer<Name> | undefined,
    problem: undefined,
    isAsking: true,
  })
  const look = useRef((): void => {})
  useEffect(() => {
    const gone = new AbortController()
    let turns = 0
    look.current = () => {
      setState(before => ({ ...before, isAsking: true }))
      const asOf = changes[about]
      const turn = ++turns
      ask(question, asked, gone.signal).then(
        value => {
          // An earlier question may be answered after a later one, from files that are older.
          if (turn !== turns) return
          keep(key, { value, about, isFresh: asOf === changes[about] })
          setState({ value, problem: undefined, isAsking: false })
        },
        (error: unknown) => {
          if (!gone.signal.aborted && turn === turns)
            setState({ value: undefined, problem: sentence(error), isAsking: false })
        },
      )
    }
    const known = kept.get(key)
    if (known !== undefined) {
      keep(key, known)
      setState({ value: known.value as PageAnswer<Name>, problem: undefined, isAsking: !known.isFresh })
    }
    const listen: Listener = change => {
      if (change === about) look.current()
    }
    if (known?.isFresh !== true) look.current()
    listeners.add(listen)
    return () => {
      listeners.delete(listen)
      gone.abort()
    }
  }, [key])
  return { ...state, again: () => look.current() }
}
