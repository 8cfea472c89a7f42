import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { letOthersGoOn } from './reading.js'

/** Resources that keep a process running: the type in `async_hooks` and the word for messages. */
const handles: Readonly<Record<string, string>> = {
  Timeout: 'a timer',
  FSEVENTWRAP: 'a watch',
  STATWATCHER: 'a watch',
  PROCESSWRAP: 'a process',
  WORKER: 'a thread',
  PIPEWRAP: 'a pipe',
  TCPWRAP: 'a connection',
  TCPSERVERWRAP: 'a server',
  UDPWRAP: 'a socket',
}

/**
 * Runs some work and returns nouns for everything that it opened and did not close, such as "a watch". Timers and
 * connections that do not keep the process alive are ignored, because libraries keep some for their next request. A
 * watch is always reported, because it continues to read.
 */
export async function leftBehind(work: () => Promise<void>): Promise<readonly string[]> {
  const own = new AsyncLocalStorage<true>()
  const open = new Map<number, { readonly what: string; readonly resource: object }>()
  const hook = createHook({
    init(id, type, _trigger, resource: object) {
      const { [type]: what } = handles
      if (what !== undefined && own.getStore() === true) open.set(id, { what, resource })
    },
    destroy: id => void open.delete(id),
  }).enable()
  try {
    await own.run(true, work)
    await letOthersGoOn()
    return [...open.values()].flatMap(({ what, resource }) => (what === 'a watch' || keepsAlive(resource) ? what : []))
  } finally {
    hook.disable()
    // While the hook is enabled it slows down every promise of the process.
    own.disable()
  }
}

function keepsAlive(resource: object): boolean {
  return !('hasRef' in resource) || typeof resource.hasRef !== 'function' || resource.hasRef() === true
}
