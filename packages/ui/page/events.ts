import { authorization, leave } from './session.js'
import { tellFailure } from './failures.js'
import type { Change } from '../src/api.js'

/** Milliseconds until a server that is away is asked again. */
const againMs = 1000

interface Listener {
  onChange(change: Change): void
  /** Why what is shown does not follow the disk; empty where it does. */
  onConnection(problem: string): void
}

/**
 * Hears what the server tells of, and asks it again when it is away. The browser's own EventSource sends no header. Ends
 * when the server was started again: it knows this page no more.
 */
export function listen(listener: Listener): void {
  const again = (): void => {
    hear(listener).then(isKnown => {
      if (isKnown) setTimeout(again, againMs)
    }, tellFailure)
  }
  again()
}

async function hear({ onChange, onConnection }: Listener): Promise<boolean> {
  try {
    const { ok, status, body } = await fetch('/api/events', { headers: { authorization: authorization() } })
    if (status === 401) {
      leave()
      onConnection('skills ui was started again: open the address that it printed last.')
      return false
    }
    if (!ok || body === null) throw new Error(`The events were answered with ${status}.`)
    onConnection('')
    let rest = ''
    const texts = body.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await texts.read(); !read.done; read = await texts.read()) {
      const lines = `${rest}${read.value}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data: ')) onChange(line === 'data: runs' ? 'runs' : 'skills')
    }
  } catch {
    // It says nothing of why: the server has ended, or is away.
  }
  onConnection('skills ui has ended: this no longer follows the disk.')
  return true
}
