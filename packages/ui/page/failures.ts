import { useEffect, useState } from 'preact/hooks'
import { sentence } from './sentence.js'

const failures = new Set<string>()
const told = new Set<() => void>()

/** Shows an error on the page. */
export function tellFailure(error: unknown): void {
  failures.add(sentence(error))
  for (const tell of told) tell()
}

/** Shows every error that nothing handled. */
export function watchFailures(): void {
  addEventListener('error', ({ message }) => tellFailure(message))
  addEventListener('unhandledrejection', ({ reason }) => tellFailure(reason))
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    tellFailure(`the content policy forbids ${effectiveDirective} of ${blockedURI}`),
  )
}

/** Returns the errors so far. */
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
