import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { EndlessEntry } from '../contract/fixture.js'

/**
 * Code of a separate thread, because a synchronous read of the pipe may block the main thread for ever. A pipe can be
 * opened for writing without waiting only while it has a reader. Closing it then ends the read.
 */
const watchman = `
  const { closeSync, constants, openSync } = require('node:fs')
  const { path, patienceMs, shared } = require('node:worker_threads').workerData
  const [isOver, held] = [0, 1]
  while (Atomics.wait(shared, isOver, 0, patienceMs) === 'timed-out') {
    try {
      const descriptor = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
      // Counted before the reader is freed, because the reader may look at the count at once.
      Atomics.add(shared, held, 1)
      closeSync(descriptor)
    } catch (error) {
      if (error.code !== 'ENXIO') throw error
    }
  }
`

/**
 * Makes a named pipe without a writer. A reader that still waits after `patienceMs` milliseconds is freed, and
 * `wasHeld` becomes true. Does not work on Windows, which has no named pipes.
 * @param path path of the pipe, in an existing folder
 */
export async function namedPipe(path: string, patienceMs: number): Promise<EndlessEntry> {
  execFileSync('mkfifo', [path], { stdio: 'pipe' })
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(watchman, { eval: true, workerData: { path, patienceMs, shared } })
  await new Promise((resolve, reject) => {
    worker.once('online', resolve)
    worker.once('error', reject)
  })
  const ended = new Promise((resolve, reject) => {
    worker.once('exit', resolve)
    worker.once('error', reject)
  })
  return {
    get wasHeld() {
      return Atomics.load(shared, 1) > 0
    },
    async remove() {
      Atomics.store(shared, 0, 1)
      Atomics.notify(shared, 0)
      await ended
      free(path)
      rmSync(path, { force: true })
    },
  }
}

function free(path: string): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
  } catch (error) {
    // The pipe has no reader, as expected, or was removed with its folder.
    if (!(error instanceof Error) || !('code' in error) || (error.code !== 'ENXIO' && error.code !== 'ENOENT'))
      throw error
  }
}
