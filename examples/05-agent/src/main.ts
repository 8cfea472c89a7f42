import { processHost } from '@skills/core'
import { openState } from '@skills/distributions/trust'
import { openAgent } from './agent.js'
import { demonstrate } from './demonstration.js'
import { endpointOf } from './endpoint.js'
import { askForTrust } from './ask-for-trust.js'
import { openTerminal } from './terminal.js'

/** Key of the conversation in the state folder of the user, for `--continue`. */
const kept = 'agent-example'
const endpoint = endpointOf(process.env)
if (endpoint === undefined) await demonstrate(text => process.stdout.write(text))
else {
  // It runs on the machine of the person, and its tools read files by their paths.
  const host = processHost({ showsPaths: true })
  const report = ({ severity, message }: { readonly severity?: string; readonly message: string }): void =>
    console.error(`${severity ?? 'error'}: ${message}`)
  const terminal = openTerminal()
  const state = openState(host, { report })
  const onUntrusted = (): Promise<boolean> => askForTrust(host, state, terminal)
  await onUntrusted()
  const call = { signal: new AbortController().signal }
  const agent = await openAgent({
    host,
    endpoint,
    write: text => process.stdout.write(text),
    onAsk: terminal.onAsk,
    onUntrusted,
    onDiagnostic: report,
    state: process.argv.includes('--continue') ? await state.read(kept, call) : undefined,
  })
  try {
    await terminal.run(agent)
    // The state is saved before the agent is closed, and lists the reports that the conversation has received.
    const value = await agent.state()
    await state.update(kept, () => value, call)
  } finally {
    await agent.close()
  }
}
