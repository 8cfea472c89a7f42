import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { letOthersGoOn } from './reading.js'

/** What keeps a process at work, as `async_hooks` calls it and as a sentence does. */
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
 * What some work made and did not end, such as "a watch". A timer or connection that keeps no process alive is no one's
 * concern, as the ones that libraries keep for the next request; a watch goes on reading either way.
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
    // As long as it is enabled every promise of the process pays for it.
    own.disable()
  }
}

function keepsAlive(resource: object): boolean {
  return !('hasRef' in resource) || typeof resource.hasRef !== 'function' || resource.hasRef() === true
}
