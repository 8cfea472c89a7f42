// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { modelUrl } from './isolated.mjs'

/** @param {string} file @param {object} content */
export function writeJson(file, content) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(content)}\n`)
}

/** A provider of models in the form of OpenAI, which many programs may be given. */
export const own = { baseUrl: `${modelUrl}/v1`, apiKey: 'none' }

/**
 * What a reader finds in the first request that it finds skills in: a model may be asked for a title, say, before.
 * @param {{ requests: readonly string[] }} turn @param {(text: string) => readonly import('../../packages/distributions/test/recorded/told.mjs').Listed[]} read
 */
export function toldIn({ requests }, read) {
  const found = requests.map(request => textsIn(JSON.parse(request)).flatMap(read))
  return { listed: found.find(listed => listed.length > 0) ?? [] }
}

/** @param {unknown} value @returns {readonly string[]} */
export function textsIn(value) {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** @param {readonly string[]} args */
export const server = args => ({ command: process.execPath, args })
/** @param {object} value */
export const json = value => `${JSON.stringify(value, undefined, 2)}\n`
