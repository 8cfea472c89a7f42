// @ts-check
import { renameSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

parentPort?.on('message', (/** @type {{ place: string, after: number }} */ { place, after }) => {
  // Milliseconds, of which a timer knows no parts.
  const end = performance.now() + after
  while (performance.now() < end);
  renameSync(`${place}/skills`, `${place}/old`)
  const gap = performance.now() + 0.2
  while (performance.now() < gap);
  renameSync(`${place}/next`, `${place}/skills`)
  parentPort?.postMessage('done', [])
})
