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

/** A provider of models with the API of OpenAI, which many programs can be configured with. */
export const own = { baseUrl: `${modelUrl}/v1`, apiKey: 'none' }

/**
 * Reads the listed skills from the first request that has any: before it, a program may ask the model for a title, say.
 * @param {{ requests: readonly string[] }} turn
 * @param {(text: string) => readonly import('../../packages/distributions/test/recorded/told.mjs').Listed[]} read
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
