import { stampOf, type Stamp } from '@skills/fs'

export function sidecarPath(folder: string): string {
  return `${folder}/agents/openai.yaml`
}

/** The state of a folder's sidecar; undefined without one. */
export function sidecarStamp(folder: string, now: number): Stamp | undefined {
  const stamp = stampOf([sidecarPath(folder)], now)
  return stamp.text === '' ? undefined : stamp
}
