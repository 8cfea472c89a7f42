// @ts-check
// Reads what retrieval.mjs and shortlist.mjs measure with: a folder with `pool.ndjson.gz`, a skill a line with `id`, `name`,
// `description` and `body`, and with `tasks.json`, tasks with `text`, `short` (queries) and `core` (ids of the skills that
// solve it).
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

/**
 * @param {string} folder
 * @returns {{ pool: { id: string, name: string, description: string, body: string }[], tasks: { text: string, short:
 *   string[], core: string[] }[] }}
 */
export function readTasks(folder) {
  const lines = gunzipSync(readFileSync(path.join(folder, 'pool.ndjson.gz'))).toString()
  return {
    pool: lines
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line)),
    tasks: JSON.parse(readFileSync(path.join(folder, 'tasks.json'), 'utf8')),
  }
}
