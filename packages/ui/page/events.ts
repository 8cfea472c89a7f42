import { authorization, leave } from './session.js'
import { tellFailure } from './failures.js'
import type { Change } from '../src/api.js'

/** Milliseconds before an unreachable server is asked again. */
const againMs = 1000

interface Listener {
  onChange(change: Change): void
  /** Called with the reason why the page does not follow the disk, or with '' when it does. */
  onConnection(problem: string): void
}

/**
 * Listens to the server's events, and reconnects when it is away. The browser's own EventSource cannot send a header.
 * Ends when the server was restarted, because the new one does not know this page.
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
    // The error has no reason: the server has ended, or is away.
  }
  onConnection('skills ui has ended: this no longer follows the disk.')
  return true
}
