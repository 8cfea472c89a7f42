import { messageOf } from '@skills/core'
import { loadRegistryServer } from '@skills/registry/internal'
import { interrupted, isLoopback, portOf } from '../../arguments/listening.js'
import { exitCodes } from '../../io.js'
import { printableLine } from '../../output/printable.js'
import { UsageError } from '../../arguments/usage-error.js'
import type { Call } from './call.js'

/** Serves the registry over HTTP until the process receives a signal to end. */
export async function serve({ registry, invocation, io: { stderr, signal } }: Call): Promise<number> {
  const port = portOf(invocation.text('--port')) ?? 0
  const host = invocation.text('--host')
  if (!isLoopback(host))
    throw new UsageError(
      `The registry is served to this machine alone, and not at ${printableLine(host ?? '')}: let a proxy with TLS pass requests on.`,
    )
  const say = (text: string): void => stderr.write(`skills: ${printableLine(text)}\n`)
  const server = (await loadRegistryServer())({ registry, onProblem: error => say(messageOf(error)) })
  say(`Serving the registry at ${await server.listen({ host, port })}, until Ctrl-C.`)
  await interrupted(signal)
  await server.close()
  return exitCodes.interrupted
}
