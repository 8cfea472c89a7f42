import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from './ask.js'
import { Seen } from './seen.js'
import { sentence } from './sentence.js'
import type { Reading, ReadNode } from '../src/api.js'

/** Milliseconds without a key press before typed text is read. */
const pauseMs = 150

interface BodyProps {
  readonly text: string
  /** Reading of the text, if it is known. */
  readonly reading?: Reading | undefined
  /** True while the text is typed. The last reading then stays until the next one is there. */
  readonly isTyped?: boolean
}

/**
 * Shows the body of a skill as formatted text, without executing anything. It never shows the reading of another text.
 * Text that cannot be read as Markdown is shown as it is in the file.
 */
export function Body({ text, reading: given, isTyped = false }: BodyProps) {
  const [longerFor, setLongerFor] = useState<string>()
  const isLonger = longerFor === text
  const [isPlain, setPlain] = useState(false)
  const [last, setLast] = useState<{ readonly text: string; readonly reading: Reading }>()
  useEffect(() => {
    if (given !== undefined) return undefined
    const gone = new AbortController()
    const read = (): void => {
      ask('reading', { text, ...(isLonger && { isLonger }) }, gone.signal).then(
        reading => setLast({ text, reading }),
        (error: unknown) => {
          const reading = { problem: sentence(error), mayTakeLonger: true }
          if (!gone.signal.aborted) setLast({ text, reading })
        },
      )
    }
    const timer = setTimeout(read, last === undefined ? 0 : pauseMs)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [text, given, isLonger])
  const isOwn = last?.text === text
  const reading = given ?? (isOwn || isTyped ? last?.reading : undefined)
  if (reading === undefined)
    return (
      <p class="quiet" role="status">
        Reading the text …
      </p>
    )
  const { problem, mayTakeLonger } = 'problem' in reading ? reading : { problem: undefined, mayTakeLonger: false }
  return (
    <>
      {problem === undefined ? (
        <button type="button" aria-pressed={isPlain} onClick={() => setPlain(!isPlain)}>
          As it stands in the file
        </button>
      ) : (
        <p class="warning" role="status">
          This is shown as it stands in the file, and not as Markdown: {problem}.{' '}
          {mayTakeLonger && given === undefined && !isLonger && (
            <button type="button" onClick={() => setLongerFor(text)}>
              Try for longer
            </button>
          )}
        </p>
      )}
      <div class="body" aria-busy={!isOwn && given === undefined}>
        {'problem' in reading || isPlain ? (
          <pre class="text" tabIndex={0}>
            <Seen text={text} />
          </pre>
        ) : (
          <Nodes nodes={reading.nodes} />
        )}
      </div>
    </>
  )
}

function Nodes({ nodes }: { readonly nodes: readonly ReadNode[] }) {
  return (
    <>
      {nodes.map((node, at) => {
        if (typeof node === 'string') return <Seen key={at} text={node} />
        const { tag, children, href, start } = node
        const link = href === undefined ? {} : { href, target: '_blank', rel: 'noopener noreferrer' }
        const more = { ...link, ...(start !== undefined && { start }), ...(tag === 'pre' && { tabIndex: 0 }) }
        return h(tag, { key: at, ...more }, children.length > 0 && <Nodes nodes={children} />)
      })}
    </>
  )
}
