import { useErrorBoundary } from 'preact/hooks'
import { sentence } from './sentence.js'
import type { ComponentChildren } from 'preact'

/** Shows an error in place of a view that fails. The rest of the page stays. */
export function Guarded({ children }: { readonly children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary()
  if (error === undefined) return <>{children}</>
  return (
    <div class="pad" role="alert">
      <p class="problem">This cannot be shown: {sentence(error)}</p>
      <p>
        What the server says is not what this page expects of it.{' '}
        <button type="button" onClick={reset}>
          Try again
        </button>
      </p>
    </div>
  )
}
