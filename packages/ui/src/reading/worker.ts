import { parentPort } from 'node:worker_threads'
import { readingOf } from './tree.js'
import type { Reading } from '../api.js'

/** One text to read. */
export interface Job {
  readonly text: string
  readonly mostElements: number
}

parentPort?.on('message', ({ text, mostElements }: Job) => {
  let reading: Reading
  try {
    reading = readingOf(text, mostElements)
  } catch (error) {
    // Such as a stack overflow. The text is then shown unformatted.
    reading = { problem: String(error), mayTakeLonger: false }
  }
  parentPort?.postMessage(reading)
})
parentPort?.postMessage('ready')
