import { useEffect, useState } from 'preact/hooks'
import { sentence } from './sentence.js'

const failures = new Set<string>()
const told = new Set<() => void>()

/** Has the page say that something of it failed. */
export function tellFailure(error: unknown): void {
  failures.add(sentence(error))
  for (const tell of told) tell()
}

/** Tells of everything that failed and that no one took care of. */
export function watchFailures(): void {
  addEventListener('error', ({ message }) => tellFailure(message))
  addEventListener('unhandledrejection', ({ reason }) => tellFailure(reason))
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    tellFailure(`the content policy forbids ${effectiveDirective} of ${blockedURI}`),
  )
}

/** What failed so far. */
export function useFailures(): readonly string[] {
  const [all, setAll] = useState([...failures])
  useEffect(() => {
    const look = (): void => setAll([...failures])
    told.add(look)
    look()
    return () => {
      told.delete(look)
    }
  }, [])
  return all
}
