import { textIn } from '../contract/reading.js'
import { sample } from '../contract/samples.js'
import type { Catalog, PromptCommand } from '@skills/core'
import type { Connected, RemoteTrial } from './remote-trial.js'

export const [alpha, omega] = [sample('alpha'), sample('omega')]

/** Makes an engine and a stopped server that has `alpha` and `omega`. */
export async function resting(trial: RemoteTrial, first = alpha): Promise<Connected> {
  const connected = await trial.connected()
  await connected.remote.put([first, omega])
  return connected
}

/** Makes an engine and a running server that has `alpha` and `omega`. */
export async function running(trial: RemoteTrial, first = alpha): Promise<Connected> {
  const connected = await resting(trial, first)
  await connected.remote.start()
  return connected
}

export function promptOf(trial: RemoteTrial, catalog: Catalog, name: string): PromptCommand {
  const command = catalog.get(trial.nameOf(name))?.command
  return command?.type === 'prompt' ? command : trial.broken(`"${name}" is no prompt command.`)
}

export async function bodyOf(trial: RemoteTrial, { clock }: Connected, command: PromptCommand): Promise<string> {
  return textIn(
    await trial.passing('load()', clock, (async () => command.load('', { signal: new AbortController().signal }))()),
  )
}
