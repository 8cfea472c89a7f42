// @ts-check
import { renameSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

parentPort?.on('message', (/** @type {{ place: string, after: number }} */ { place, after }) => {
  // Fractions of a millisecond, which a timer cannot wait for.
  const end = performance.now() + after
  while (performance.now() < end);
  renameSync(`${place}/skills`, `${place}/old`)
  const gap = performance.now() + 0.2
  while (performance.now() < gap);
  renameSync(`${place}/next`, `${place}/skills`)
  parentPort?.postMessage('done', [])
})
